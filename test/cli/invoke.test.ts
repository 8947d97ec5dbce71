// What comes before a command runs: a Node without the security fixes is named, with the releases that have them; so are flags
// that npm did not pass on; and a problem is JSON for a program that asked for JSON.
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMANDS, readArguments } from "../../cli/invoke.ts";
import { nodeWarning } from "../../cli/invoke.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { typeInProcess } from "../support/program/in-process.ts";
import { vitrine } from "../support/program/run.ts";

test.for(["v20.20.2", "v20.21.0", "v22.22.2", "v22.23.3", "v24.14.1", "v24.21.0", "v26.0.0", "v26.10.0", "v27.1.0"])(
  "%s is fixed",
  (version) => expect(nodeWarning(version)).toBeUndefined(),
);

test.for(["v18.20.8", "v20.19.0", "v20.20.1", "v21.7.3", "v22.22.1", "v23.11.1", "v24.14.0", "v25.8.2"])(
  "%s is not",
  (version) => expect(nodeWarning(version)).toContain(`Node ${version} lacks security fixes`),
);

test("the program prints one line, and runs", async () => {
  const older = "data:text/javascript,Object.defineProperty(process,'version',{value:'v20.19.0'})";
  const environment = { NODE_OPTIONS: `--import=${older}` };
  const { code, stderr } = await vitrine(["init"], { directory: await temporaryDirectory(), environment });
  expect(stderr).toMatch(/^! Node v20\.19\.0 lacks security fixes: .* \^20\.20\.2 \|\| .*\n$/);
  expect(code).toBe(0);
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
  expect(readArguments([name], npm)).toEqual({ kind: "mistake", text });
  expect(readArguments([name, ...(value === undefined ? [] : ["its-value"])], npm)).toEqual({ kind: "mistake", text });
  expect(readArguments([name, `--${flag}`, ...(value === undefined ? [] : ["1"])], npm)).toMatchObject({ kind: "run" });
  expect(readArguments([name], { ...npm, npm_lifecycle_event: undefined })).toMatchObject({ kind: "run" });
});

test("npm really keeps them, and the program says so", () => {
  const { stderr, status } = spawnSync("npm", ["run", "-s", "collect", "--watch", "--accept", "plans"], {
    cwd: join(import.meta.dirname, "../.."),
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringContaining(
      "✖ npm kept --watch and --accept NAMES for itself: npm run collect -- --watch --accept NAMES\n",
    ),
  });
});

test.for([
  ["an unknown option", ["status", "--json", "--nonsense"], 2, "unknown option"],
  ["settings with a problem", ["check", "--json"], 2, "plans"],
  ["no settings", ["history", "--json", "--config", "missing.json"], 2, "the file does not exist"],
  ["an option of another command", ["collect", "--json"], 2, "--json requires --dry-run"],
  ["a server that does not answer", ["status", "--json", "--url", "http://127.0.0.1:1/"], 1, "127.0.0.1"],
  ["an unknown name", ["history", "--json", "nonsense"], 2, "nonsense"],
  ["a value that it does not take", ["status", "--json=1"], 2, "takes no value"],
] as const)("with --json, %s is a problem in JSON", async ([, words, code, problem]) => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "vitrine.config.json"), '{"releases":"none"}');
  const { stdout, stderr, ...run } = await typeInProcess([...words], { directory });
  expect(run.code).toBe(code);
  expect(JSON.parse(stdout)).toEqual({ problems: [expect.stringContaining(problem)] });
  expect(stderr).toContain(problem);
});

test("with --json, a store that cannot be read is a problem in JSON", async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "data"), "a file");
  const { code, stdout } = await typeInProcess(["history", "--json", "--demo", "--snapshots", "data"], { directory });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({ problems: [expect.stringContaining("ENOTDIR")] });
});
