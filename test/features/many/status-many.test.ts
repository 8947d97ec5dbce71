// `vitrine status DIR...`: one line for each vendor, those in trouble first.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { currentKey } from "../../../snapshots/facts.ts";
import { encodeSnapshot } from "../../../snapshots/snapshot.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { isIn } from "../../support/program/feature.ts";
import { typeInProcess } from "../../support/program/in-process.ts";
import { FILE_SOURCES } from "../../support/program/settings.ts";
import { allSnapshots } from "../../support/serving/server.ts";

const HOUR = 3_600_000;

/** A directory with a vendor of each kind. */
async function vendors() {
  const directory = await temporaryDirectory();
  const add = async (name: string, { settings = {}, confirmedAt = Date.now(), names = 3 }) => {
    const data = join(directory, name, "snapshots/data");
    await mkdir(data, { recursive: true });
    const all = { api: { name: "Acme" }, ...FILE_SOURCES, ...settings };
    await writeFile(join(directory, name, "vitrine.config.json"), JSON.stringify(all));
    for (const snapshot of allSnapshots({ confirmedAt }).slice(0, names))
      await writeFile(join(data, currentKey(snapshot.name)), encodeSnapshot(snapshot));
  };
  await add("fresh", {});
  await add("aging", { confirmedAt: Date.now() - 20 * HOUR });
  await add("stale", { confirmedAt: Date.now() - 30 * HOUR });
  await add("partly", { names: 2 });
  await add("broken", { settings: { planz: "none" } });
  await add("other", { settings: { product: "other-notes" } });
  return (...words: string[]) => typeInProcess(["status", ...words], { directory });
}

describe("vitrine status DIR... (cli/features/many/status-many.ts)", async () => {
  test("says in a line what is wrong with each, the worst first, and exits as the worst", async () => {
    const status = await vendors();
    const { code, stdout } = await status("fresh", "aging", "stale/", "partly", "broken", "missing");
    const lines = stdout.trimEnd().split("\n");
    expect([code, lines.map((line) => line.slice(2, 11).trim())]).toEqual([
      2,
      ["✖ broken", "✖ missing", "✖ stale", "✖ partly", "! aging", "✔ fresh"],
    ]);
    const wrong = isIn("check") ? 'planz   unknown setting; did you mean "plans"\\?' : "plan";
    expect(lines[0]).toMatch(new RegExp(`vitrine\\.config\\.json: ${wrong}`));
    expect(lines[2]).toMatch(/plans stale, stale for 6 h; macos stale/);
    expect(lines[3]).toMatch(/ {3}windows missing$/);
    expect(lines[4]).toMatch(/plans fresh, aging: not confirmed for half of its lifetime/);
    expect(lines[5]).toMatch(/ {3}fresh for 24 h$/);
    expect((await status("fresh", "aging")).code).toBe(0);
    expect((await status("fresh", "stale")).code).toBe(3);
  });

  test("with --json it has the same for programs", async () => {
    const status = await vendors();
    const { code, stdout } = await status("--json", "fresh", "broken", "stale");
    const found = JSON.parse(stdout) as {
      folder: string;
      code: number;
      snapshots?: { name: string; state: string }[];
    }[];
    expect([code, found.map(({ folder, code }) => `${folder} ${code}`)]).toEqual([
      2,
      ["broken 2", "stale 3", "fresh 0"],
    ]);
    expect(found[1]?.snapshots?.[0]).toMatchObject({ name: "plans", state: "stale" });
  });

  test("refuses what belongs to one vendor", async () => {
    const status = await vendors();
    const { code, stderr } = await status("fresh", "--url", "http://127.0.0.1:9");
    expect([code, stderr]).toEqual([2, expect.stringContaining("--url cannot be combined with folders")]);
    const { stderr: told } = await status("fresh", "--config", "fresh/vitrine.config.json");
    expect(told).toContain("--config cannot be combined with folders: leave them out");
    expect((await status("plans")).stderr).toContain("takes folders, and there is none of this name: without any, it");
  });
});
