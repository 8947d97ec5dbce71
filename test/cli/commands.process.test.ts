// Every command as published: help, mistakes, JSON, no colour in a pipe, exit codes, and a log of one event a line.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { COMMANDS } from "../../cli/invoke.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { isIn } from "../support/program/feature.ts";
import { typeInProcess } from "../support/program/in-process.ts";
import { vitrine } from "../support/program/run.ts";
import { isOffered } from "../support/program/offered.ts";
import { sampleDirectory } from "../support/program/settings.ts";
import { PROGRAM } from "../support/program/program.ts";

const NAMES = Object.keys(COMMANDS);
const ESCAPE = "\u001b";

/** A vendor's directory with sample facts, collected twice with a change in between. */
const vendor = await sampleDirectory(afterAll);
const config = join(vendor, "vitrine.config.json");
await writeFile(config, (await readFile(config, "utf8")).replaceAll("My product", "Acme Notes"));
await typeInProcess(["collect"], { directory: vendor });
const plans = await readFile(join(vendor, "product/plans.json"), "utf8");
await writeFile(join(vendor, "product/plans.json"), plans.replace('"creditsMonthly": 50', '"creditsMonthly": 60'));
await writeFile(join(vendor, "product/releases.json"), '{"macos":{"hasUpdate":false},"windows":{"hasUpdate":false}}');
await typeInProcess(["collect", "--accept", "all"], { directory: vendor });

describe.concurrent("every command (cli/invoke.ts)", () => {
  test("is in the general help; the version is a number", async ({ expect }) => {
    const help = await typeInProcess(["--help"], { directory: vendor });
    for (const name of NAMES) expect(help.stdout).toContain(`\n  ${name} `);
    expect((await typeInProcess(["--version"], { directory: vendor })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.for(NAMES)("%s --help lists each of its options, on stdout", async (name, { expect }) => {
    const { code, stdout, stderr } = await typeInProcess([name, "--help"], { directory: vendor });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const option of Object.keys(COMMANDS[name]?.options ?? {})) expect(stdout).toContain(`  --${option}`);
  });

  test.for(NAMES)("%s refuses an unknown option and suggests a known one", async (name, { expect }) => {
    const [option] = Object.keys(COMMANDS[name]?.options ?? {});
    const { code, stdout, stderr } = await typeInProcess([name, `--${option ?? "port"}x`], { directory: vendor });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    const hint =
      option && isIn("check")
        ? `unknown option "--${option}x"; did you mean --${option}? `
        : `unknown option "--${option ?? "port"}x" `;
    expect(stderr).toContain(`✖ ${hint}(see `);
    expect(stderr).toMatch(new RegExp(`${name} (-- )?--help\\)\n$`));
  });
});

describe.concurrent("output into a pipe", () => {
  const WITH_JSON = (
    [
      ["status", "snapshots"],
      ["history", "changes"],
      ["diff", "differences"],
      ["check", "settings"],
      ["collect --dry-run", "findings"],
    ] as const
  )
    .filter(([words]) => isOffered(words))
    .map(([words, key]) => [words.split(" "), key] as const);

  test("is JSON from each command that offers it", () => {
    const offering = NAMES.filter((name) => COMMANDS[name]?.options.json).toSorted();
    expect(WITH_JSON.map(([[name]]) => name).toSorted()).toEqual(offering);
  });

  test.for(WITH_JSON)("%j --json is one JSON object, and nothing else", async ([words, key], { expect }) => {
    const { code, stdout, stderr } = await typeInProcess([...words, "--json"], { directory: vendor });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)[key].length).toBeGreaterThan(0);
  });

  const PLAIN = ["status", "history", "diff", "check", "collect --dry-run"]
    .filter(isOffered)
    .concat("--help", "serve --help")
    .map((words) => words.split(" "));

  test.for(PLAIN)("has no colour of its own: %j", async (words, { expect }) => {
    const { code, stdout, stderr } = await typeInProcess(words, { directory: vendor });
    expect(code).toBe(0);
    expect(stdout.trim()).not.toBe("");
    // `check` warns of the words of `init`.
    expect(stdout + stderr).not.toContain(ESCAPE);
  });

  test.runIf(isIn("status"))("has no colour, of the process", async ({ expect }) => {
    const { code, stdout, stderr } = await vitrine(["status"], { directory: vendor, onFinished: afterAll });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.trim()).not.toBe("");
    expect(stdout).not.toContain(ESCAPE);
  });
});

describe.concurrent("exit codes", () => {
  const rows: [code: number, words: string[], message: string][] = [
    [2, ["init"], "already exists"],
    [2, ["start", "--log", "xml"], '--log   must be text or json (got "xml")'],
    [2, ["diff", "plan"], "did you mean plans?"],
    [2, ["history", "plan"], "did you mean plans?"],
    [2, ["collect", "--accept", "plan"], "did you mean plans?"],
    [2, ["mcp", "--config", "nowhere.json"], "the file does not exist"],
    [3, ["diff", "--snapshots", "nowhere"], "the history of plans, macos, windows is empty"],
    [1, ["status", "--url", "http://127.0.0.1:9/"], "the connection failed"],
    [1, ["status", "--url", "nowhere"], "write it as https://facts.example.com"],
    [2, ["check", "--metrics", "yes"], "given as --metrics"],
    [3, ["status", "--snapshots", "nowhere"], ""],
  ];
  test.for(rows.filter(([, [name = ""]]) => isOffered(name)))(
    "%i for %j",
    async ([expected, words, message], { expect }) => {
      const { code, stderr } = await typeInProcess(words, { directory: vendor });
      expect(code).toBe(expected);
      expect(stderr).toContain(message);
    },
  );
});

test.runIf(isIn("check"))(
  "check shows the guard and each source's schedule, and of a secret only its variable",
  async () => {
    const directory = await temporaryDirectory();
    const headers = { authorization: "Bearer $TOKEN", "x-key": "hunter2" };
    const json = { from: "json", url: "https://example.com/hunter2?key=hunter2", headers, schedule: "0 * * * *" };
    const file = { from: "file", path: "windows.json" };
    const settings = {
      plans: json,
      releases: { macos: json, windows: file },
      ...(isIn("guard") && { guard: { confirm: 5 } }),
    };
    await writeFile(join(directory, "vitrine.config.json"), JSON.stringify(settings));
    const { stdout } = await typeInProcess(["check", "--all"], { directory, environment: { TOKEN: "hunter2" } });
    expect(stdout).toMatch(/standIns +\(none\) +default/);
    if (isIn("guard")) expect(stdout).toMatch(/guard\.confirm +5 +file\n +guard\.over +20m +default/);
    expect(stdout).toMatch(/plans\.schedule +0 \* \* \* \* +file/);
    expect(stdout).toMatch(/releases\.windows\.schedule +\*\/15 \* \* \* \* +as schedule/);
    expect(stdout).toMatch(/plans\.url +https:\/\/example\.com\/… +file/);
    expect(stdout).toMatch(/plans\.headers +authorization: Bearer \$TOKEN, x-key: \(set, not shown\) +file/);
    expect(stdout).not.toContain("hunter2");
  },
);

test("a service whose output is not a terminal logs one JSON event a line until it is stopped", async () => {
  const env = { PATH: process.env.PATH, PORT: "0" };
  const child = spawn(process.execPath, [...PROGRAM, "start"], {
    cwd: vendor,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const events: Record<string, unknown>[] = [];
  const named = (name: string) => events.filter(({ event }) => event === name);
  const isOver = () => named("collected").length === 3 && named("serving").length === 1;
  for await (const line of createInterface({ input: child.stdout })) {
    events.push(JSON.parse(line));
    // On a busy computer it serves before the run is over.
    if (isOver()) child.kill("SIGTERM");
  }
  await once(child, "exit").catch(() => {});
  const collected = ["plans", "release-macos", "release-windows"].map((snapshot) => ({
    event: "collected",
    level: "info",
    snapshot,
    result: "confirmed",
  }));
  expect([events[0], ...named("serving")]).toMatchObject([
    { event: "starting" },
    { event: "serving", base: expect.stringMatching(/^http/) },
  ]);
  // They are logged in the order of their confirmation.
  const logged = named("collected").toSorted((a, b) => String(a.snapshot).localeCompare(String(b.snapshot)));
  expect(logged).toMatchObject(collected);
});
