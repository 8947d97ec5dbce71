// A snapshot: a payload in an envelope with its name and its times, and its stored form. Bytes become a Snapshot only here, and only if
// format, name, payload, times and checksums are all correct. The checksum covers the envelope, too: a flipped bit in `freshUntil`
// would otherwise serve old facts for years. The format is open: a reader ignores the fields that it does not know, and the checksum
// covers them, so whatever is added to it, collectors and servers of different versions work together.
import { createHash } from "node:crypto";
import * as z from "zod";
import { slugOf } from "./rules.ts";
import type { Platform } from "./schema.ts";
import {
  LatestReleaseResponse,
  MAX_KEYS,
  MAX_PROOF,
  PlanNames,
  PlansResponse,
  PublicKey,
  ReleaseFiles,
} from "./schema.ts";
import { parseJson } from "./store.ts";

export const SNAPSHOT_NAMES = ["plans", "release-macos", "release-windows"] as const;
export type SnapshotName = (typeof SNAPSHOT_NAMES)[number];

/** Limit for a payload's JSON in UTF-8. The server decodes it between two requests: a few ms for 1,000 plans with two prices
 * each, tens of ms for a MiB of prices. */
const MAX_PAYLOAD_BYTES = 1024 * 1024;

export type Payload = PlansResponse | LatestReleaseResponse;

/** A payload with its JSON, which is byte for byte the body of the REST answer, and the SHA-256 of that in hexadecimal. The three
 * are made once, where a payload enters the program, and carried from there. */
export interface Fact {
  payload: Payload;
  text: string;
  sha256: string;
}

/** `payload` has passed its schema. */
export function factOf(payload: Payload): Fact {
  const text = JSON.stringify(payload);
  return { payload, text, sha256: sha256(text) };
}

/** The schema of each payload, for the collector's gate and for every reader; of a release, for one platform only. */
export const FACTS: Record<SnapshotName, z.ZodType<Fact>> = {
  plans: limited(PlansResponse),
  "release-macos": limited(releaseFor("macos")),
  "release-windows": limited(releaseFor("windows")),
};

const instant = z.iso.datetime();
/** The most gaps of one revision; the oldest become one. */
export const MAX_GAPS = 20;

/** Times in which a revision was stale, oldest first. */
const Gaps = z.array(z.object({ from: instant, until: instant })).max(MAX_GAPS);
export type Gaps = z.infer<typeof Gaps>;

const MAX_PRODUCT_LENGTH = 64;

export const Product = z
  .string()
  .regex(/^[a-z0-9-]+$/, "use lowercase letters, digits and hyphens, such as acme-notes")
  .max(MAX_PRODUCT_LENGTH);

/** The short name for a public name. With a hash if the slug leaves out more than marks between words: C++ is not C#. */
export function productOf(name: string): string {
  const slug = slugOf(name).slice(0, MAX_PRODUCT_LENGTH);
  const isWhole =
    slug === slugOf(name) && !/[^\p{Script=Latin}\p{M}\d\s\-_.,:;/&'’"()!|·–—®™©]/u.test(name.normalize("NFKD"));
  if (slug !== "" && isWhole) return slug;
  const hash = sha256(name.normalize("NFKD")).slice(0, 8);
  return `${(slug || "product").slice(0, MAX_PRODUCT_LENGTH - hash.length - 1).replace(/-$/, "")}-${hash}`;
}

/** Times are ISO 8601, UTC. `changedAt`: when the payload last changed; `confirmedAt`: when the source last confirmed
 * it; `freshUntil`: until when it may be served. `revision` counts the changes; `sha256` is of the payload's JSON.
 * `product`: if the collector knows it. `names`: of the plans; `files`: the installers of a release; `proof`:
 * the token that covers all of this; `keys`: the public keys beside it; `gaps`: when it was stale since `changedAt`, before
 * `confirmedAt`. What a newer version adds to these is not known here, and what is not readable counts as none. */
export const Envelope = z.object({
  product: Product.optional(),
  name: z.enum(SNAPSHOT_NAMES),
  revision: z.int().min(1),
  changedAt: instant,
  confirmedAt: instant,
  freshUntil: instant,
  source: z.string().max(64),
  sha256: z.string().length(64),
  names: PlanNames.optional().catch(undefined),
  files: ReleaseFiles.optional().catch(undefined),
  proof: z.string().max(MAX_PROOF).optional().catch(undefined),
  keys: z.array(PublicKey).max(MAX_KEYS).optional().catch(undefined),
  gaps: Gaps.optional().catch(undefined),
});
export type Envelope = z.infer<typeof Envelope>;
export type Snapshot = Envelope & Fact;

export function releaseName(platform: Platform): SnapshotName {
  return `release-${platform}`;
}

/** The end of a snapshot's address, and the subject of its proof. */
export function subjectOf(name: string): string {
  return name.replace("release-", "releases/");
}

export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

export const FACT_STATES = ["fresh", "stale", "missing"] as const;

/** Whether a snapshot may be served now, and what is known of it: nothing of one that is missing. */
export type FactState<Fresh extends object, Stale extends object = Fresh> =
  | ({ state: "fresh" } & Fresh)
  | ({ state: "stale" } & Stale)
  | { state: "missing" };

/** True while the snapshot may be served. `now`: in ms since the epoch. */
export function isFresh(snapshot: Snapshot, now: number): boolean {
  return now < Date.parse(snapshot.freshUntil);
}

/** The snapshot may be served for so many ms in all. */
export function lifetime({ confirmedAt, freshUntil }: Pick<Envelope, "confirmedAt" | "freshUntil">): number {
  return Date.parse(freshUntil) - Date.parse(confirmedAt);
}

const SnapshotFile = Envelope.extend({ format: z.literal(3), payload: z.unknown(), checksum: z.string().length(64) });

/** A snapshot confirmed further in the future is damaged: clocks differ, but not by so much. */
export const MAX_AHEAD_MS = 5 * 60_000;

/** The longest `staleAfter` of the collector's settings. */
const MAX_LIFETIME_MS = 365 * 24 * 60 * 60_000;

/** The stored form of a snapshot: the same bytes on every server. */
export function encodeSnapshot({ text, ...envelope }: Omit<Snapshot, "payload">): Uint8Array {
  const start = JSON.stringify({ format: 3, ...Envelope.parse(envelope) }).slice(0, -1);
  const covered = `${start},"payload":${text}`;
  return Buffer.from(`${covered},"checksum":"${sha256(`${covered}}`)}"}\n`);
}

/** Decodes the stored form. @throws Error that names the damage, without quoting it. */
export function decodeSnapshot(bytes: Uint8Array, name: SnapshotName): Snapshot {
  const document = parseJson(bytes);
  if (document === undefined) throw new Error("not JSON in UTF-8");
  const { data: file } = SnapshotFile.safeParse(document);
  if (!file) throw new Error("not a snapshot of format 3");
  if (file.name !== name) throw new Error("the snapshot of another name");
  const { data: fact } = FACTS[name].safeParse(file.payload);
  if (!fact) throw new Error("payload is not in its public shape");
  const envelope = Envelope.parse(file);
  // The checksum is of the document, because `file` has lost the fields that this version does not know. The hash is of the checked
  // payload: the schema puts the fields in its own order, and drops a `__proto__`.
  const isIntact = file.checksum === checksumOf(Object(document)) && file.sha256 === fact.sha256;
  if (!isIntact) throw new Error("checksum does not match");
  if (!isPossible(envelope)) throw new Error("its times contradict each other");
  return { ...envelope, ...fact };
}

/** It covers the JSON of all fields but the checksum itself, in their order. */
function checksumOf(covered: {}): string {
  return sha256(JSON.stringify(Object.fromEntries(Object.entries(covered).filter(([key]) => key !== "checksum"))));
}

/** `freshUntil` may be before `confirmedAt` only by as much as the clock may have been ahead. */
function isPossible(envelope: Envelope): boolean {
  const isInOrder = Date.parse(envelope.changedAt) <= Date.parse(envelope.confirmedAt);
  return isInOrder && lifetime(envelope) >= -MAX_AHEAD_MS && lifetime(envelope) <= MAX_LIFETIME_MS;
}

function limited(schema: z.ZodType<Payload>): z.ZodType<Fact> {
  const isWithinLimit = ({ text }: Fact) => Buffer.byteLength(text) <= MAX_PAYLOAD_BYTES;
  return schema.transform(factOf).refine(isWithinLimit, "its facts must be at most 1 MiB of JSON");
}

function releaseFor(platform: Platform): z.ZodType<LatestReleaseResponse> {
  const isOfPlatform = (release: LatestReleaseResponse) => !release.hasUpdate || release.latest.platform === platform;
  return LatestReleaseResponse.refine(isOfPlatform, { path: ["latest", "platform"], message: `must be ${platform}` });
}
