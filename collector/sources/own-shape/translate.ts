// Vitrine's own shape, as a vendor's file or service writes it: the public payload, perhaps with more around it. Fields
// nobody listed are dropped and counted: refusing them would turn a harmless addition into an outage.
import type * as z from "zod";
import { publicUrl } from "../../../snapshots/rules.ts";
import { PAYLOADS, type SnapshotName } from "../../../snapshots/snapshot.ts";
import { changelogText, nameText, sizeText } from "../../parsing/normalize.ts";
import { fieldPath } from "../../gate.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import type { Candidate } from "../../source.ts";

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
  if (countEntries(value) > MAX_ENTRIES) throw new UpstreamError(`more than ${MAX_ENTRIES} plans, cycles and prices`);
  const payload = copy(value, LISTED_DEPTH);
  let dropped = 0;
  const droppedFields: string[] = [];
  for (const issue of schema.safeParse(payload).error?.issues ?? []) {
    if (issue.code !== "unrecognized_keys") continue;
    const holder = issue.path.reduce<unknown>((at, step) => (isObject(at) ? at[String(step)] : undefined), payload);
    for (const key of issue.keys) {
      if (!isObject(holder) || !delete holder[key]) continue;
      dropped++;
      if (droppedFields.length < MOST_NAMED) droppedFields.push(nameText(fieldPath([...issue.path, key])));
    }
  }
  return { payload, dropped, droppedFields };
}

/** Most fields that are named one by one. */
const MOST_NAMED = 20;

/** Each bad entry costs the schema check several notes: without a limit, 10 MiB of `{}` would take a gigabyte. */
const MAX_ENTRIES = 20_000;

function countEntries(value: unknown): number {
  if (!isObject(value)) return 0;
  const { plans, cycles } = value;
  const listed = [plans, cycles].filter((list) => Array.isArray(list)).flat();
  const prices = listed.map((entry) =>
    isObject(entry) && isObject(entry.prices) ? Object.keys(entry.prices).length : 0,
  );
  return prices.reduce((sum, count) => sum + count, listed.length);
}

/** How deep the public shapes go: no listed field lies below. */
const LISTED_DEPTH = 5;

/** A copy to delete from. What lies deeper is shared, and goes with the unlisted field that it hangs on. */
function copy(value: unknown, depth: number): unknown {
  if (depth === 0 || !isObject(value)) return value;
  if (Array.isArray(value)) return value.map((item) => copy(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item, depth - 1)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
