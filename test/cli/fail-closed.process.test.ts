// Settings that would fail open are refused with exit code 2 and the remedy: a wrong host, missing settings, a foreign folder, or an
// environment that was meant for another program.
import { randomUUID } from "node:crypto";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serving } from "../../cli/output/log.ts";
import { configure } from "../../cli/settings/configure.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { isIn } from "../support/program/feature.ts";
import { runInProcess, startInProcess, typeInProcess } from "../support/program/in-process.ts";
import { isOffered } from "../support/program/offered.ts";

type Environment = Record<string, string>;

/** The command's settings are refused before it does anything. */
const refused = (words: string, directory: string, environment: Environment = {}) =>
  expect(runInProcess(words.split(" "), directory, environment), words).rejects;

const EVERY_COMMAND =
  "start,serve,mcp,mcp --collect,collect,collect --watch,collect --dry-run,check,status,history,diff"
    .split(",")
    .filter(isOffered);

describe("without settings (cli/settings/configure.ts)", () => {
  test.for(EVERY_COMMAND.filter((words) => words !== "start"))("%s shows no demo unasked", async (words) => {
    const directory = await temporaryDirectory();
    await refused(words, directory).toThrow(`there is no such file in ${directory}: name it with --config FILE`);
    await refused(words, directory, { VITRINE_CONFIG: "" }).toThrow("or ask for the demo product with --demo");
  });

  test.for<[sign: string, words: string, environment: Environment]>([
    ["host is 0.0.0.0", "start", { HOST: "0.0.0.0" }],
    ["host is ::", "start --host ::", {}],
    ["host is 192.0.2.1", "start", { HOST: "192.0.2.1" }],
    ["a public base URL is set", "start", { BASE_URL: "https://api.acme.example" }],
    ["a public base URL is set", "start --base-url https://api.acme.example", {}],
    ["NODE_ENV is production", "start", { NODE_ENV: "production" }],
    ["the place of the snapshots is given", "start", { SNAPSHOTS: "/nowhere" }],
    ["a socket was passed on by a supervisor", "start", { LISTEN_FDS: "1" }],
  ])("start shows no demo if %s", async ([sign, words, environment]) => {
    await refused(words, await temporaryDirectory(), environment).toThrow(`not shown unasked because ${sign}`);
  });

  test.runIf(isIn("check"))("the demo that was asked for is checked in production, too", async () => {
    const environment = { NODE_ENV: "production", HOST: "0.0.0.0", BASE_URL: "https://demo.acme.example" };
    expect(await runInProcess(["check", "--demo"], await temporaryDirectory(), environment)).toMatchObject({ code: 0 });
  });

  test("the exit code is 2, and nothing is written", async () => {
    const directory = await temporaryDirectory();
    const { code, stdout, stderr } = await typeInProcess(["collect"], { directory });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^✖ vitrine\.config\.json has 1 problem\n {2}there is no such file in .*\n$/);
  });
});

describe("in a foreign folder", () => {
  test.for<[what: string, message: string, prepare: (path: string) => Promise<unknown>]>([
    ["that has a directory for a file", "is a directory", (path) => mkdir(path)],
    ["that has a dangling link", "there is no such file", (path) => symlink("/nowhere/vitrine.json", path)],
    ["that has an empty file", isIn("check") ? "is empty" : "not valid JSON", (path) => writeFile(path, "")],
    ["that has a list", "must be a JSON object", (path) => writeFile(path, "[]")],
    ["that has settings of another program", "unknown setting", (path) => writeFile(path, '{ "compilerOptions": {} }')],
    ["that has no sources", "plans", (path) => writeFile(path, "{}")],
  ])("%s, every command refuses", async ([, message, prepare]) => {
    const directory = await temporaryDirectory();
    await prepare(join(directory, "vitrine.config.json"));
    const environment = { NODE_ENV: "production" };
    for (const words of EVERY_COMMAND) await refused(words, directory, environment).toThrow(message);
  });

  test("the demo stays out of it with --config, too", async () => {
    const words = "serve --demo --config vitrine.config.json";
    await refused(words, await temporaryDirectory()).toThrow("--demo cannot be combined with --config");
  });
});

/** conda exports its triplet as HOST; listhen listens on every interface for those that it does not like. */
const NO_HOSTS =
  "x86_64-conda-linux-gnu my_host! * ** 0 127.1 0x7f.1 1.2.3.4.5 [127.0.0.1] fe80::1%lo [::1 http://127.0.0.1 127.0.0.1:3000 localhost/ -a a..b é.example".split(
    " ",
  );

describe("a wrong host", () => {
  test.for(NO_HOSTS)("%j is refused by every command that listens", async (HOST) => {
    const directory = await temporaryDirectory();
    for (const words of ["start", "serve --demo", "check --demo"].filter(isOffered)) {
      await refused(words, directory, { HOST }).toThrow(
        /host +use an IP address such as 127\.0\.0\.1.*, given as HOST/,
      );
    }
    if (HOST.includes(":")) return;
    await refused("serve --demo", directory, { METRICS: `${HOST}:9464` }).toThrow(
      /metrics +use "on".*given as METRICS/,
    );
  });

  test("a name that the system does not know is refused, for the metrics, too", async () => {
    const directory = await temporaryDirectory();
    const name = "vitrine.invalid";
    const missing = `the name ${name} has no address here`;
    await refused("serve --demo", directory, { HOST: name }).toThrow(`host   ${missing}`);
    if (isIn("metrics")) {
      await refused("serve --demo --port 0", directory, { METRICS: `${name}:0` }).toThrow(`metrics   ${missing}`);
    }
    if (!isOffered("check")) return;
    const checked = await runInProcess(["check", "--demo", "--host", name], directory);
    expect(checked).toMatchObject({ code: 2, stderr: expect.stringMatching(/host +the name .*, given as --host/) });
  });
});

test.for([
  ["[::1]", "[::1]"],
  ["0:0::1", "[::1]"],
  ["127.0.0.2", "127.0.0.2"],
] as const)("the host %s is listened on, and no other", async ([HOST, shown], { skip }) => {
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  if (shown === "[::1]" && !addresses.some((found) => found.address === "::1")) skip("this system has no IPv6");
  const BASE_URL = `https://${randomUUID()}.acme.example`;
  const { output } = await startInProcess(["serve", "--demo"], {
    directory: await temporaryDirectory(),
    environment: { HOST, BASE_URL },
  });
  const place = /Listening on (.*):(\d+),/.exec(output());
  expect(place?.[1]).toBe(shown);
  const answers = (other: string) =>
    fetchText(`http://${other}:${place?.[2]}/llms.txt`).then((text) => text.includes(BASE_URL));
  expect(await answers(shown)).toBe(true);
  for (const other of ["127.0.0.1", "127.0.0.3"]) expect(await answers(other), other).toBe(false);
});

/** Another program may listen on the same port of another address, and answer anything or nothing. */
const fetchText = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.text(),
    () => "",
  );

/** The banner claims that a server is private only if it is. */
test.for([
  ["127.0.0.1:3000", true],
  ["127.8.8.8:80", true],
  ["[::1]:3000", true],
  ["0.0.0.0:3000", false],
  ["[::]:3000", false],
  ["192.168.1.7:3000", false],
  ["a socket without an address", false],
] as const)("listening on %s is for this computer only: %s", async ([place, isPrivate]) => {
  const configuration = configure({ flags: { demo: true }, environment: {}, directory: await temporaryDirectory() });
  const server = { base: "https://api.acme.example", place, metrics: undefined, addresses: [] };
  const { text, fields } = serving(server, configuration);
  expect(text).toContain(`Listening on ${place}${isPrivate ? ", this computer only (--host 0.0.0.0 to share)." : "."}`);
  expect(fields.place).toBe(place);
});
