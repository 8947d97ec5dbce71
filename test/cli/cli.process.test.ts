// The command line as an operator types it: refusals, output on stdout and stderr, and exit codes.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openLog } from "../../cli/output/log.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { isIn } from "../support/program/feature.ts";
import { runInProcess, startInProcess, typeInProcess } from "../support/program/in-process.ts";
import { PROGRAM, startProgram } from "../support/program/program.ts";
import { sampleDirectory, writeSamples } from "../support/program/settings.ts";
import { freePort } from "../support/port.ts";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { ask, startServer } from "../support/serving/server.ts";

async function busyPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe("a mistake on the command line exits with 2 and a hint (cli/invoke.ts)", () => {
  test.for([
    [["frobnicate"], 'unknown command "frobnicate" (see --help)'],
    [["sk_live_1234567"], "unknown command (see --help)"],
    [["serve", "--watch"], 'unknown option "--watch"; collect has it (see '],
    [["collect", "--snapshots", "--watch"], "option --snapshots needs a value: --snapshots WHERE (see "],
    [["serve", "now"], "unexpected argument: serve takes none (see "],
    [["serve", "--port"], "--port needs a value"],
    [["--watch", "collect"], "the command comes first: npm run collect -- [options]"],
    [["--port", "8080", "serve"], "the command comes first: npm run serve -- [options]"],
    [["--config", "serve", "constructor"], "unexpected argument: start takes none (see "],
    [["collect", "--watch=yes"], "--watch takes no value"],
    [["serve", "--config", "nowhere.json"], "nowhere.json has 1 problem"],
    [["--port", "70000"], "the command line or the environment has 1 problem"],
    [["serve", "--port", "70000"], "use a whole number from 0 to 65535 (got 70000), given as --port"],
  ] as const)("%j", async ([args, hint]) => {
    const { code, stdout, stderr } = await typeInProcess([...args], { directory: await temporaryDirectory() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(hint);
  });
});

test.for(["help serve", "--help serve", "serve --help", "-h serve"])("%s lists the options of serve", async (words) => {
  const { code, stdout } = await typeInProcess(words.split(" "), { directory: await temporaryDirectory() });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^npm run serve: .*\n\n {2}--config FILE/),
  });
});

test("help alone lists the commands", async () => {
  const { stdout } = await typeInProcess(["help"], { directory: await temporaryDirectory() });
  expect(stdout).toMatch(/Usage: .*[^]*\n {2}collect +collect once/);
});

test.for<[contents: string, mistake: string]>([
  ["{\n  'a': 1\n}", "line 2: not valid JSON; names and texts need double quotes"],
  ["{\n  a: 1\n}", "line 2: not valid JSON; names and texts need double quotes"],
  ['{\n  "a": "x,\n}', "line 2: not valid JSON; a text does not end in its line; close it with a double quote"],
  ['{\n  "a": 1\n  "b": 2\n}', "line 3: not valid JSON; a comma is missing between two entries"],
  ['{\n  "a" 1\n}', "line 2: not valid JSON; a colon is missing behind a name"],
  ['{\n  "a":,\n}', "line 2: not valid JSON; a value is missing"],
  ['{\n  "a": "C:\\data"\n}', "line 2: not valid JSON; a text has a single backslash; write two"],
  ['{\n  "a": {\n    "b": [1, 2]\n  ', "line 4: not valid JSON; the bracket of line 2 is not closed"],
  ['{\n  "a": 1\n}\n}', "line 4: not valid JSON; remove what follows the end"],
  ['{\n  "a": 1\n} x', "line 3: not valid JSON; remove what follows the end"],
  ['{\n  "a": 1 /* x\n}', "line 2: not valid JSON; a comment does not end; close it with */"],
  [
    '{\n  "a": 1,\n  "b": { "a": 1 },\n  "a": 2\n}',
    'line 4: the key "a" occurs twice in one object; remove one of them',
  ],
  ['{\n  "__proto__": {}\n}', 'line 2: the key "__proto__" is not allowed'],
  ["[".repeat(100_000), "JSON of more than 200 levels"],
  ["// nothing", "line 1: not valid JSON; a value is missing"],
  ["[]", "must be a JSON object"],
])("a mistake in the settings file is named with its line: %j", async ([contents, mistake]) => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "vitrine.config.json"), contents);
  await expect(runInProcess(["serve"], directory)).rejects.toThrow(`vitrine.config.json: ${mistake}`);
});

test("settings that are a directory are named with the flag or variable that names them", async () => {
  const directory = await temporaryDirectory();
  const told = (words: string[], environment = {}) =>
    runInProcess(["serve", ...words], directory, environment).then(undefined, (error: Error) => error.message);
  expect(await told(["--config", "."])).toMatch(/is a directory, .*: name a file with --config$/);
  expect(await told([], { VITRINE_CONFIG: "." })).toMatch(/is a directory, .*: name a file with VITRINE_CONFIG$/);
  await mkdir(join(directory, "vitrine.config.json"));
  expect(await told([])).toMatch(/is a directory, .*: remove it, and write the file$/);
});

test.runIf(isIn("check"))("a flag beats the environment, which beats the file, which beats the default", async () => {
  const directory = await sampleDirectory();
  const path = join(directory, "vitrine.config.json");
  await writeFile(path, (await readFile(path, "utf8")).replace('"24h"', '"3h"'));
  const environment = { PORT: "4001", HOST: "127.0.0.2" };
  const { code, stdout } = await typeInProcess(["check", "--all", "--host", "127.0.0.3"], { directory, environment });
  expect(code).toBe(0);
  expect(stdout).toMatch(/host +127\.0\.0\.3 +flag/);
  expect(stdout).toMatch(/port +4001 +environment PORT/);
  expect(stdout).toMatch(/staleAfter +3h +file/);
  expect(stdout).toMatch(/snapshots +\S+snapshots\/data +default/);
});

test.for([
  [undefined, "u{"],
  ["text", "u!"],
  ["json", "{{"],
] as const)(
  "with a terminal on stdout alone, each stream of a log with the format %s has its own",
  ([format, firsts]) => {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const isScreen = { out: true, err: false };
    const log = openLog({ out: print, err: print, isScreen, width: 80, style: (_, text) => text }, format);
    log.out({ event: "serving", level: "info", text: "up", fields: {} });
    log.warn("odd");
    expect(lines.map((line) => line[0]).join("")).toBe(firsts);
  },
);

test("a place that cannot be listened on is one line with the remedy, and exit code 1", async () => {
  const port = await busyPort();
  // 192.0.2.0/24 is for documentation only.
  const REFUSED: [words: string, line: RegExp][] = [
    [
      `serve --port ${port}`,
      /cannot serve on 127\.0\.0\.1:\d+: the port is in use; .* another port: .*serve (-- )?--port \d+\n/,
    ],
    [`start --port ${port}`, /the port is in use; .* another port: .*start (-- )?--port \d+\n/],
    ["serve --host 192.0.2.1", /192\.0\.2\.1:3000: this machine does not have that address; use one of .*127\.0\.0\.1/],
    ["serve --port 6000", /127\.0\.0\.1:6000: browsers refuse this port/],
  ];
  for (const [words, line] of REFUSED) {
    const typed = { directory: await temporaryDirectory(), environment: { LOG_FORMAT: "text" } };
    const { code, stderr } = await typeInProcess([...words.split(" "), "--demo"], typed);
    expect({ words, code, lines: stderr.trim().split("\n").length }).toEqual({ words, code: 1, lines: 1 });
    expect(stderr).toMatch(line);
  }
});

test("a server that cannot listen has asked nothing of its store, which closes", async () => {
  const { port } = await startServer();
  const store = openStore(await temporaryDirectory());
  const asked: string[] = [];
  const noted = { ...store, get: (key: string) => (asked.push(key), store.get(key)) };
  await expect(startServer({ port, store: noted })).rejects.toThrow("the port is in use");
  expect(asked).toEqual([]);
});

test("a port that needs a privilege is refused with the remedy", async ({ skip }) => {
  const dropped = ["--bounding-set=-net_bind_service", process.execPath, "-e"];
  const probe =
    'require("net").createServer().on("error", ({ code }) => console.log(code)).listen(81, () => process.exit())';
  const { stdout } = spawnSync("setpriv", [...dropped, probe], { encoding: "utf8" });
  if (stdout !== "EACCES\n") skip("this system gives the privilege to everybody, or has no setpriv");
  const words = [...dropped.slice(0, -1), ...PROGRAM, "serve", "--demo", "--port", "81"];
  const { status, stderr } = spawnSync("setpriv", words, {
    cwd: await temporaryDirectory(),
    env: { PATH: process.env.PATH },
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toContain("127.0.0.1:81: ports below 1024 need a privilege; choose a higher one");
});

test("serve fetches nothing: it answers 502 before a collection, and with the facts after one", async () => {
  const directory = await sampleDirectory();
  // A process, because it compresses its documents on the threads that look up names for `status`.
  const { get, base } = await startProgram(["serve"], { directory });
  expect((await get("/api/v1/plans")).status).toBe(502);
  const status = isIn("status", "probes") ? ["status", "--url", base] : undefined;
  if (status) expect((await typeInProcess(status, { directory })).code).toBe(3);
  await typeInProcess(["collect"], { directory });
  await expect.poll(async () => (await get("/api/v1/plans")).status).toBe(200);
  // It sees one fact after the other.
  if (status) await expect.poll(async () => (await typeInProcess(status, { directory })).code).toBe(0);
});

test("the demo is announced, and keeps its snapshots apart from the vendor's", async () => {
  const directory = await temporaryDirectory();
  const { get, output } = await startInProcess(["start"], { directory });
  expect(output()).toContain("demo product, no settings read");
  // The addresses wait for the first run, but for 2 s only.
  await expect.poll(async () => (await get("/api/v1/plans")).status, { timeout: 10_000 }).toBe(200);
  await writeSamples(directory);
  const vendor = await startInProcess(["serve"], { directory });
  expect((await vendor.get("/api/v1/plans")).status).toBe(502);
});

test.runIf(isIn("status"))("the settings locate the snapshots from any working directory", async () => {
  const directory = await sampleDirectory();
  await typeInProcess(["collect"], { directory });
  const config = join(directory, "vitrine.config.json");
  expect((await typeInProcess(["status", "--config", config], { directory: await temporaryDirectory() })).code).toBe(0);
});

test("a log that cannot be written does not stop the server", async ({ skip }) => {
  if (!existsSync("/dev/full")) skip("/dev/full is not on this system");
  const port = await freePort();
  const log = openSync("/dev/full", "w");
  const args = [...PROGRAM, "start", "--port", String(port)];
  const child = spawn(process.execPath, args, {
    cwd: await temporaryDirectory(),
    stdio: ["ignore", log, log],
    env: { PATH: process.env.PATH },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await expect
    .poll(async () => (await ask(port, "/healthz").catch(() => undefined))?.status, { timeout: 10_000 })
    .toBe(200);
  await expect.poll(async () => (await ask(port, "/api/v1/plans")).status, { timeout: 10_000 }).toBe(200);
  child.kill("SIGTERM");
  expect((await once(child, "exit"))[0]).toBe(0);
});
