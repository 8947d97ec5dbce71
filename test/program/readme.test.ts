// Holds the documents to the program: runs the commands of the README, requests its answer, reads its settings, follows every link
// to the file and the heading that it names.
import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { temporaryDirectory } from "../support/directory.ts";
import { json, startUpstream } from "../support/collecting/upstream.ts";
import { typeInProcess } from "../support/program/in-process.ts";
import { PROGRAM, startProgram } from "../support/program/program.ts";
import { connectClient } from "../support/program/stdio.ts";

const ROOT = join(import.meta.dirname, "../..");
/** By path. */
const documents = new Map(
  await Promise.all(
    [...(await markdownIn(".")), ...(await markdownIn("docs")), ...(await markdownIn("docs/sources"))].map(
      async (file) => [file, await readFile(join(ROOT, file), "utf8")] as const,
    ),
  ),
);
const readme = documents.get("README.md") ?? "";
const scripts: Record<string, string> = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")).scripts;

async function markdownIn(folder: string): Promise<string[]> {
  return (await readdir(join(ROOT, folder))).filter((name) => name.endsWith(".md")).map((name) => join(folder, name));
}

/** Runs a command of the program with only the given environment. @throws Error with its output if it fails */
async function run(words: string, directory: string, environment: Record<string, string> = {}) {
  const { code, stderr } = await typeInProcess(words.split(" "), { directory, environment });
  if (code !== 0) throw new Error(`${words} exits with ${code}: ${stderr}`);
}

/** The fenced blocks of one language, of the README unless another document is given. */
function blocks(language: string, text = readme): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)\n\`\`\`$`, "gms"))].map(
    ([, contents = ""]) => contents,
  );
}

const agents = documents.get("docs/agents.md") ?? "";
const commands = [...blocks("sh"), ...blocks("sh", agents)].flatMap((block) => block.split("\n"));

const demo = await startProgram(["start"], { directory: await temporaryDirectory(afterAll), onFinished: afterAll });

test("no document or hint runs a package from the registry under a name that anybody may still register", async () => {
  const { repository = "OWNER" } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    repository?: string;
  };
  if (!repository.includes("OWNER")) return;
  const folders = ["docs", "examples", "cli", "server", "."];
  const files = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(ROOT, folder), { recursive: folder !== ".", withFileTypes: true });
      return names.filter((name) => name.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    }),
  );
  const isText = (file: string) => /\.(md|ts|mjs|json|ya?ml|service|socket|conf)$|Dockerfile$/.test(file);
  const texts = files.flat().filter((file) => isText(file) && !/(CHANGELOG\.md|package-lock\.json)$/.test(file));
  expect(texts.length).toBeGreaterThan(100);
  for (const file of texts) {
    const commands = (await readFile(file, "utf8")).replaceAll(/\s+/g, " ");
    const run = /\b(npx|npm (exec|x)|bunx|pnpm dlx|yarn dlx)( (?!--no )-[^ ]+)* vitrine\b/;
    const installed = /\bnpm (i|install|add)( -[^ ]+)* vitrine\b/;
    expect(commands.match(run)?.[0] ?? commands.match(installed)?.[0], file).toBeUndefined();
  }
});

test("what everyone reads first stays short", () => {
  const lines = (path: string) => documents.get(path)?.trimEnd().split("\n").length;
  expect(lines("README.md")).toBeLessThanOrEqual(120);
  expect(lines("AGENTS.md")).toBeLessThanOrEqual(40);
  expect(documents.get("SOURCES.md")?.split(/\s+/).length).toBeLessThanOrEqual(1_200);
});

test("every npm command is a script", () => {
  const text = [...documents.values()].join("\n");
  const named = [...text.matchAll(/npm (start\b|test\b|run [a-z0-9:]+)/g)].map(([, name = ""]) =>
    name.replace("run ", ""),
  );
  for (const name of named) expect(Object.keys(scripts)).toContain(name);
});

test("the shown request gets the shown answer from the demo", async () => {
  const { base } = demo;
  const [shown = ""] = blocks("json");
  const [, url = ""] = /'(http:[^']+)'/.exec(commands.find((line) => line.startsWith("curl -s 'http")) ?? "") ?? [];
  const answer = await fetch(url.replace("http://localhost:3000", base));
  expect(await answer.json()).toEqual(JSON.parse(shown));
});

test("the plain request to the MCP endpoint lists the tools", async () => {
  const { base } = demo;
  const line = commands.find((command) => command.includes("/mcp -H")) ?? "";
  const [, contentType = ""] = /-H 'content-type: ([^']+)'/.exec(line) ?? [];
  const [, body = ""] = /-d '([^']+)'/.exec(line) ?? [];
  const answer = await fetch(`${base}/mcp`, { method: "POST", headers: { "content-type": contentType }, body });
  const { result } = (await answer.json()) as { result: { tools: { name: string }[] } };
  expect(result.tools.map(({ name }) => name)).toEqual(["get_pricing", "get_latest_version"]);
});

test("an MCP host with the shown configuration gets the facts of the settings", async () => {
  const directory = await temporaryDirectory();
  await run("init", directory);
  await run("collect", directory);
  // As npm leaves it where the package is installed globally.
  const bin = join(directory, "bin/vitrine");
  await mkdir(dirname(bin), { recursive: true });
  const program = [process.execPath, ...PROGRAM].map((word) => `"${word}"`);
  await writeFile(bin, `#!/bin/sh\nexec ${program.join(" ")} "$@"\n`, { mode: 0o755 });
  const { mcpServers } = JSON.parse(blocks("json host", agents)[0] ?? "") as {
    mcpServers: Record<string, { command: string; args: string[] }>;
  };
  const [{ command, args } = { command: "", args: [] }] = Object.values(mcpServers);
  const config = args.indexOf("--config") + 1;
  expect(args[config]).toMatch(/^\/.*\.json$/);
  const words = args.with(config, join(directory, "vitrine.config.json"));
  const client = await connectClient({ directory, environment: { PATH: `${dirname(bin)}:${process.env.PATH}` } }, [
    command,
    ...words,
  ]);
  expect(await client.callTool({ name: "get_latest_version" })).toHaveProperty("structuredContent.hasUpdate");
});

test("every address of the table answers", async () => {
  const { base } = demo;
  const paths = [...readme.matchAll(/`GET (\/[^`]*)`/g)].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(6);
  for (const path of paths)
    expect((await fetch(base + path.replace("?platform=", "?platform=macos"))).status, path).toBe(200);
});

describe("in the order shown", () => {
  test("the commands work in an empty directory", async () => {
    const directory = await temporaryDirectory();
    // A break, so that nobody starts with the samples.
    expect(readme).toContain("1. `npm run init` writes");
    for (const words of ["check", "collect -- --dry-run"]) expect(commands).toContain(`npm run ${words}`);
    for (const words of ["init", "check", "collect --dry-run", "collect", "status", "history"])
      await run(words, directory);
    expect(readme).toContain("`npm run diff -- plans 2026-11-01`");
    await run("diff plans 2026-11-01", directory);
  });

  test("init finds the installers of a repository", async () => {
    const upstream = await startUpstream();
    upstream.set("/api/v3/repos/acme/notes/releases", json([]));
    const [, words = ""] = /`npm run (init -- --from \w+) OWNER\/REPO`/.exec(readme) ?? [];
    const directory = await temporaryDirectory();
    await run(`${words.replace("-- ", "")} ${upstream.url("/acme/notes")}`, directory);
    await run("check", directory);
  });

  test("the shown settings pass the check once the secret is set", async () => {
    const directory = await temporaryDirectory();
    const [settings = ""] = blocks("json settings");
    await writeFile(join(directory, "vitrine.config.json"), settings);
    await expect(run("check", directory)).rejects.toThrow("BILLING_TOKEN is not set");
    await run("check", directory, { BILLING_TOKEN: "not-a-real-one" });
  });
});

test("the files that the documents refer to exist", async () => {
  const named = [...documents].flatMap(([file, text]) =>
    [...text.replaceAll(/`[^`]*`/g, "").matchAll(/(?:\]\(|src="|srcset=")([^")#:]+)[")#]/g)].map(([, path = ""]) =>
      join(dirname(file), path),
    ),
  );
  expect(named.length).toBeGreaterThan(30);
  for (const path of named) await expect(access(join(ROOT, path)), path).resolves.toBeUndefined();
});

/** The fragments by which a code host links to the headings of a document. */
function headingsOf(text: string): string[] {
  const headings = text.replaceAll(/^```.*?^```/gms, "").matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("the headings that the documents link to exist", () => {
  const links = [...documents].flatMap(([file, text]) =>
    [...text.matchAll(/\]\(([^()\s#:]*)#([^()\s]+)\)/g)].map(([link, path = "", heading = ""]) => {
      const target = path === "" ? file : join(dirname(file), path);
      return { link: `${file}: ${link}`, headings: headingsOf(documents.get(target) ?? ""), heading };
    }),
  );
  expect(links.length).toBeGreaterThan(20);
  for (const { link, headings, heading } of links) expect(headings, link).toContain(heading);
});
