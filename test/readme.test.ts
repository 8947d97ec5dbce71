// The README cannot lie: its commands are run, its answer is asked for, its settings are read, its table is regenerated.
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { schemaFile, withSettings, withSources } from "../cli/documents.ts";
import { temporaryDirectory } from "./_directory.ts";
import { SOURCE, startProgram } from "./_program.ts";
import { connectClient } from "./_stdio.ts";

const execute = promisify(execFile);
const ROOT = join(import.meta.dirname, "..");
const readme = await readFile(join(ROOT, "README.md"), "utf8");
const scripts: Record<string, string> = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")).scripts;

/** Runs a command of the program, in an environment of its own. */
function run(name: string, directory: string, environment: Record<string, string> = {}) {
  return execute(process.execPath, [...SOURCE, name], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...environment },
  });
}

/** Contents of the README's fenced blocks of one language. */
function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)\n\`\`\`$`, "gms"))].map(
    ([, contents = ""]) => contents,
  );
}

const commands = blocks("sh").flatMap((block) => block.split("\n"));

test("the two commands a newcomer needs are there", () => {
  expect(commands).toContain("npm ci && npm start");
  expect(commands).toContain("npm ci && npm test");
});

test("it is short", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(200);
});

test("every npm command is a script", () => {
  const named = [...readme.matchAll(/npm (?:run )?(start|test|[a-z:]+)(?=[`\s])/g)].map(([, name = ""]) => name);
  const ours = named.filter((name) => name !== "ci" && name !== "run");
  for (const name of ours) expect(Object.keys(scripts)).toContain(name);
});

test("the shown answer is what the shown request gets from the demo", async () => {
  const { base } = await startProgram(["start"], { directory: await temporaryDirectory() });
  const [shown = ""] = blocks("json");
  const [, url = ""] = /'(http:[^']+)'/.exec(commands.find((line) => line.startsWith("curl -s 'http")) ?? "") ?? [];
  const answer = await fetch(url.replace("http://localhost:3000", base));
  expect(await answer.json()).toEqual(JSON.parse(shown));
});

test("the plain request to the MCP endpoint lists the tools", async () => {
  const { base } = await startProgram(["start"], { directory: await temporaryDirectory() });
  const line = commands.find((command) => command.includes("/mcp -H")) ?? "";
  const [, contentType = ""] = /-H 'content-type: ([^']+)'/.exec(line) ?? [];
  const [, body = ""] = /-d '([^']+)'/.exec(line) ?? [];
  const answer = await fetch(`${base}/mcp`, { method: "POST", headers: { "content-type": contentType }, body });
  const { result } = (await answer.json()) as { result: { tools: { name: string }[] } };
  expect(result.tools.map(({ name }) => name)).toEqual(["get_pricing", "get_latest_version"]);
});

test("a host that is given the shown lines gets the facts of the settings", async () => {
  const directory = await temporaryDirectory();
  await run("init", directory);
  const { mcpServers } = JSON.parse(blocks("json host")[0] ?? "") as {
    mcpServers: Record<string, { command: string; args: string[] }>;
  };
  const [{ command, args } = { command: "", args: [] }] = Object.values(mcpServers);
  const VITRINE_CONFIG = join(directory, "vitrine.config.json");
  const words = args.map((word) => word.replace("/path/to/vitrine", ROOT));
  const client = await connectClient({ directory, environment: { VITRINE_CONFIG } }, [command, ...words]);
  expect(await client.callTool({ name: "get_latest_version" })).toHaveProperty("structuredContent.hasUpdate");
});

test("every address of the table answers", async () => {
  const { base } = await startProgram(["start"], { directory: await temporaryDirectory() });
  const paths = [...readme.matchAll(/`GET (\/[^`]*)`/g)].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(6);
  for (const path of paths)
    expect((await fetch(base + path.replace("?platform=", "?platform=macos"))).status, path).toBe(200);
});

describe("in the order it tells", () => {
  test("init, check, collect and status work in an empty directory", async () => {
    const directory = await temporaryDirectory();
    for (const name of ["init", "check", "collect", "status"]) {
      expect(commands).toContain(`npm run ${name}`);
      await run(name, directory);
    }
  });

  test("the shown settings pass the check once the secret is set and the file is there", async () => {
    const directory = await temporaryDirectory();
    const [settings = ""] = blocks("json settings");
    await writeFile(join(directory, "vitrine.config.json"), settings);
    await mkdir(join(directory, "product"));
    const { windows } = JSON.parse(await readFile(join(ROOT, "cli/demo/releases.json"), "utf8"));
    await writeFile(join(directory, "product/windows.json"), JSON.stringify(windows));
    await expect(run("check", directory)).rejects.toThrow("BILLING_TOKEN is not set");
    await run("check", directory, { BILLING_TOKEN: "not-a-real-one" });
  });
});

test("the tables of settings are those that the schema gives (npm run generate)", async () => {
  expect(withSettings(readme)).toBe(readme);
  const sources = await readFile(join(ROOT, "SOURCES.md"), "utf8");
  expect(withSources(sources)).toBe(sources);
});

test("the shipped schema of the settings is the one in force (npm run generate)", async () => {
  expect(await readFile(join(ROOT, "vitrine.schema.json"), "utf8")).toBe(schemaFile());
});

test("the files that the architecture names are there", async () => {
  const architecture = await readFile(join(ROOT, "ARCHITECTURE.md"), "utf8");
  const named = [...architecture.matchAll(/`((?:cli|collector|server|snapshots)\/[\w/.-]+\.ts)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(15);
  for (const path of named) await expect(readFile(join(ROOT, path)), path).resolves.toBeDefined();
});
