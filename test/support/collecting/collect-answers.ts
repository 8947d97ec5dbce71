// Collects given upstream answers once. Returns each snapshot's outcome, and all text that was written or reported.
import { expect } from "vitest";
import { UpstreamError } from "../../../collector/http/errors.ts";
import type { Payload, SnapshotName } from "../../../snapshots/snapshot.ts";
import { snapshotFiles, startCollector } from "./collector.ts";
import { readSource } from "./read-source.ts";
import { body } from "./upstream.ts";
import { vendorPlans, vendorRelease } from "./vendor.ts";

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

/** The payload of this answer in Vitrine's own shape, or the reason why it has none. A string is sent as it is. */
export async function outcomeOf(
  answer: unknown,
  name: SnapshotName = "release-macos",
): Promise<{ payload?: Payload; reason?: string }> {
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  try {
    return { payload: (await readSource({ from: "json" }, body(text), { name })).payload };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    expect(error.message).toMatch(/^[\x20-\x7e]{8,400}$/);
    return { reason: error.message };
  }
}

/** The outcome of a macOS release in which these fields replace its own. */
export function releaseWith(fields: object) {
  const { latest, ...release } = vendorRelease("macos");
  return outcomeOf({ ...release, latest: { ...latest, ...fields } });
}

/** Plans in which these fields replace those of the second plan. */
export function plansWith(fields: object): object {
  const { plans, ...rest } = vendorPlans();
  return { ...rest, plans: [plans[0], { ...plans[1], ...fields }] };
}
