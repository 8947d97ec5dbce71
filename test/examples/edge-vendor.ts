// A vendor at the edge, by the steps of docs/edge.md: the settings, the collected facts, a web host with the three snapshots, and
// the built file.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { body, startUpstream } from "../support/collecting/upstream.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { typeInProcess } from "../support/program/in-process.ts";
import { vitrine } from "../support/program/run.ts";
import { projectFile } from "./read.ts";

export const BASE = "https://facts.acme.example";
/** The signature of a PNG, and a byte. */
export const LOGO = Buffer.from("89504e470d0a1a0a00", "hex");
const SNAPSHOTS = ["plans.json", "release-macos.json", "release-windows.json"];
const PLACE = "https://acme.github.io/notes/";

/** The fenced blocks of docs/edge.md with one word after their fence. */
export async function documented(word: string): Promise<string[]> {
  const text = (await projectFile("docs/edge.md")).replaceAll(/^ {3}/gm, "");
  return [...text.matchAll(new RegExp(`^\`\`\`\\w+ ${word}\n(.*?)\n\`\`\`$`, "gms"))].map(([, lines = ""]) => lines);
}

/** Takes the documented steps in an empty directory. `store`: the collector's. */
export async function startVendor(onFinished: (cleanUp: () => Promise<void>) => void = onTestFinished) {
  const directory = await temporaryDirectory(onFinished);
  const host = await startUpstream({ onFinished });
  const store = join(directory, "snapshots");
  for (const line of (await documented("steps")).join("\n").split("\n")) {
    const words = line.replace("npx --no vitrine ", "").replace(PLACE, host.url("/notes/")).split(" ");
    const run = words[0] === "build-edge" ? vitrine : typeInProcess;
    const { code, stderr } = await run(words, { directory, onFinished });
    if (code !== 0) throw new Error(`${line}: ${stderr}`);
    if (words[0] === "init") await setApi(directory);
    if (words[0] === "collect")
      for (const name of SNAPSHOTS) host.set(`/notes/${name}`, body(await readFile(join(store, "data", name))));
  }
  return { directory, host, store: join(store, "data"), built: join(directory, "vitrine-edge.mjs") };
}

/** The public base URL, and a logo: the only answer that is not text. */
async function setApi(directory: string): Promise<void> {
  const file = join(directory, "vitrine.config.json");
  const { api, ...settings } = JSON.parse(await readFile(file, "utf8")) as { api: object };
  await writeFile(join(directory, "logo.png"), LOGO);
  await writeFile(file, JSON.stringify({ ...settings, api: { ...api, baseUrl: BASE, logo: "logo.png" } }));
}
