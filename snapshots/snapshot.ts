// The envelope: a payload, its name, and until when it may be believed. Bytes become a Snapshot only here, and only
// when the shape, the name, the checksum and the payload are all right: a reader never holds half a truth.
import { createHash } from "node:crypto";
import * as z from "zod";
import { parseJson } from "./read-document.ts";
import { LatestReleaseResponse, PlansResponse, type Platform } from "./schema.ts";

export const SNAPSHOT_NAMES = ["plans", "release-macos", "release-windows"] as const;
export type SnapshotName = (typeof SNAPSHOT_NAMES)[number];
export type Payload = PlansResponse | LatestReleaseResponse;

/** Largest payload, in bytes of its JSON in UTF-8: a reader decodes it between two requests. */
const MAX_PAYLOAD_BYTES = 1024 * 1024;

/** The schema of each payload, for the collector's gate and for every reader: of a release, only of the right platform. */
export const PAYLOADS: Record<SnapshotName, z.ZodType<Payload>> = {
  plans: limited(PlansResponse),
  "release-macos": limited(releaseFor("macos")),
  "release-windows": limited(releaseFor("windows")),
};

const instant = z.iso.datetime();

/** Times are ISO 8601, UTC. `changedAt`: when the payload last differed; `confirmedAt`: when the source last said so;
 * `freshUntil`: until when it may be believed. `revision` counts the changes; `sha256` is of the payload's JSON. */
const Sealed = z.strictObject({
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

export type Envelope = Omit<z.infer<typeof Sealed>, "payload">;
export type Snapshot = Envelope & { payload: Payload };
/** A snapshot as it is served; `body`: the payload's JSON in UTF-8. */
export type Servable = Snapshot & { body: Uint8Array };

/** A snapshot dated further ahead than this is not believed, milliseconds: clocks differ, but not so much. */
export const MAX_AHEAD = 5 * 60_000;

export function releaseName(platform: Platform): SnapshotName {
  return `release-${platform}`;
}

/** The JSON text of a payload: byte for byte the REST body, and what `sha256` is of. */
export function payloadText(payload: unknown): string {
  return JSON.stringify(payload);
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** True while the snapshot may be believed. `now`: milliseconds since the epoch. */
export function isFresh(snapshot: Snapshot, now: number): boolean {
  return now < Date.parse(snapshot.freshUntil);
}

/** For how long it may be believed in all, milliseconds. */
export function lifetime({ confirmedAt, freshUntil }: Pick<Envelope, "confirmedAt" | "freshUntil">): number {
  return Date.parse(freshUntil) - Date.parse(confirmedAt);
}

/** True for a fresh snapshot that has spent half of its lifetime: several runs have not confirmed it, and there is still
 * time to see to it. `left`: milliseconds for which it may still be believed. */
export function isAging(envelope: Pick<Envelope, "confirmedAt" | "freshUntil">, left: number): boolean {
  return left > 0 && left < lifetime(envelope) / 2;
}

/** UTF-8 bytes of a snapshot, as they are stored. */
export function encodeSnapshot(snapshot: Snapshot): Uint8Array {
  return Buffer.from(`${JSON.stringify(snapshot)}\n`);
}

/** Reads stored bytes back. @throws Error saying what is damaged, without quoting it. */
export function decodeSnapshot(bytes: Uint8Array, name: SnapshotName): Snapshot {
  const { envelope, payload } = unseal(bytes, name);
  return { ...envelope, payload };
}

/** Reads stored bytes back to be served. @throws Error as `decodeSnapshot` does. */
export function decodeServable(bytes: Uint8Array, name: SnapshotName): Servable {
  const { envelope, payload, text } = unseal(bytes, name);
  return { ...envelope, payload, body: new TextEncoder().encode(text) };
}

function unseal(bytes: Uint8Array, name: SnapshotName): { envelope: Envelope; payload: Payload; text: string } {
  const document = parseJson(bytes);
  if (document === undefined) throw new Error("not JSON in UTF-8");
  const sealed = Sealed.safeParse(document);
  if (!sealed.success) throw new Error("not a snapshot of format 1");
  const { payload, ...envelope } = sealed.data;
  if (envelope.name !== name) throw new Error("the snapshot of another name");
  const checked = PAYLOADS[name].safeParse(payload);
  if (!checked.success) throw new Error("payload is not in its public shape");
  // Of what will be served, not of what was read: the schema has fields in its own order, and drops a `__proto__`.
  const text = payloadText(checked.data);
  if (envelope.sha256 !== sha256(text)) throw new Error("checksum does not match");
  return { envelope, payload: checked.data, text };
}

function limited(schema: z.ZodType<Payload>): z.ZodType<Payload> {
  const isWithinLimit = (payload: Payload) => Buffer.byteLength(payloadText(payload)) <= MAX_PAYLOAD_BYTES;
  return schema.refine(isWithinLimit, "its facts must be at most 1 MiB of JSON");
}

function releaseFor(platform: Platform): z.ZodType<LatestReleaseResponse> {
  const isOfPlatform = (release: LatestReleaseResponse) => !release.hasUpdate || release.latest.platform === platform;
  return LatestReleaseResponse.refine(isOfPlatform, { path: ["latest", "platform"], message: `must be ${platform}` });
}
