// `tag`, `asset` and `since` that leave out a later release: what the operator hears of it, and for how long.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { json, startUpstream } from "../../support/collecting/upstream.ts";
import { isIn } from "../../support/program/feature.ts";
import { typeInProcess } from "../../support/program/in-process.ts";
import { settingsDirectory, UNCHECKED_LINKS } from "../../support/program/settings.ts";

const HOUR = 60 * 60_000;
const LIST = "/repos/acme/notes/releases";

function release(tag_name: string, published_at: string, name = `Notes-${tag_name.slice(1)}.dmg`) {
  const assets = [{ name, state: "uploaded", size: 1, browser_download_url: `https://dl.acme.com/${name}` }];
  return { tag_name, draft: false, prerelease: false, published_at, body: "", assets };
}

const NINE = release("v9.4.0", "2026-01-02T00:00:00Z");
const TEN = release("v10.0.0", "2026-02-03T00:00:00Z");

/** A vendor whose only source is pinned. */
async function startPinned(setting: object) {
  const upstream = await startUpstream();
  const source = (more: object) => ({ from: "github", repo: "acme/notes", api: upstream.origin, ...more });
  const settings = (more: object) => ({
    api: { name: "Notes" },
    product: "acme-notes",
    plans: "none",
    releases: { macos: source(more), windows: "none" },
    ...UNCHECKED_LINKS,
    snapshots: "facts",
    staleAfter: "30d",
  });
  const directory = await settingsDirectory(settings(setting));
  const start = Date.parse("2026-03-01T00:00:00Z");
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  return {
    upstream,
    write: (more: object) => writeFile(join(directory, "vitrine.config.json"), JSON.stringify(settings(more))),
    run: (hours: number, ...words: string[]) => {
      vi.setSystemTime(start + hours * HOUR);
      return typeInProcess(words, { directory });
    },
    version: async () => {
      const { payload } = JSON.parse(await readFile(join(directory, "facts", "release-macos.json"), "utf8")) as {
        payload: { latest: { version: string } };
      };
      return payload.latest.version;
    },
  };
}

const WITNESS = 'the cross-check with releases outside "tag": "v9.*" (if that is meant, add "pinned": true)';
const TOLD = `! macos published 9.4.0; ${WITNESS} has v10.0.0 (disagrees since 2026-03-01 00:00 UTC)`;

describe("a later release outside `tag` (collector/features/witnesses/pins.ts)", () => {
  test("is told in each run and in status, and by exit code after twelve hours", async () => {
    const { upstream, run, version } = await startPinned({ tag: "v9.*" });
    upstream.set(LIST, json([TEN, NINE]));
    for (const [hours, code] of [
      [0, 0],
      [1, 0],
      [13, 5],
      [14, 5],
    ] as const) {
      const ran = await run(hours, "collect");
      expect(ran, `${hours}`).toMatchObject({ code, stderr: "" });
      expect(ran.stdout.replace(/ {2,}/g, " ")).toContain(TOLD);
      if (isIn("status")) {
        const shown = await run(hours, "status");
        expect(shown.code).toBe(code);
        expect(shown.stdout.replaceAll(/\s+/g, " ")).toContain(TOLD.slice("! macos ".length));
      }
      expect(await version()).toBe("9.4.0");
    }
  });

  test("is silent once the settings say that it is meant, and told again when they no longer do", async () => {
    const { upstream, run, write } = await startPinned({ tag: "v9.*" });
    upstream.set(LIST, json([TEN, NINE]));
    await run(0, "collect");
    await run(13, "collect");
    await write({ tag: "v9.*", pinned: true });
    const ran = await run(14, "collect");
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('the cross-check with releases outside "tag": "v9.*" agrees\n');
    expect((await run(15, "collect")).stdout).not.toContain("cross-check");
    await write({ tag: "v9.*" });
    expect((await run(16, "collect")).stdout).toContain("disagrees since 2026-03-01 16:00 UTC");
  });

  test.runIf(isIn("dry-run"))("is named by a dry run, too", async () => {
    const { upstream, run } = await startPinned({ tag: "v9.*" });
    upstream.set(LIST, json([TEN, NINE]));
    const { stdout } = await run(0, "collect", "--dry-run");
    expect(stdout).toContain(
      'newer, passed over: v10.0.0: outside "tag": "v9.*" (if that is meant, add "pinned": true)',
    );
  });

  test("keeps the time when it began while the pinned line goes on", async () => {
    const { upstream, run } = await startPinned({ tag: "v9.*" });
    upstream.set(LIST, json([TEN, NINE]));
    await run(0, "collect");
    upstream.set(LIST, json([release("v9.5.0", "2026-03-01T01:00:00Z"), TEN, NINE]));
    const { stdout } = await run(2, "collect");
    expect(stdout).toMatch(/published 9\.5\.0; .* has v10\.0\.0 \(disagrees since 2026-03-01 00:00 UTC\)/);
  });

  test("is another matter than a file that a pattern leaves out, which is told as well", async () => {
    const { upstream, run } = await startPinned({ asset: "Notes-9.*.dmg" });
    upstream.set(LIST, json([TEN, NINE]));
    const { code, stdout } = await run(0, "collect");
    expect(code).toBe(0);
    expect(stdout).toMatch(/outside "asset": "Notes-9\.\*\.dmg" \(.*\) has v10\.0\.0/);
  });
});
