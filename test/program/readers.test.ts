// What docs/links.md gives to scripts, package managers and other readers is true of the answers. The readers' own engines are run
// by `npm run external -- clients`.
import { execFile, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { noRelease, startServer } from "../support/serving/server.ts";
import { releaseSnapshot } from "../support/snapshot.ts";

const BASE = "https://facts.example.com";
const text = await readFile(join(import.meta.dirname, "../../docs/links.md"), "utf8");
const [, section = ""] = /^## Readers that exist already\n(.*?)(?=^## |(?![^]))/ms.exec(text) ?? [];
const server = await startServer({ onFinished: afterAll });

test("every address in it is answered", async () => {
  const texts = section + decodeURIComponent(section.replaceAll(/%(?![0-9A-F]{2})/g, "%25"));
  const found = texts.matchAll(/https:\/\/facts\.example\.com(\/[\w./?=&:-]*)(\{\{packageName\}\})?/g);
  const targets = new Set([...found].map(([, target = "", name]) => target + (name ? "macos" : "")));
  expect([...targets].toSorted()).toEqual([
    "/api/v1/releases/latest?platform=macos",
    "/api/v1/releases/latest?platform=windows",
    "/changes.atom",
  ]);
  for (const target of targets) expect((await server.get(target)).status, target).toBe(200);
});

const isInstalled = ["curl", "jq"].every((tool) => spawnSync(tool, ["--version"]).status === 0);

describe.skipIf(!isInstalled)("in a release script, with curl and jq,", () => {
  const [read = ""] = /^curl -fsS .*/m.exec(section) ?? [];
  const [wait = ""] = /^until curl .*/m.exec(section) ?? [];

  function run(command: string, base: string, version = ""): Promise<{ stdout: string }> {
    const env = { PATH: process.env.PATH, VERSION: version };
    return promisify(execFile)("sh", ["-c", command.replaceAll(BASE, base)], { env });
  }

  test("the version is read", async () => {
    expect((await run(read, server.base)).stdout).toBe("1.0.1\n");
  });

  test.for([
    ["unavailable", [], "error: 502"],
    ["that does not exist", [noRelease("macos")], "no release is published"],
  ] as const)("a release %s is an error", async ([, snapshots, message]) => {
    const { base } = await startServer({ snapshots });
    await expect(run(read, base)).rejects.toMatchObject({ stdout: "", stderr: expect.stringContaining(message) });
  });

  test("a release is waited for until it is published", async () => {
    const { base, publish } = await startServer({ snapshots: [releaseSnapshot("macos")] });
    const waiting = run(wait.replace("sleep 60", "sleep 0.1"), base, "1.0.2");
    await publish(releaseSnapshot("macos", { revision: 2 }));
    expect((await waiting).stdout).toMatch(/^(?:false\n)*true\n$/);
  });
});
