// The sample facts that `init` writes are those of the demo vendor. `check` and the collector warn of them.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { PAYLOADS, payloadText, type Payload, type SnapshotName } from "../../snapshots/snapshot.ts";
import { DEMO } from "../package-files.ts";

/** The text of a sample file. */
export function sampleText(file: "plans.json" | "releases.json"): string {
  return readFileSync(new URL(file, DEMO), "utf8");
}

/** One line that names the snapshots whose payload is the sample's; undefined if there are none. */
export function sampleWarning(facts: readonly { name: SnapshotName; payload: Payload }[]): string | undefined {
  const names = facts.filter(isSample).map(({ name }) => name.replace(/^release-/, ""));
  if (names.length === 0) return undefined;
  return `still the sample facts of "init": ${names.join(", ")}; replace them with your own before you publish`;
}

/** A release counts as the sample as long as it has the sample's link. */
function isSample({ name, payload }: { name: SnapshotName; payload: Payload }): boolean {
  const sample = sampleOf(name);
  if ("plans" in sample) return isDeepStrictEqual(JSON.parse(payloadText(payload)), JSON.parse(payloadText(sample)));
  return linkOf(payload) !== undefined && linkOf(payload) === linkOf(sample);
}

function linkOf(payload: Payload): string | undefined {
  return "hasUpdate" in payload && payload.hasUpdate ? payload.latest.downloadURL : undefined;
}

function sampleOf(name: SnapshotName): Payload {
  if (name === "plans") return PAYLOADS.plans.parse(JSON.parse(sampleText("plans.json")));
  const releases = JSON.parse(sampleText("releases.json")) as Record<string, unknown>;
  return PAYLOADS[name].parse(releases[name === "release-macos" ? "macos" : "windows"]);
}
