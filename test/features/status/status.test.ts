// `status --url` of a hostile server: it can neither command the operator's terminal nor flood it.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { statusTable } from "../../../cli/features/status/status-table.ts";
import { offsetOf } from "../../../collector/run/schedule.ts";
import { runInProcess, typeInProcess } from "../../support/program/in-process.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { json, startUpstream } from "../../support/collecting/upstream.ts";
import { vendorRelease } from "../../support/collecting/vendor.ts";
import { sampleDirectory, startVendor } from "../../support/program/settings.ts";

const AT = "2026-11-05T10:00:00Z";
/** OSC 52, which sets the clipboard; a C1 control; a line to look like another one; hidden text. */
const NASTY = "a\u001b]52;c;eHl6enk=\u0007b\u009b2Jc\r\n✔ plans fresh\u202e\u{e0101}";

async function statusOf(plans: object, ...more: string[]) {
  const server = await startUpstream();
  server.set("/status", json({ snapshots: [{ name: "plans", state: "stale", freshUntil: AT, ...plans }] }));
  return typeInProcess(["status", "--url", server.origin, ...more], { directory: await temporaryDirectory() });
}

const HELD = { since: AT, sightings: 1, reasons: [NASTY], changes: [NASTY] };
const EVERYWHERE = { lastError: NASTY, damage: NASTY, held: HELD };

describe("vitrine status (cli/commands/status.ts)", () => {
  test.for([[[]], [["--json"]]])("texts are shown plainly, each on one line: %j", async ([words = []]) => {
    const { code, stdout, stderr } = await statusOf(EVERYWHERE, ...words);
    expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
    expect(stdout).not.toMatch(/[^\n\P{Cc}]|\\u|\u202e|\u{e0101}/u);
    expect(stdout.match(/a\]52;c;eHl6enk=b2Jc +✔ plans fresh/g)).toHaveLength(4);
    expect(stdout.split("\n").filter((line) => line.startsWith("✔"))).toEqual([]);
  });
});

test("a server without a status at this address is asked for by its base URL", async () => {
  const { origin } = await startUpstream();
  const { code, stderr } = await typeInProcess(["status", "--url", `${origin}/status`], {
    directory: await temporaryDirectory(),
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining("answered 404: give the base URL alone")]);
});

test("facts that could not be collected are not said to be uncollected", async () => {
  expect((await statusOf({ state: "missing" })).stdout).toContain("never collected: npm run collect");
  const { stdout } = await statusOf({ state: "missing", lastError: "answered 404" });
  expect(stdout).toContain("last collection failed: answered 404");
  expect(stdout).not.toContain("never collected");
});

test("texts have a length, and lists of them, too", async () => {
  const { stdout } = await statusOf({ lastError: "x".repeat(1_000_000), damage: "é\u0301".repeat(1_000_000) });
  expect(stdout.length).toBeLessThan(2_000);
  const many = await statusOf({ held: { ...HELD, reasons: Array.from({ length: 10_000 }, () => "x") } });
  expect(many).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("is not the status of a Vitrine"),
  });
});

test.for([{ changedAt: NASTY }, { confirmedAt: "soon" }, { freshUntil: "1" }, { revision: NASTY }, { state: NASTY }])(
  "what cannot be a status is refused: %j",
  async (fields) => {
    const { code, stdout, stderr } = await statusOf(fields);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^✖ http:\/\/127\.0\.0\.1:\d+: the answer is not the status of a Vitrine server\n?$/);
  },
);

test("an older snapshot that the server refuses is named, and its facts are fresh", async () => {
  const refused = "in the store was confirmed at 2026-11-05T09:00:00.000Z, before the one in memory";
  const { code, stdout } = await statusOf({ state: "fresh", freshUntil: "2999-01-01T00:00:00Z", refused });
  expect([code, stdout.replace(/\s+/g, " ")]).toEqual([0, expect.stringContaining(`an older one ${refused}`)]);
});

test("the age of a release is shown from a year on, if its date is one", async () => {
  const { directory, upstream } = await startVendor();
  const ago = (years: number) => new Date(Date.now() - years * 365.3 * 86_400_000).toISOString();
  const dates: [date: string, age: string | undefined][] = [
    [ago(5.5), "released 5 years ago"],
    [ago(1).slice(0, 10), "released 1 year ago"],
    [ago(0.99), undefined],
    [ago(-3), undefined],
    ["1 March 2020", undefined],
    ["2020-02-30", undefined],
    ["", undefined],
  ];
  for (const [date, age] of dates) {
    const { latest, ...release } = vendorRelease("macos");
    upstream.set(
      "/releases",
      json({ macos: { ...release, latest: { ...latest, date } }, windows: { hasUpdate: false } }),
    );
    await runInProcess(["collect"], directory);
    const { stdout } = await runInProcess(["status"], directory);
    expect([date, /released .* ago/.exec(stdout)?.[0]]).toEqual([date, age]);
  }
});

test("the next collection is that of the settings' earliest schedule", async () => {
  const { directory } = await startVendor();
  const settings = JSON.parse(await readFile(join(directory, "vitrine.config.json"), "utf8"));
  const write = (schedule: string, own: string) =>
    writeFile(
      join(directory, "vitrine.config.json"),
      JSON.stringify({ ...settings, schedule, plans: { ...settings.plans, schedule: own } }),
    );
  const statusNow = async (...words: string[]) => (await runInProcess(["status", ...words], directory)).stdout;
  const offset = offsetOf(settings.product ?? settings.api.name);
  for (const [schedule, own] of [
    ["0 0 1 1 *", "30 12 * * *"],
    ["30 12 * * *", "0 0 1 1 *"],
  ] as const) {
    await write(schedule, own);
    const { nextCollection } = JSON.parse(await statusNow("--json"));
    const slot = new Date(Date.parse(nextCollection) - offset).toISOString();
    expect(slot).toMatch(/T(12:30|00:00):00\.000Z$/);
    expect(Date.parse(nextCollection) - Date.now()).toBeLessThanOrEqual(24 * 60 * 60_000);
    const time = nextCollection.slice(0, 19).replace("T", " ");
    expect(await statusNow()).toMatch(`, at ${time} UTC\n`);
  }
});

test("status exits with 3 while a snapshot is missing or stale, and with 0 when all are fresh", async () => {
  const directory = await sampleDirectory();
  const missing = await typeInProcess(["status", "--json"], { directory });
  expect(missing.code).toBe(3);
  const states = JSON.parse(missing.stdout).snapshots.map(({ state }: { state: string }) => state);
  expect(states).toEqual(["missing", "missing", "missing"]);
  await typeInProcess(["collect"], { directory });
  expect((await typeInProcess(["status"], { directory })).code).toBe(0);
  await writeFile(join(directory, "snapshots/data/last-run.json"), "{");
  const unknown = await typeInProcess(["status"], { directory });
  expect(unknown).toMatchObject({ code: 0, stderr: expect.stringContaining("last-run.json cannot be read") });
  await typeInProcess(["collect", "--stale-after", "1s"], { directory });
  await expect.poll(async () => (await typeInProcess(["status"], { directory })).code, { timeout: 10_000 }).toBe(3);
  expect((await typeInProcess(["status"], { directory })).stdout).toMatch(/stale for \d+ s/);
});

const NOW = new Date().toISOString();

test("a held fact is not to be accepted while its source fails", () => {
  const held = { since: NOW, sightings: 1, reasons: ["the version would go back"] };
  const tableAfter = (result: "held" | "failed") => {
    const lastOutcome = { result, finishedAt: NOW };
    return statusTable({ style: (_, text) => text, width: 80 }, [{ name: "plans", state: "fresh", held, lastOutcome }]);
  };
  expect(tableAfter("held")).toContain("--accept plans");
  expect(tableAfter("failed")).toContain("held back: the version would go back");
  expect(tableAfter("failed")).not.toContain("--accept");
});

test.for([200, 80, 60, 40, 24])("status fits a terminal of %i columns, but for a command to copy", (width) => {
  const ago = { confirmedAt: NOW, changedAt: "2026-01-01T00:00:00Z", freshUntil: NOW, revision: 12_345 };
  const outcome = { result: "confirmed" as const, finishedAt: NOW };
  const lastError = `the answer ${"is not what it was ".repeat(9)}${"x".repeat(90)}`;
  const held = { since: NOW, sightings: 2, reasons: ["the currency would change"], changes: ["Pro ".repeat(30)] };
  const table = statusTable({ style: (_, text) => text, width }, [
    { name: "plans", state: "fresh", ...ago, lastOutcome: outcome, held },
    { name: "release-macos", state: "stale", ...ago, lastOutcome: { ...outcome, result: "failed" }, lastError },
    { name: "release-windows", state: "missing" },
  ]);
  const lines = table.split("\n").filter((line) => !line.includes("npm run"));
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
  expect(table).toMatch(/^ {6}if it is right, publish it at once: npm run collect -- --accept plans$/m);
  expect(table).toMatch(/^ +snapshot +state/);
  expect(lines[0]?.includes("last collection")).toBe(width >= 80);
  expect(table.includes("12345")).toBe(width === 200);
});
