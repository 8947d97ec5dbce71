// The file of `vitrine build-edge` on each runtime, over one vendor's files on a plain web server, as an MCP client and a browser
// see it.
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { encodeSnapshot } from "../../../snapshots/snapshot.ts";
import { body, startUpstream } from "../../support/collecting/upstream.ts";
import { findChromium } from "../browser/find-chromium.ts";
import type { OnFinished } from "../replicas/clean-up.ts";
import { currentSnapshots } from "./origin.ts";
import type { Running } from "./runtimes.ts";

const ROOT = join(import.meta.dirname, "../../..");
const BROWSER = join(import.meta.dirname, "../browser");
const VENDOR = "Acme Notes";
const SOURCES = { plans: { from: "file", path: "plans.json" }, releases: { from: "file", path: "releases.json" } };

export const CLIENTS_HEADING = ["as a user runs it", "MCP client", "browser"];

/** Builds the file for the vendor's snapshots on a plain web server. Returns its name. */
export async function buildFor(folder: string, onFinished: OnFinished): Promise<string> {
  const host = await startUpstream({ onFinished });
  for (const snapshot of currentSnapshots()) host.set(`/${snapshot.name}.json`, body(encodeSnapshot(snapshot)));
  const settings = { api: { name: VENDOR, baseUrl: "https://facts.example" }, ...SOURCES };
  await writeFile(join(folder, "vitrine.config.json"), JSON.stringify(settings));
  execFileSync("npm", ["run", "--silent", "build"], { cwd: ROOT, stdio: "inherit" });
  const program = [join(ROOT, "dist/vitrine.mjs"), "build-edge"];
  const words = ["--config", join(folder, "vitrine.config.json"), "--snapshots", host.url("/")];
  const file = join(folder, "vitrine-edge.mjs");
  execFileSync(process.execPath, [...program, ...words, "--out", file], { cwd: ROOT, encoding: "utf8" });
  return file;
}

/** The faults that an MCP client finds. */
export async function askAsClient({ port }: Running): Promise<string[]> {
  const client = new Client({ name: "check", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`));
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  try {
    const rest = await Promise.all(
      ["plans", "releases/latest?platform=macos"].map(async (path) =>
        (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json(),
      ),
    );
    const calls = [
      { name: "get_pricing", arguments: {} },
      { name: "get_latest_version", arguments: { platform: "macos" } },
    ];
    const results = await Promise.all(calls.map((call) => client.callTool(call)));
    const { tools } = await client.listTools();
    const differing = calls.filter(
      (_, index) => JSON.stringify(results[index]?.structuredContent) !== JSON.stringify(rest[index]),
    );
    return [
      ...differing.map(({ name }) => `${name} differs from REST`),
      ...(tools.length === 2 ? [] : ["not two tools"]),
    ];
  } finally {
    await client.close();
  }
}

/** The parts of the browser's check that are used: its own packages may not be installed. */
interface Visits {
  startChromium(path: string): Promise<{ close(): Promise<void> }>;
  visit(
    browser: unknown,
    visit: { address: string },
    look: (page: { textContent(selector: string): Promise<string | null> }) => Promise<string[]>,
  ): Promise<string[]>;
}

/** Asks a page's faults; the reason if there is no browser. */
export async function startBrowser(onFinished: OnFinished): Promise<((port: number) => Promise<string[]>) | string> {
  const found = findChromium();
  if ("reason" in found) return found.reason;
  const load = async <Name extends keyof Visits>(file: string) =>
    (await import(join(BROWSER, file))) as Pick<Visits, Name>;
  const { startChromium } = await load<"startChromium">("chromium.ts");
  const { visit } = await load<"visit">("visit.ts");
  const browser = await startChromium(found.path);
  onFinished(() => browser.close());
  return (port) =>
    visit(browser, { address: `http://127.0.0.1:${port}/` }, async (page) =>
      (await page.textContent("main"))?.includes(VENDOR) ? [] : ["the page does not show the vendor"],
    );
}
