// The sample facts that `init` writes are those of the demo vendor. Until they are replaced, `check` warns of them in the sources,
// and `start`, `serve` and `collect` of those in the store. The guard lets anything replace them.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { readSnapshot, type Facts } from "../../../snapshots/facts.ts";
import { type Payload, SNAPSHOT_NAMES, type SnapshotName } from "../../../snapshots/snapshot.ts";
import { Unreachable } from "../../../snapshots/store.ts";
import { typedHere } from "../../command-hints.ts";
import type { Companion } from "../../command.ts";
import { DEMO } from "../../package-files.ts";
import { SAMPLE_NAME, type Configuration } from "../../settings/configure.ts";

export const samples: Companion = { isSample, remark: publishedSampleWarning, remarkOnFiles: sampleWarning };

export function sampleText(file: "plans.json" | "releases.json"): string {
  return readFileSync(new URL(file, DEMO), "utf8");
}

/** One line that names the snapshots whose payload is the sample's, and the settings that are; undefined if there are none. The demo's
 * are its own. */
function sampleWarning(
  facts: readonly { name: SnapshotName; payload: Payload }[],
  { isDemo, settings }: Configuration,
): string | undefined {
  const texts = (["name", "description"] as const).filter((key) => settings.api[key].includes(SAMPLE_NAME));
  const names = [...samplesAmong(facts), ...texts.map((key) => `api.${key}`)];
  if (isDemo || names.length === 0) return undefined;
  return `still the sample facts of "init": ${names.join(", ")}; replace them with your own before you publish`;
}

/** The same of the published snapshots. An unreachable store has none. */
async function publishedSampleWarning(facts: Facts, { isDemo }: Configuration): Promise<string | undefined> {
  if (isDemo) return undefined;
  const published = SNAPSHOT_NAMES.map(async (name) => {
    const read = await readSnapshot(facts, name);
    return read.state === "found" ? [{ name, payload: read.snapshot.payload }] : [];
  });
  const found = await Promise.all(published).catch((error: unknown) => {
    if (error instanceof Unreachable) return [];
    throw error;
  });
  const names = samplesAmong(found.flat());
  const remedy = `replace them with your own, then: ${typedHere("collect")}`;
  if (names.length === 0) return undefined;
  return `the sample facts of "init" are published as yours: ${names.join(", ")}; ${remedy}`;
}

function samplesAmong(facts: readonly { name: SnapshotName; payload: Payload }[]): string[] {
  return facts.filter(({ payload }) => isSample(payload)).map(({ name }) => name.replace(/^release-/, ""));
}

/** A release counts as the sample as long as it has a sample's link. */
function isSample(payload: Payload): boolean {
  // As JSON, -0 is 0.
  if ("plans" in payload)
    return isDeepStrictEqual(JSON.parse(JSON.stringify(payload)), JSON.parse(sampleText("plans.json")));
  return payload.hasUpdate && sampleText("releases.json").includes(JSON.stringify(payload.latest.downloadURL));
}
