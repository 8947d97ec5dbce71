// What a run leaves to the next one about each source: which state of the upstream its snapshots were made from, so that
// the next request can be conditional, and until when the upstream wants to be left alone. Kept beside the snapshots, so
// a restart forgets neither; whoever wrote it, it is only used while the source's settings and the snapshots are the same.
import * as z from "zod";
import { payloadText, sha256, SNAPSHOT_NAMES, type Payload, type SnapshotName } from "../../snapshots/snapshot.ts";
import { readDocument } from "../../snapshots/read-document.ts";
import { readSnapshot } from "../../snapshots/snapshot-io.ts";
import type { Store } from "../../snapshots/store.ts";
import type { Validators } from "../http/fetch.ts";
import { UpstreamError } from "../http/upstream-error.ts";
import type { UpstreamAnswer, Source } from "../source.ts";

const MEMORY_KEY = "upstreams.json";

/** Longest time that an upstream can have itself left alone for, milliseconds. */
const LONGEST_PAUSE = 24 * 60 * 60_000;

interface Remembered {
  state?: { validators: Validators; sums: Map<SnapshotName, string> };
  /** Milliseconds since the epoch. */
  notBefore?: number;
}

/** By the names of the snapshots that a source fills: no two sources share one. */
export type Memory = Map<string, Remembered>;

/** The validators to ask with: only while every snapshot that was made from them is still there, whole and the same.
 * Otherwise "not modified" would confirm something else. @throws UpstreamError when the source is not to be asked yet. */
export async function recall(
  memory: Memory,
  source: Source,
  { store, now }: { store: Store; now: number },
): Promise<Validators | undefined> {
  const { notBefore = 0, state } = memory.get(keyOf(source)) ?? {};
  // Further ahead than anybody may ask for: the clock was wrong then, or is now.
  if (notBefore > now && notBefore <= now + LONGEST_PAUSE) throw new NotYet(notBefore);
  if (!state) return undefined;
  for (const [name, sum] of state.sums) {
    const read = await readSnapshot(store, name, now);
    if (read.state !== "found" || read.snapshot.sha256 !== sum) return undefined;
  }
  return state.validators;
}

/** The upstream asked to be left alone for a while, and is. */
class NotYet extends UpstreamError {
  constructor(notBefore: number) {
    const until = new Date(notBefore).toISOString().slice(0, 19).replace("T", " ");
    super(`not asked: its upstream wants to be left alone until ${until} UTC`);
  }
}

/** Remembers an answer all of whose snapshots are published; forgets the state when one of them failed or is held. Of a
 * failure, it remembers when to ask again if the upstream said so. `now`: milliseconds since the epoch. */
export function remember(
  memory: Memory,
  source: Source,
  answer: UpstreamAnswer | "unchanged" | { error: unknown },
  { outcomes, now }: { outcomes: readonly { name: SnapshotName; payload?: Payload }[]; now: number },
): void {
  const { state } = memory.get(keyOf(source)) ?? {};
  if (answer === "unchanged") return set(memory, source, { ...(state && { state }) });
  if ("error" in answer) {
    if (answer.error instanceof NotYet) return;
    const pause = answer.error instanceof UpstreamError ? (answer.error.retryAfter ?? 0) : 0;
    const notBefore = now + Math.min(pause, LONGEST_PAUSE);
    return set(memory, source, { ...(state && { state }), ...(pause > 0 && { notBefore }) });
  }
  const validators = answer.validators ?? {};
  const sums = new Map<SnapshotName, string>();
  for (const { name, payload } of outcomes) if (payload) sums.set(name, sha256(payloadText(payload)));
  const isWhole = sums.size === source.names.length && Boolean(validators.etag || validators.lastModified);
  set(memory, source, isWhole ? { state: { validators, sums } } : {});
}

function set(memory: Memory, source: Source, remembered: Remembered): void {
  if (remembered.state || remembered.notBefore !== undefined) memory.set(keyOf(source), remembered);
  else memory.delete(keyOf(source));
}

function keyOf({ names }: Source): string {
  return names.join(" ");
}

/** Names the settings that a source was opened with, and the version of the program, for each snapshot; a one-way sum. */
export type Fingerprints = ReadonlyMap<SnapshotName, string>;

// Of a state only what can stand in a header again.
const headerText = z.string().regex(/^[\u0020-\u007e]{1,2048}$/);
const MemoryFile = z.strictObject({
  format: z.literal(1),
  sources: z.array(
    z.strictObject({
      names: z.array(z.enum(SNAPSHOT_NAMES)).min(1),
      settings: z.string(),
      notBefore: z.number().optional(),
      etag: headerText.optional(),
      lastModified: headerText.optional(),
      sums: z.array(z.string()).optional(),
    }),
  ),
});
type Entry = z.infer<typeof MemoryFile>["sources"][number];

/** What the store remembers of sources with these settings; nothing when it cannot be read: then the upstream is asked
 * for the whole answer. */
export async function readMemory(store: Store, fingerprints: Fingerprints): Promise<Memory> {
  const memory: Memory = new Map();
  const { sources } = (await readDocument(store, MEMORY_KEY, MemoryFile)) ?? { sources: [] };
  for (const entry of sources) {
    const isOurs = entry.names.every((name) => fingerprints.get(name) === entry.settings);
    if (isOurs) memory.set(entry.names.join(" "), rememberedOf(entry));
  }
  return memory;
}

function rememberedOf({ names, notBefore, etag, lastModified, sums }: Entry): Remembered {
  const pairs = names.map((name, index) => [name, sums?.[index] ?? ""] as const);
  return {
    ...(notBefore !== undefined && { notBefore }),
    ...(sums && { state: { validators: { etag, lastModified }, sums: new Map(pairs) } }),
  };
}

/** Keeps it for the next run, and for the next process. @throws StoreError */
export async function writeMemory(store: Store, text: string): Promise<void> {
  await store.put(MEMORY_KEY, Buffer.from(text));
}

/** As it is written. */
export function memoryText(memory: Memory, fingerprints: Fingerprints): string {
  const sources = [...memory].map(([key, { notBefore, state }]): Entry => {
    const names = SNAPSHOT_NAMES.filter((name) => key.split(" ").includes(name));
    const { etag, lastModified } = state?.validators ?? {};
    const isPlain = [etag || undefined, lastModified || undefined].every(
      (value) => headerText.optional().safeParse(value).success,
    );
    return {
      names,
      settings: fingerprints.get(names[0] ?? "plans") ?? "",
      notBefore,
      ...(isPlain &&
        state && {
          etag: etag || undefined,
          lastModified: lastModified || undefined,
          sums: names.map((name) => state.sums.get(name) ?? ""),
        }),
    };
  });
  return `${JSON.stringify({ format: 1, sources })}\n`;
}
