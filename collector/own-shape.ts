// Vitrine's own shape, as a vendor's file or service writes it: the public payload, perhaps with more around it. Fields
// nobody listed are dropped and counted: refusing them would turn a harmless addition into an outage.
import type { z } from "zod";
import { publicUrl } from "../snapshots/rules.ts";
import { PAYLOADS, type SnapshotName } from "../snapshots/snapshot.ts";
import { changelogText, sizeText } from "./normal.ts";
import { UpstreamError, type Candidate } from "./source.ts";

/** Reads a PlansResponse or a LatestReleaseResponse; `{ macos, windows }` of the latter when one source serves both.
 * @throws UpstreamError */
export function fromOwnShape(upstream: unknown, name: SnapshotName, names: readonly SnapshotName[]): Candidate {
  if (name === "plans") return dropUnlisted(PAYLOADS.plans, upstream);
  const answer = names.length === 1 ? upstream : member(upstream, name.slice("release-".length));
  if (!isObject(answer)) return { payload: answer, dropped: 0 };
  const { latest } = answer;
  if (answer.hasUpdate === false && isObject(latest)) {
    throw new UpstreamError("says that there is no release, and yet describes one");
  }
  return dropUnlisted(PAYLOADS[name], isObject(latest) ? { ...answer, latest: normalRelease(latest) } : answer);
}

function normalRelease(release: Record<string, unknown>): Record<string, unknown> {
  const { size, changelog, downloadURL } = release;
  return {
    ...release,
    size: sizeText(size),
    ...(typeof changelog === "string" && { changelog: changelogText(changelog) }),
    ...(typeof downloadURL === "string" && { downloadURL: publicUrl(downloadURL) }),
  };
}

function member(upstream: unknown, platform: string): unknown {
  if (isObject(upstream) && Object.hasOwn(upstream, platform)) return upstream[platform];
  throw new UpstreamError(`the answer has no "${platform}"; write {"hasUpdate": false} there if nothing is published`);
}

/** Takes away what the strict schema itself reports as unlisted, at every level. */
function dropUnlisted(schema: z.ZodType, value: unknown): Candidate {
  const payload = structuredClone(value);
  let dropped = 0;
  for (const issue of schema.safeParse(payload).error?.issues ?? []) {
    if (issue.code !== "unrecognized_keys") continue;
    const holder = issue.path.reduce<unknown>((at, step) => (isObject(at) ? at[String(step)] : undefined), payload);
    for (const key of issue.keys) if (isObject(holder) && delete holder[key]) dropped++;
  }
  return { payload, dropped };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
