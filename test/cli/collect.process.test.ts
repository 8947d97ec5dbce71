// `vitrine collect` as an operator or a scheduler runs it: exit codes and a line for each source.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isIn } from "../support/program/feature.ts";
import { launchInProcess, typeInProcess } from "../support/program/in-process.ts";
import { launch, vitrine } from "../support/program/run.ts";
import { startVendor } from "../support/program/settings.ts";
import { body, json, stalledAfter, status } from "../support/collecting/upstream.ts";
import { vendorPlans } from "../support/collecting/vendor.ts";
import { pollUntil } from "../support/serving/server.ts";

const stalled = stalledAfter("");

const lines = (text: string) => text.split("\n").filter((line) => line !== "");

describe("vitrine collect (cli/commands/collect.ts)", () => {
  test("all sources succeed: a line for each and exit 0, also when nothing has changed", async () => {
    const { directory, facts } = await startVendor();
    const first = await typeInProcess(["collect"], { directory });
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(lines(first.stdout).toSorted()).toEqual([
      expect.stringMatching(/^ {2}✔ macos +3\.1\.0 +changed +[\d.]+ m?s$/),
      expect.stringMatching(/^ {2}✔ plans +2 plans, 2 cycles +changed +[\d.]+ m?s$/),
      expect.stringMatching(/^ {2}✔ windows +3\.1\.0 +changed +[\d.]+ m?s$/),
    ]);
    expect(await readdir(facts)).toEqual(expect.arrayContaining(["plans.json", "release-macos.json"]));
    const second = await typeInProcess(["collect"], { directory });
    expect(second.code).toBe(0);
    expect(lines(second.stdout).filter((line) => line.includes(" confirmed "))).toHaveLength(3);
  });
});

test("one source fails: exit 1, a line with the reason, and the others are published", async () => {
  const { upstream, directory, facts } = await startVendor();
  upstream.set("/plans", status(403));
  const { code, stdout, stderr } = await typeInProcess(["collect"], { directory });
  expect(code).toBe(1);
  expect(lines(stdout + stderr)).toHaveLength(3);
  expect(stdout + stderr).toMatch(
    /^ {2}✖ plans +failed: answered 403: it asks for a token, which "headers" may send; there is no snapshot of it yet$/m,
  );
  const published = (await readdir(facts)).filter((name) => /^[a-z-]+\.json$/.test(name) && name !== "last-run.json");
  expect(published.toSorted()).toEqual(["release-macos.json", "release-windows.json"]);
});

test("a second run does nothing and exits 75; SIGTERM ends the first, which publishes nothing", async () => {
  const { upstream, directory, facts } = await startVendor();
  for (const path of ["/plans", "/releases"]) upstream.set(path, stalled);
  const first = launch("vitrine", ["collect"], { directory });
  await upstream.requested(2);
  const before = await readdir(facts);
  const second = await typeInProcess(["collect"], { directory });
  expect(second.code).toBe(75);
  expect(lines(second.stdout + second.stderr)).toEqual([
    expect.stringContaining("another collector holds these snapshots; run skipped"),
  ]);
  expect([await readdir(facts), upstream.requests.length]).toEqual([before, 2]);

  const { code, stdout } = await first.stop("SIGTERM");
  expect(code).toBe(1);
  expect(lines(stdout)).toHaveLength(3);
  expect((await readdir(facts)).filter((name) => /^(plans|release)/.test(name))).toEqual([]);
});

test("a terminal shows the sources that have not answered yet, a log does not", async () => {
  const stalling = async (isScreen: boolean) => {
    const { upstream, directory } = await startVendor();
    upstream.set("/plans", stalled);
    return launchInProcess(["collect"], { directory, isScreen });
  };
  // The log begins first, so it has been silent for longer when the terminal says so.
  const [pipe, screen] = [await stalling(false), await stalling(true)];
  await pollUntil(
    async () => screen.output,
    ({ stdout, stderr }) => (stdout + stderr).includes("no answer"),
  );
  const [shown, logged] = [await screen.stop(), await pipe.stop()];
  expect(shown.stdout + shown.stderr).toMatch(/^ {2}no answer for 3\.0 s yet: plans$/m);
  expect(logged.stdout + logged.stderr).not.toContain("no answer");
});

describe("collect --watch", () => {
  test("continues after a failure, and a stop in the middle of a run leaves the snapshots alone", async () => {
    const { upstream, directory, facts } = await startVendor();
    upstream.set("/plans", status(403));
    const environment = { SCHEDULE: "* * * * * *", LOG_FORMAT: "text" };
    const watching = launchInProcess(["collect", "--watch"], { directory, environment });
    await watching.printed(/plans +failed: answered 403/);
    upstream.set("/plans", json(vendorPlans()));
    await watching.printed(/plans +2 plans.* changed/);
    const hanging = ["/plans", "/releases"].map(
      (path) => new Promise<void>((hang) => upstream.set(path, () => hang())),
    );
    await Promise.all(hanging);
    const snapshot = await readFile(join(facts, "plans.json"), "utf8");
    const warned = isIn("check") ? /^! schedule has six fields.*\n$/ : /^$/;
    expect(await watching.stop()).toMatchObject({ code: 0, stderr: expect.stringMatching(warned) });
    expect(await readFile(join(facts, "plans.json"), "utf8")).toBe(snapshot);
  });
});

test("Ctrl+C in the middle of the first run is a clean exit, too", async () => {
  const { upstream, directory } = await startVendor();
  for (const path of ["/plans", "/releases"]) upstream.set(path, stalled);
  const watching = launch("vitrine", ["collect", "--watch"], { directory });
  await upstream.requested(1);
  expect(await watching.stop("SIGINT")).toMatchObject({ code: 0, stderr: "" });
});

describe("a malicious upstream", () => {
  test("with hundreds of thousands of empty plans does not exhaust the memory", async () => {
    const { upstream, directory } = await startVendor();
    upstream.set("/plans", body(`{"currency":"EUR","cycles":[],"plans":[${"{},".repeat(300_000)}{}]}`));
    const environment = { NODE_OPTIONS: "--max-old-space-size=256" };
    const { code, stdout } = await vitrine(["collect"], { directory, environment });
    expect(code).toBe(1);
    expect(stdout).toMatch(/plans +failed: .{8,400}; there is no snapshot of it yet\n/);
    expect(stdout).toMatch(/windows +3\.1\.0 /);
  });
});
