// Hints name a command as this installation calls it, so that they can be copied. What comes before a command runs: flags that npm
// did not pass on are named; a problem is JSON for a program that asked for JSON.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { typed, typedHere, type Invoked } from "../../cli/command-hints.ts";
import { wrapped } from "../../cli/features/status/status-table.ts";
import { Refused } from "../../cli/command.ts";
import { COMMANDS, readArguments } from "../../cli/invoke.ts";
import { isIn } from "../support/program/feature.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { isOffered } from "../support/program/offered.ts";
import { typeInProcess } from "../support/program/in-process.ts";

const PATH = "/usr/local/bin:/usr/bin";
const INSTALLED = "node_modules/vitrine/dist/command-hints.mjs";

function invoked(code: string, script: string, more: Partial<Invoked> = {}): Invoked {
  return { code, script, words: [], directory: "/srv/site", environment: { PATH }, ...more };
}

describe("a hint (cli/command-hints.ts)", () => {
  test.for<[installation: string, Invoked, hint: string]>([
    [
      "a checkout",
      invoked("/src/vitrine/cli/command-hints.ts", "/src/vitrine/cli/main.ts"),
      "npm run collect -- --accept plans",
    ],
    [
      "npx, from its own cache",
      invoked(`/root/.npm/_npx/1/${INSTALLED}`, "/root/.npm/_npx/1/node_modules/.bin/vitrine", {
        environment: { PATH, npm_command: "exec" },
      }),
      "npx --no vitrine collect --accept plans",
    ],
    [
      "a local package",
      invoked(`/srv/site/${INSTALLED}`, "/srv/site/node_modules/.bin/vitrine"),
      "npx --no vitrine collect --accept plans",
    ],
    [
      "a local package, from a folder below",
      invoked(`/srv/${INSTALLED}`, "/srv/node_modules/.bin/vitrine"),
      "npx --no vitrine collect --accept plans",
    ],
    [
      "a global package",
      invoked(`/usr/local/lib/${INSTALLED}`, "/usr/local/bin/vitrine"),
      "vitrine collect --accept plans",
    ],
    [
      "a global package on Windows",
      invoked(`/apps/npm/${INSTALLED}`, `/apps/npm/${INSTALLED}`, { environment: { PATH: "/apps/npm:/bin" } }),
      "vitrine collect --accept plans",
    ],
    [
      "a build, from its folder",
      invoked("/app/dist/command-hints-1.mjs", "/app/dist/vitrine.mjs", { directory: "/app" }),
      "node dist/vitrine.mjs collect --accept plans",
    ],
    [
      "a build in a folder with a space, from elsewhere",
      invoked("/my apps/dist/command-hints-1.mjs", "/my apps/dist/vitrine.mjs"),
      'node "/my apps/dist/vitrine.mjs" collect --accept plans',
    ],
  ])("%s", ([, how, hint]) => {
    expect(typed("collect --accept plans", how)).toBe(hint);
  });
});

test("a container or a unit names the words that work outside of it", () => {
  const environment = { PATH, TYPED_AS: "docker compose run --rm collector" };
  const image = invoked("/vitrine/dist/command-hints-1.mjs", "/vitrine/dist/vitrine.mjs", { environment });
  expect(typedHere("collect --accept plans", image)).toBe("docker compose run --rm collector collect --accept plans");
  const words = ["collect", "--watch", "--snapshots", "/var/lib/vitrine"];
  expect(typedHere("collect --accept plans", { ...image, words })).toMatch(/ --accept plans --snapshots \S+$/);
});

test("and what stands there for a command that would start a service once more, or cannot be typed", () => {
  const up = "docker compose up --detach --force-recreate";
  const form = 'run this workflow by hand, with the name in "accept"';
  const TYPED_AS = `docker compose run --rm collector | start, serve: ${up} | collect --accept: ${form}`;
  const words = ["check", "--config", "other.json"];
  const image = invoked("/vitrine/dist/x.mjs", "/vitrine/dist/vitrine.mjs", { words, environment: { PATH, TYPED_AS } });
  const hints = ["start", "serve", "collect --accept plans", "status"].map((command) => typedHere(command, image));
  expect(hints).toEqual([up, up, form, "docker compose run --rm collector status --config other.json"]);
});

test("npm has a short form for start, and two dashes before options", () => {
  const source = invoked("/src/cli/command-hints.ts", "/src/cli/main.ts");
  const hints = ["start", "start --port 3001", "status", "diff plans 3"].map((command) => typed(command, source));
  expect(hints).toEqual(["npm start", "npm start -- --port 3001", "npm run status", "npm run diff -- plans 3"]);
});

test("a hint about the same settings repeats the options that chose them, and no others", () => {
  const words = ["status", "--json", "--config=/etc/my vitrine.json", "--snapshots", "/var/lib/v", "--url", "x"];
  const global = invoked("/usr/lib/x.mjs", "/usr/bin/vitrine", { words });
  expect(typedHere("collect --accept plans", global)).toBe(
    'vitrine collect --accept plans --config "/etc/my vitrine.json" --snapshots /var/lib/v',
  );
  expect(typedHere("start", { ...global, words: ["--demo"] })).toBe("vitrine start --demo");
});

test("a text is broken at spaces, keeps its indentation, and loses nothing", () => {
  expect(wrapped("  one two three four", 10)).toEqual(["  one two", "  three", "  four"]);
  expect(wrapped("a".repeat(25), 10)).toEqual(["a".repeat(10), "a".repeat(10), "aaaaa"]);
  expect(wrapped("", 10)).toEqual([]);
});

const flags = Object.entries(COMMANDS).flatMap(([name, { options }]) =>
  Object.keys(options).map((flag) => [name, flag]),
);

test.for(flags)("npm run %s --%s is refused, because npm keeps the flag for itself", ([name = "", flag = ""]) => {
  const npm = { npm_lifecycle_event: name, [`npm_config_${flag.replaceAll("-", "_")}`]: "true" };
  const value = COMMANDS[name]?.options[flag]?.value;
  const words = value === undefined ? `--${flag}` : `--${flag} ${value}`;
  const script = name === "start" ? "npm start" : `npm run ${name}`;
  const text = `npm kept ${words} for itself: ${script} -- ${words}`;
  expect(() => readArguments([name], npm)).toThrow(new Refused(text));
  expect(() => readArguments([name, ...(value === undefined ? [] : ["its-value"])], npm)).toThrow(new Refused(text));
  expect(readArguments([name, `--${flag}`, ...(value === undefined ? [] : ["1"])], npm)).toHaveProperty("command");
  if (value !== undefined) expect(readArguments([name, `--${flag}=1`], npm)).toHaveProperty("command");
  expect(readArguments([name], { ...npm, npm_lifecycle_event: undefined })).toHaveProperty("command");
});

const WITH_JSON: [what: string, words: string[], code: number, problem: string][] = [
  ["an unknown option", ["status", "--json", "--nonsense"], 2, "unknown option"],
  ["settings with a problem", ["check", "--json"], 2, "plans"],
  ["no settings", ["history", "--json", "--config", "missing.json"], 2, "the file does not exist"],
  ["an option of another command", ["collect", "--json"], 2, "--json requires --dry-run"],
  ["a server that does not answer", ["status", "--json", "--url", "http://127.0.0.1:1/"], 1, "127.0.0.1"],
  ["an unknown name", ["history", "--json", "nonsense"], 2, "nonsense"],
  ["a value that it does not take", ["status", "--json=1"], 2, "takes no value"],
];
test.for(WITH_JSON.filter(([, [name = ""]]) => isOffered(`${name} --json`)))(
  "with --json, %s is a problem in JSON",
  async ([, words, code, problem]) => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "vitrine.config.json"), '{"releases":"none"}');
    const { stdout, stderr, ...run } = await typeInProcess([...words], { directory });
    expect(run.code).toBe(code);
    expect(JSON.parse(stdout)).toEqual({ problems: [expect.stringContaining(problem)] });
    expect(stderr).toContain(problem);
  },
);

test.runIf(isIn("history"))("with --json, a store that cannot be read is a problem in JSON", async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "data"), "a file");
  const { code, stdout } = await typeInProcess(["history", "--json", "--demo", "--snapshots", "data"], { directory });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({ problems: [expect.stringContaining("ENOTDIR")] });
});
