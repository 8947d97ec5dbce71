// The program in front of the snapshots of another server: it follows them over TLS, shows no secret, and never collects.
import { expect, test } from "vitest";
import { encodeSnapshot } from "../../../snapshots/snapshot.ts";
import { isIn } from "../../support/program/feature.ts";
import { selfSigned } from "../../support/certificate.ts";
import { body, startUpstream, status } from "../../support/collecting/upstream.ts";
import { runInProcess } from "../../support/program/in-process.ts";
import { isOffered } from "../../support/program/offered.ts";
import { startProgram } from "../../support/program/program.ts";
import { settingsDirectory } from "../../support/program/settings.ts";
import { FACTS } from "../../support/serving/prepared-targets.ts";
import { allSnapshots, isOk, pollUntil } from "../../support/serving/server.ts";
import { plansSnapshot } from "../../support/snapshot.ts";

const DAY = 24 * 60 * 60_000;
const PASSWORD = "xyzzy-0815";
/** Never asked. */
const SOURCES = {
  plans: { from: "json", url: "https://vendor.example/plans" },
  releases: { from: "json", url: "https://vendor.example/releases" },
};

test("serves them and offers them to others, without sources in the settings", async ({ skip }) => {
  const tls = await selfSigned(["localhost"]);
  if (!tls) return skip();
  const host = await startUpstream({ tls });
  const confirmedAt = Date.now() - DAY / 4;
  for (const snapshot of allSnapshots({ confirmedAt }))
    host.set(`/snapshots/${snapshot.name}.json`, body(encodeSnapshot(snapshot)));
  const directory = await settingsDirectory({ share: true });
  const environment = {
    SNAPSHOTS: `https://me:${PASSWORD}@localhost:${host.port}/snapshots`,
    NODE_EXTRA_CA_CERTS: tls.path,
  };
  const program = await startProgram(["serve"], { directory, environment });
  for (const target of FACTS) {
    await pollUntil(() => program.get(target), isOk);
  }
  expect((await program.get("/snapshots/plans.json")).bytes).toEqual(
    Buffer.from(encodeSnapshot(plansSnapshot({ confirmedAt }))),
  );
  expect(host.requests[0]?.headers.authorization).toBe(`Basic ${btoa(`me:${PASSWORD}`)}`);
  program.signal("SIGTERM");
  expect(await program.exited).toBe(0);
  expect(program.errors() + program.output()).not.toMatch(PASSWORD);
  expect(program.errors()).not.toContain("not fresh");
});

test.for([
  ["with sources that it does not ask", { plans: { from: "file", path: "nowhere.json" }, releases: { from: "none" } }],
  ["without sources", {}],
] as const)("is checked and shown as a store that can be read; its history is elsewhere: %s", async ([, settings]) => {
  const host = await startUpstream();
  for (const snapshot of allSnapshots()) host.set(`/snapshots/${snapshot.name}.json`, body(encodeSnapshot(snapshot)));
  const directory = await settingsDirectory(settings);
  const SNAPSHOTS = host.url("/snapshots/");
  const run = (words: string) => runInProcess(words.split(" "), directory, { SNAPSHOTS });
  if (isIn("check")) {
    const checked = await run("check");
    expect(checked.stdout).toMatch(/^ {2}snapshots: may be followed$/m);
    expect(checked).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/✔ ready: npm run serve$/m) });
  }
  if (isIn("history")) {
    await expect(run("history")).rejects.toThrow("the followed server offers no history here: see its feeds");
  }
  if (!isIn("status")) return;
  const { code, stdout } = await run("status --json");
  expect(JSON.parse(stdout)).toMatchObject({
    store: { kind: "http", location: SNAPSHOTS },
    snapshots: [{ state: "stale", revision: 1 }, { state: "stale" }, { state: "stale" }],
  });
  expect(code).toBe(3);
  expect(stdout + (await run("status")).stdout).not.toMatch(/nextCollection|collects again/);
});

test.runIf(isIn("status"))(
  "status shows the snapshots that it can read beside one that is stale or missing there",
  async () => {
    const host = await startUpstream();
    for (const snapshot of allSnapshots()) host.set(`/snapshots/${snapshot.name}.json`, body(encodeSnapshot(snapshot)));
    host.set("/snapshots/release-macos.json", status(502));
    const directory = await settingsDirectory({});
    const run = (words: string) =>
      runInProcess(words.split(" "), directory, { SNAPSHOTS: host.url("/snapshots/"), COLUMNS: "200" });
    const reason = "this snapshot is stale or missing there (HTTP 502)";
    const shown = await run("status");
    expect(shown).toMatchObject({ code: 3, stderr: "" });
    expect(shown.stdout).toMatch(/^ {2}✖ plans +stale/m);
    expect(shown.stdout.replaceAll(/\s+/g, " ")).toContain(`${reason}: see its status ✖ windows stale`);
    expect(JSON.parse((await run("status --json")).stdout)).toMatchObject({
      snapshots: [{ revision: 1 }, { state: "missing", unreachable: expect.stringContaining(reason) }, { revision: 1 }],
    });
  },
);

test.runIf(isIn("status"))("status is one line when all of them are away", async () => {
  const host = await startUpstream();
  for (const { name } of allSnapshots()) host.set(`/snapshots/${name}.json`, status(429));
  const shown = runInProcess(["status"], await settingsDirectory({}), { SNAPSHOTS: host.url("/snapshots/") });
  await expect(shown).rejects.toThrow("gets too many requests (HTTP 429): raise its limit");
});

test.for(["collect", "collect --watch", "collect --dry-run", "start", "mcp --collect"].filter(isOffered))(
  "never collects: %s",
  async (words) => {
    const directory = await settingsDirectory(SOURCES);
    const environment = { SNAPSHOTS: `https://me:${PASSWORD}@vendor.example/snapshots/` };
    const refusal = runInProcess(words.split(" "), directory, environment);
    await expect(refusal).rejects.toMatchObject({
      name: "SettingsProblems",
      problems: [
        expect.stringMatching(/^snapshots {3}belongs to another server, which collects; follow it here: .*\bserve$/),
      ],
    });
  },
);
