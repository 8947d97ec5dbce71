// Collects given upstream answers once. Returns each snapshot's outcome, and all text that was written or reported.
import { expect } from "vitest";
import { snapshotFiles, startCollector } from "./collector.ts";
import { body } from "./upstream.ts";
import { vendorPlans, vendorReleases } from "./vendor.ts";

/** Collects these answers. Strings are sent as they are, anything else as JSON. */
export async function collectAnswers(answers: { plans?: unknown; releases?: unknown }, pick?: string) {
  const { upstream, run, directory } = await startCollector(pick === undefined ? {} : { pick });
  const given = Object.entries(answers);
  for (const [name, answer] of given) {
    upstream.set(`/${name}`, body(typeof answer === "string" ? answer : JSON.stringify(answer)));
  }
  const outcomes = await run();
  for (const outcome of Object.values(outcomes)) {
    if ("reason" in outcome) expect(outcome.reason).toMatch(/^(?!internal error)[\x20-\x7e]{8,400}$/);
  }
  const all = JSON.stringify([outcomes, await snapshotFiles(directory)]);
  return { ...outcomes, macos: outcomes["release-macos"], windows: outcomes["release-windows"], all };
}

/** Collects a macOS release in which these fields replace its own. */
export async function releaseWith(fields: object) {
  const { macos, windows } = vendorReleases();
  const outcomes = await collectAnswers({
    releases: { macos: { ...macos, latest: { ...macos.latest, ...fields } }, windows },
  });
  expect(outcomes.windows.result).toBe("changed");
  return outcomes.macos;
}

/** Plans in which these fields replace those of the second plan. */
export function plansWith(fields: object): object {
  const { plans, ...rest } = vendorPlans();
  return { ...rest, plans: [plans[0], { ...plans[1], ...fields }] };
}
