// `collect --dry-run`: the findings and decisions of a run, with nothing written.
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { partsOf } from "../../support/collecting/parts.ts";
import { findingLines } from "../../../cli/features/dry-run/dry-run-lines.ts";
import { dryRun, type Finding } from "../../../collector/features/dry-run/dry-run.ts";
import type { Source } from "../../../collector/source.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";
import { isIn } from "../../support/program/feature.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { runInProcess, typeInProcess } from "../../support/program/in-process.ts";
import { startVendor } from "../../support/program/settings.ts";
import { json, status } from "../../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../../support/collecting/vendor.ts";
import { factsIn } from "../../support/snapshot.ts";

const run = (directory: string, ...words: string[]) => runInProcess(["collect", ...words], directory);

/** The findings of `--dry-run --json`, by name. */
async function findings(directory: string, ...words: string[]) {
  const { code, stdout } = await run(directory, "--dry-run", "--json", ...words);
  const found = (JSON.parse(stdout) as { findings: Finding[] }).findings;
  const named = Object.fromEntries(found.map((finding) => [finding.name, finding])) as Record<SnapshotName, Finding>;
  return { code, ...named };
}

/** Every file of a directory, with contents and modification time. */
async function everything(directory: string): Promise<unknown[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    paths.toSorted().map(async (path) => {
      return [path, await readFile(path, "utf8"), (await stat(path, { bigint: true })).mtimeNs];
    }),
  );
}

const dearer = () => {
  const plans = vendorPlans();
  const [, studio] = plans.plans;
  Object.assign(studio!, { monthlyPrice: 13, prices: { ...studio!.prices, monthly: 13 } });
  return plans;
};

describe("a dry run (collector/features/dry-run/dry-run.ts)", () => {
  test("it writes nothing, whether sources change, fail or are held", async () => {
    const { upstream, directory, facts } = await startVendor();
    await run(directory);
    const before = await everything(facts);
    upstream.set("/plans", json({ ...vendorPlans(), currency: "CHF" }));
    upstream.set("/releases", json({ ...vendorReleases(), windows: null }));
    const { code, plans, ...others } = await findings(directory);
    expect(code).toBe(1);
    expect([plans.result, others["release-macos"].result, others["release-windows"].result]).toEqual([
      isIn("guard") ? "held" : "changed",
      "confirmed",
      "failed",
    ]);
    expect(await everything(facts)).toEqual(before);
  });
});

test("it does not create the directory", async () => {
  const { directory, facts } = await startVendor();
  const { code, plans } = await findings(directory);
  expect(code).toBe(0);
  expect(plans).toMatchObject({ result: "changed", difference: ["plans: hobby, studio, for the first time"] });
  await expect(readdir(facts)).rejects.toThrow("ENOENT");
});

test("it runs while another collector holds the store", async () => {
  const { directory, facts, upstream } = await startVendor();
  await run(directory);
  upstream.set("/plans", json(dearer()));
  const claim = await openStore(facts).claim();
  const { plans } = await findings(directory);
  const [first, second] = ["plans: studio monthly 12.5 → 13", "plans: studio price by the month 12.5 → 13"];
  expect(plans).toMatchObject({ result: "changed", difference: [first, second] });
  await claim?.release();
});

test("it shows first what is newer, then the file a source picked, and the skipped ones with reasons", async () => {
  const picked = "Studio-3.1.0.dmg of v3.1.0";
  const skipped = ["v3.2.0-beta.1: a prerelease"];
  const newer = "v3.1.1: no installer for macos";
  const source: Source = {
    kind: "shelf",
    names: ["release-macos"],
    fetch: async () => ({ upstream: vendorReleases().macos }),
    translate: (payload) => ({ payload, dropped: 0, picked, skipped, passedOver: [newer] }),
  };
  const store = openStore(await temporaryDirectory());
  const [finding] = await dryRun({
    sources: [source],
    facts: factsIn(store),
    ...partsOf({ guard: false }),
    signal: new AbortController().signal,
  });
  expect(finding).toMatchObject({ from: "shelf", result: "changed", picked, skipped });
  const lines = findingLines({ style: (_, text) => text }, finding!).split("\n");
  expect(lines[0]).toBe(`  ! macos     newer, passed over: ${newer}`);
  expect(lines.slice(2)).toEqual([
    `      picked ${picked}`,
    `      skipped ${skipped[0]}`,
    "      https://get.example.com/studio-macos.zip",
    "      88123904 bytes, 12 March 2026, changelog: - Opens faster.",
    "      macos 3.1.0, for the first time",
  ]);
});

test("it sends no conditional requests", async () => {
  const { directory, upstream } = await startVendor();
  upstream.set("/plans", json(vendorPlans(), { etag: '"a"' }));
  await run(directory);
  expect((await findings(directory)).plans).toMatchObject({ result: "confirmed", difference: [] });
  expect(upstream.requests.every(({ headers }) => headers["if-none-match"] === undefined)).toBe(true);
});

test("it names the dropped fields, cleaned and clipped, and never their values", async () => {
  const { directory, upstream } = await startVendor();
  const { plans, ...rest } = vendorPlans();
  const odd = `\u001b[31m${"x".repeat(200)}`;
  const [first, ...others] = plans;
  upstream.set("/plans", json({ ...rest, [odd]: "secret-1", plans: [{ ...first, cost: "secret-2" }, ...others] }));
  const { plans: finding } = await findings(directory);
  expect(finding.dropped).toBe(2);
  expect(finding.droppedFields.toSorted()).toEqual([`[31m${"x".repeat(76)}`, "plans[0].cost"]);
  expect(JSON.stringify(finding)).not.toContain("secret");
  const { stdout } = await run(directory, "--dry-run");
  expect(stdout).toMatch(/dropped 2 unlisted fields: .*plans\[0\]\.cost/);
});

test("it shows the answer of each source, to people and to programs", async () => {
  const { directory } = await startVendor();
  const { stdout } = await run(directory, "--dry-run");
  expect(stdout).toContain("\n      studio in EUR: 12.5 by the month, 120 by the year, monthly 12.5, yearly 120\n");
  const { plans, ...others } = await findings(directory);
  expect(plans.payload).toEqual(vendorPlans());
  expect(others["release-macos"].payload).toEqual(vendorReleases().macos);
});

describe("the guard's verdict", () => {
  test.runIf(isIn("guard"))("is shown with its reason, and is not counted as a sighting", async () => {
    const { directory, upstream } = await startVendor();
    await run(directory);
    upstream.set("/plans", json({ ...vendorPlans(), currency: "CHF" }));
    for (let count = 0; count < 2; count++) {
      const { code, plans } = await findings(directory);
      expect(code).toBe(4);
      expect(plans).toMatchObject({
        result: "held",
        reason: expect.stringMatching(/^the currency would change; publishes itself from .*\(so far 1\)/),
        sighting: 1,
        difference: ["plans: currency EUR → CHF"],
      });
    }
    const { code, plans } = await findings(directory, "--accept", "plans");
    expect([code, plans.result]).toEqual([0, "changed"]);
  });
});

test("as text, each snapshot gets a line with its changes below", async () => {
  const { directory, upstream } = await startVendor();
  await run(directory);
  upstream.set("/plans", json(dearer()));
  const { macos } = vendorReleases();
  upstream.set("/releases", json({ macos: { ...macos, latest: { ...macos.latest, version: "3.1.1" } }, windows: 7 }));
  const { code, stdout, stderr } = await typeInProcess(["collect", "--dry-run"], { directory });
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  expect(stdout).toMatch(
    /^ {2}✔ plans +would change +from json, \d+ ms\n(?: {6}.*\n)+ {6}plans: studio monthly 12\.5 → 13\n/,
  );
  expect(stdout).toMatch(/\n {2}✔ macos +would change .*\n(?: {6}.*\n)+ {6}macos 3\.1\.0 → 3\.1\.1\n/);
  expect(stdout).toMatch(/\n {2}✖ windows +failed: /);
});

test("an outage is a finding, not a crash; meaningless combinations of options are refused", async () => {
  const { directory, upstream } = await startVendor();
  upstream.set("/plans", status(403));
  expect((await findings(directory)).plans).toMatchObject({
    result: "failed",
    reason: 'answered 403: it asks for a token, which "headers" may send',
  });
  await expect(run(directory, "--dry-run", "--watch")).rejects.toThrow("--dry-run cannot be combined with --watch");
  await expect(run(directory, "--json")).rejects.toThrow("--json requires --dry-run");
});
