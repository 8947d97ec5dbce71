// A pin is told from what the list was when it was read: an upstream that says "unchanged", or nothing, changes nothing of it.
import { describe, expect, test } from "vitest";
import type { CrossChecked } from "../../../collector/hooks.ts";
import { openSource, SourceSettings } from "../../../collector/sources/sources.ts";
import { readReport } from "../../../snapshots/records.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { runnerOf } from "../../support/collecting/collector.ts";
import { json, jsonWithEtag, startUpstream, status } from "../../support/collecting/upstream.ts";
import { isIn } from "../../support/program/feature.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { factsIn } from "../../support/snapshot.ts";

const LIST = "/repos/acme/notes/releases";

function release(tag_name: string, published_at: string) {
  const name = `Notes-${tag_name.slice(1)}.dmg`;
  const assets = [{ name, state: "uploaded", size: 1, browser_download_url: `https://dl.acme.com/${name}` }];
  return { tag_name, draft: false, prerelease: false, published_at, body: "", assets };
}

const NINE = release("v9.4.0", "2026-01-02T00:00:00Z");
const TEN = release("v10.0.0", "2026-02-03T00:00:00Z");

/** A collector whose only source leaves out version 10. Returns what a run tells of it. */
async function startPinned() {
  const upstream = await startUpstream();
  const directory = await temporaryDirectory();
  const store = openStore(directory);
  const settings = SourceSettings.parse({ from: "github", repo: "acme/notes", api: upstream.origin, tag: "v9.*" });
  const source = openSource(settings, { names: ["release-macos"], directory, environment: {} });
  const run = runnerOf([source], store);
  let time = Date.parse("2026-03-01T00:00:00Z");
  return {
    upstream,
    run: async () => {
      const told: CrossChecked[] = [];
      time += 60 * 60_000;
      await run({ now: () => time, staleAfter: 1e9, onCrossCheck: (one) => void told.push(one) });
      return told;
    },
    records: async () => (await readReport(factsIn(store)))?.crossChecks ?? [],
  };
}

describe("a release that a setting leaves out (collector/features/witnesses/pins.ts)", () => {
  test.runIf(isIn("upstream-state")).for([
    ["says unchanged", jsonWithEtag('"1"', [TEN, NINE])],
    ["does not answer", status(403)],
  ] as const)("is told as before while the upstream %s", async ([, behaviour]) => {
    const { upstream, run, records } = await startPinned();
    upstream.set(LIST, jsonWithEtag('"1"', [TEN, NINE]));
    const told = await run();
    expect(told).toMatchObject([{ result: "disagrees", published: "9.4.0", found: "v10.0.0" }]);
    const known = await records();
    expect(known).toMatchObject([{ name: "release-macos", disagreement: { since: "2026-03-01T01:00:00.000Z" } }]);
    upstream.set(LIST, behaviour);
    for (const time of ["once", "and again"]) {
      expect(await run(), time).toEqual(told);
      expect(await records(), time).toEqual(known);
    }
    expect(upstream.requests.at(-2)?.headers["if-none-match"]).toBe('"1"');
  });

  test("ends with a list that has no such release", async () => {
    const { upstream, run, records } = await startPinned();
    upstream.set(LIST, json([TEN, NINE]));
    await run();
    upstream.set(LIST, json([NINE]));
    expect(await run()).toMatchObject([{ result: "agrees", isNew: true }]);
    expect(await records()).toEqual([]);
    expect(await run()).toEqual([]);
  });
});
