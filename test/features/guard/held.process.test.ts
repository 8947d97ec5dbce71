// The guard as an operator sees it: a line, an exit code, `status`, and `--accept`.
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { collected } from "../../../cli/output/log.ts";
import { startCollector } from "../../support/collecting/collector.ts";
import { isIn } from "../../support/program/feature.ts";
import { startInProcess, typeInProcess } from "../../support/program/in-process.ts";
import { startProgram } from "../../support/program/program.ts";
import { startVendor } from "../../support/program/settings.ts";
import { json, status, type Upstream } from "../../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../../support/collecting/vendor.ts";
import { pollUntil } from "../../support/serving/server.ts";

/** Publishes facts, then makes the upstream change the currency and drop a release. */
async function startAccident(settings: object = {}) {
  const vendor = await startVendor();
  const file = join(vendor.directory, "vitrine.config.json");
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, "utf8")), ...settings }));
  await typeInProcess(["collect"], vendor);
  accident(vendor.upstream);
  return vendor;
}

function accident(upstream: Upstream): void {
  upstream.set("/plans", json({ ...vendorPlans(), currency: "CHF" }));
  upstream.set("/releases", json({ ...vendorReleases(), macos: { hasUpdate: false } }));
}

describe("collect (collector/features/guard/guard.ts)", () => {
  test("reports held snapshots with reasons and exits 4, or 1 if another one failed", async () => {
    const { upstream, directory, facts } = await startAccident();
    const held = await typeInProcess(["collect"], { directory });
    expect(held).toMatchObject({ code: 4, stderr: "" });
    expect(held.stdout).toMatch(
      /^ {2}! plans +held: the currency would change \(currency EUR → CHF\); publishes itself from .*; its last snapshot is kept and ages; if it is right, publish it at once: .*collect (-- )?--accept plans$/m,
    );
    expect(held.stdout).toMatch(/^ {2}! macos +held: the release would vanish \(macos 3\.1\.0 → no release\); .*$/m);
    expect(held.stdout).toMatch(/^ {2}✔ windows +3\.1\.0 +confirmed /m);
    expect(JSON.parse(await readFile(join(facts, "last-run.json"), "utf8"))).toMatchObject({
      outcomes: expect.arrayContaining([
        expect.objectContaining({
          name: "plans",
          result: "held",
          reason: expect.stringContaining("currency would change"),
        }),
      ]),
    });
    upstream.set("/releases", status(403));
    const failed = await typeInProcess(["collect"], { directory });
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/plans +held: .*\(so far 2\)/);
  });

  test.runIf(isIn("warnings"))(
    "says what is wrong with a held price, in text and JSON, and ends with the command",
    async () => {
      const { upstream, directory } = await startVendor();
      await typeInProcess(["collect"], { directory });
      const { plans, ...rest } = vendorPlans();
      const parted = json({ ...rest, plans: plans.map((plan) => ({ ...plan, monthlyPrice: 15 })) });
      upstream.set("/plans", parted);
      const warning = 'plan "studio": monthlyPrice differs from the price of the cycle of 1 month: edit both';
      const { code, stdout } = await typeInProcess(["collect"], { directory });
      expect({ code, stdout }).toEqual({ code: 4, stdout: expect.stringContaining(warning) });
      expect(stdout).toMatch(/plans +held: a price would .*; plan "studio": .*: edit both; .* --accept plans$/m);

      const collector = await startCollector();
      const guard = { confirm: 3, over: 3_600_000, releaseOver: 3_600_000, priceFactor: 5, off: [] };
      await collector.run({ guard });
      collector.upstream.set("/plans", parted);
      const { plans: held } = await collector.run({ guard });
      const { fields } = collected(held!);
      expect(fields).toMatchObject({ result: "held", notes: expect.arrayContaining([warning]) });
    },
  );

  test("--accept publishes the named snapshots at once and holds the rest", async () => {
    const { directory } = await startAccident();
    const one = await typeInProcess(["collect", "--accept", "macos"], { directory });
    expect(one.code).toBe(4);
    expect(one.stdout).toMatch(/macos +no release +changed .*accepted/);
    expect(one.stdout).toMatch(/plans +held/);
    const all = await typeInProcess(["collect", "--accept", "all"], { directory });
    expect(all.code).toBe(0);
    expect(all.stdout).toMatch(/plans +2 plans, 2 cycles +changed .*accepted/);
    expect(all.stderr).toBe("");
    const none = await typeInProcess(["collect", "--accept", "all"], { directory });
    expect(none).toMatchObject({ code: 0, stderr: expect.stringContaining("nothing is held so far") });
  });

  test("with guard: false holds nothing", async () => {
    const { directory } = await startAccident({ guard: false });
    expect((await typeInProcess(["collect"], { directory })).code).toBe(0);
  });
});

test("--now and --accept refuse what they cannot do", async () => {
  const { directory } = await startVendor();
  expect((await typeInProcess(["collect", "--watch", "--accept", "all"], { directory })).code).toBe(2);
  const typo = await typeInProcess(["collect", "--now", "macso"], { directory });
  expect(typo).toMatchObject({ code: 2, stdout: "" });
  expect(typo.stderr).toContain('"macso" is not one of plans, macos, windows, all; did you mean macos?');
  expect((await typeInProcess(["collect", "--watch", "--now", "all"], { directory })).code).toBe(2);
  if (!isIn("dry-run")) return;
  const dry = await typeInProcess(["collect", "--dry-run", "--now", "all"], { directory });
  expect(dry).toMatchObject({ code: 2, stdout: "" });
  expect(dry.stderr).toContain("--now cannot be combined with --dry-run, which always asks");
});

test.runIf(isIn("status"))(
  "status shows held candidates with reasons, sightings and changes, and exits 4",
  async () => {
    const { directory } = await startAccident();
    await typeInProcess(["collect"], { directory });
    const shown = await typeInProcess(["status"], { directory });
    expect(shown.code).toBe(4);
    expect(shown.stdout).toMatch(
      /! plans +fresh .*\n +held back: the currency would change \(seen once, first \d+ s ago\)/,
    );
    expect(shown.stdout).toMatch(
      /\n +plans: currency EUR → CHF\n +publishes itself from [^!]*\n +if it is right, publish it at once: .*collect (-- )?--accept plans.*\n/,
    );
    expect(shown.stdout).toMatch(/\n +macos 3\.1\.0 → no release\n/);
    const { stdout } = await typeInProcess(["status", "--json"], { directory });
    const [plans, , windows] = JSON.parse(stdout).snapshots;
    expect(plans.held).toMatchObject({ sightings: 1, reasons: ["the currency would change"] });
    expect(windows).not.toHaveProperty("held");
    await typeInProcess(["collect", "--accept", "all"], { directory });
    expect(await typeInProcess(["status"], { directory })).toMatchObject({ code: 0 });
  },
);

test("the server reports that a snapshot is held and why, never the candidate; clients get the published facts", async () => {
  const { directory } = await startAccident();
  expect((await typeInProcess(["collect"], { directory })).code).toBe(4);
  const { base, get } = await startProgram(["serve"], { directory });
  if (isIn("probes")) {
    const answer = await get("/status");
    const [plans] = (answer.json() as { snapshots: object[] }).snapshots;
    expect(plans).toMatchObject({ state: "fresh", held: { sightings: 1, reasons: ["the currency would change"] } });
  }
  for (const path of ["/status", "/api/v1/plans", "/"]) expect((await get(path)).text).not.toContain("CHF");
  expect((await get("/api/v1/plans")).json()).toEqual(vendorPlans());
  if (!isIn("probes", "status")) return;
  const asked = await typeInProcess(["status", "--url", base], { directory });
  expect(asked.code).toBe(4);
  expect(asked.stdout).toContain("held back: the currency would change");
});

test("a store that is emptied under a running start keeps its accident to itself, until nothing is left to compare with", async () => {
  const held =
    /held: the currency would change .*; the store has no readable snapshot of it; if it is right, publish it at once: .*collect (-- )?--accept plans$/m;
  const { directory, facts, upstream } = await startVendor();
  const file = join(directory, "vitrine.config.json");
  const settings = { ...JSON.parse(await readFile(file, "utf8")), schedule: "* * * * * *" };
  await writeFile(file, JSON.stringify(settings));
  const program = await startInProcess(["start"], { directory });
  upstream.set("/plans", json({ ...vendorPlans(), currency: "CHF" }));
  const printed = (pattern: RegExp) =>
    pollUntil(
      async () => program.output(),
      (lines) => pattern.test(lines),
    );
  await printed(/plans +held: /);
  await rm(facts, { recursive: true, maxRetries: 20, retryDelay: 20 });
  await printed(held);
  expect((await program.get("/api/v1/plans")).json()).toEqual(vendorPlans());
  expect(await program.stop()).toBe(0);
  // Also for a collector alone.
  expect((await typeInProcess(["collect"], { directory })).code).toBe(4);
  if (isIn("status")) {
    expect((await typeInProcess(["status"], { directory })).stdout).not.toMatch(/plans[^]*never collected[^]*macos/);
  }
  const warned = isIn("check") ? /^! schedule has six fields.*\n$/ : /^$/;
  await rm(facts, { recursive: true });
  const alone = await typeInProcess(["collect"], { directory });
  expect(alone).toMatchObject({ code: 0, stderr: expect.stringMatching(warned) });
  expect(alone.stdout).toMatch(/plans .* changed +[\d.]+ m?s$/m);
});
