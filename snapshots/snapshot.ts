// A snapshot: a payload in an envelope with its name, its times and a checksum. Bytes become a Snapshot only here, and
// only if format, name, payload and checksum are all correct.
import { createHash } from "node:crypto";
import * as z from "zod";
import { parseJson } from "./read-document.ts";
import { LatestReleaseResponse, PlansResponse, type Platform } from "./schema.ts";

export const SNAPSHOT_NAMES = ["plans", "release-macos", "release-windows"] as const;
export type SnapshotName = (typeof SNAPSHOT_NAMES)[number];
export type Payload = PlansResponse | LatestReleaseResponse;

/** Of the payload's JSON in UTF-8. The server decodes it between two requests: a few ms for 1,000 plans with two prices
 * each, tens of ms for a MiB of prices. */
const MAX_PAYLOAD_BYTES = 1024 * 1024;

/** The schema of each payload, for the collector's gate and for every reader; of a release, for one platform only. */
export const PAYLOADS: Record<SnapshotName, z.ZodType<Payload>> = {
  plans: limited(PlansResponse),
  "release-macos": limited(releaseFor("macos")),
  "release-windows": limited(releaseFor("windows")),
};

const instant = z.iso.datetime();

/** Times are ISO 8601, UTC. `changedAt`: when the payload last changed; `confirmedAt`: when the source last confirmed
 * it; `freshUntil`: until when it may be served. `revision` counts the changes; `sha256` is of the payload's JSON. */
const SnapshotFile = z.strictObject({
  format: z.literal(1),
  name: z.enum(SNAPSHOT_NAMES),
  revision: z.int().min(1),
  changedAt: instant,
  confirmedAt: instant,
  freshUntil: instant,
  source: z.string().max(64),
  sha256: z.string().length(64),
  payload: z.unknown(),
});

export type Envelope = Omit<z.infer<typeof SnapshotFile>, "payload">;
export type Snapshot = Envelope & { payload: Payload };

/** A snapshot confirmed further in the future is damaged: clocks differ, but not by so much. */
export const MAX_AHEAD_MS = 5 * 60_000;

export function releaseName(platform: Platform): SnapshotName {
  return `release-${platform}`;
}

/** The JSON of a payload: byte for byte the body of the REST answer, and the text that `sha256` is computed from. */
export function payloadText(payload: unknown): string {
  return JSON.stringify(payload);
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** True while the snapshot may be served. `now`: in ms since the epoch. */
export function isFresh(snapshot: Snapshot, now: number): boolean {
  return now < Date.parse(snapshot.freshUntil);
}

/** For how long the snapshot may be served in all, in ms. */
export function lifetime({ confirmedAt, freshUntil }: Pick<Envelope, "confirmedAt" | "freshUntil">): number {
  return Date.parse(freshUntil) - Date.parse(confirmedAt);
}

/** True for a fresh snapshot past half of its lifetime: several runs have failed to confirm it, and there is still time
 * to fix that. `timeLeft`: for how long it may still be served, in ms. */
export function isAging(envelope: Pick<Envelope, "confirmedAt" | "freshUntil">, timeLeft: number): boolean {
  return timeLeft > 0 && timeLeft < lifetime(envelope) / 2;
}

/** The stored form of a snapshot. */
export function encodeSnapshot(snapshot: Snapshot): Uint8Array {
  return Buffer.from(`${JSON.stringify(snapshot)}\n`);
}

/** Decodes the stored form. @throws Error that names the damage, without quoting it. */
export function decodeSnapshot(bytes: Uint8Array, name: SnapshotName): Snapshot {
  const document = parseJson(bytes);
  if (document === undefined) throw new Error("not JSON in UTF-8");
  const { data: snapshot } = SnapshotFile.safeParse(document);
  if (!snapshot) throw new Error("not a snapshot of format 1");
  if (snapshot.name !== name) throw new Error("the snapshot of another name");
  const { data: payload } = PAYLOADS[name].safeParse(snapshot.payload);
  if (!payload) throw new Error("payload is not in its public shape");
  // Of the checked payload: the schema puts the fields in its own order, and drops a `__proto__`.
  if (snapshot.sha256 !== sha256(payloadText(payload))) throw new Error("checksum does not match");
  return { ...snapshot, payload };
}

function limited(schema: z.ZodType<Payload>): z.ZodType<Payload> {
  const isWithinLimit = (payload: Payload) => Buffer.byteLength(payloadText(payload)) <= MAX_PAYLOAD_BYTES;
  return schema.refine(isWithinLimit, "its facts must be at most 1 MiB of JSON");
}

function releaseFor(platform: Platform): z.ZodType<LatestReleaseResponse> {
  const isOfPlatform = (release: LatestReleaseResponse) => !release.hasUpdate || release.latest.platform === platform;
  return LatestReleaseResponse.refine(isOfPlatform, { path: ["latest", "platform"], message: `must be ${platform}` });
}
