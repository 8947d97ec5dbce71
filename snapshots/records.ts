// The collector's records beside the snapshots: the report of all collections, and the candidates that the guard holds
// back. No record has a payload, so it can never be served; one that cannot be read counts as none. Like snapshots they are
// open: a reader ignores fields that it does not know, and leaves out an entry of which it does not know a value.
import * as z from "zod";
import type { Facts } from "./facts.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "./snapshot.ts";
import { readDocument, type DocumentRead, type Store, type Version } from "./store.ts";

const REPORT_KEY = "last-run.json";

const MAX_RESULTS = 50;

export const RESULTS = ["changed", "confirmed", "held", "failed"] as const;
const instant = z.iso.datetime();
const count = z.int().min(0);

/** What is known of the download link of a release. `public`: it leads to a file or a page; `dead`: not for everyone;
 * `unanswered`: its server cannot answer now; `unknown`: its server does not answer programs. */
export const LINK_STATES = ["public", "dead", "unanswered", "unknown"] as const;
const LinkRecord = z.object({
  state: z.enum(LINK_STATES),
  /** Since when it is in this state, and when it was asked last; ISO 8601, UTC. */
  since: instant,
  askedAt: instant,
  /** It says in our words why the link is not public. */
  reason: z.string().optional(),
});
export type LinkRecord = z.infer<typeof LinkRecord>;

/** The items that this version can read; a newer one may have written others. */
export function knownItems<T>(item: z.ZodType<T>): z.ZodType<T[]> {
  return z.array(z.unknown()).transform((items) => items.flatMap((one) => item.safeParse(one).data ?? []));
}

/** That of the collector that wrote a record, if it knows it. */
const product = z.string().optional();

/** A record of another product counts as none. @throws Unreachable */
async function readRecord<T extends { product?: string | undefined }>(
  { store, product: ours }: Facts,
  key: string,
  wanted: { schema: z.ZodType<T>; ifNot: Version | undefined },
): Promise<DocumentRead<T>> {
  const read = await readDocument(store, key, wanted);
  const theirs = read.document?.product;
  const isOther = theirs !== undefined && ours !== undefined && theirs !== ours;
  return isOther ? { ...read, document: undefined } : read;
}

const Outcome = z.object({
  name: z.enum(SNAPSHOT_NAMES),
  result: z.enum(RESULTS),
  /** Why it failed or is held, in our words. */
  reason: z.string().optional(),
  link: LinkRecord.optional().catch(undefined),
  /** The trouble in the last message of `notify`; undefined once a message has said that it is over. */
  told: z.enum(["failing", "held", "stale", "disputed"]).optional().catch(undefined),
  /** The run ended then; ISO 8601, UTC. */
  finishedAt: instant,
  milliseconds: z.number().min(0),
  /** Outcomes of each kind since the report began, including this one. */
  counts: z.object({ changed: count, confirmed: count, held: count, failed: count }),
});
export type Reported = z.infer<typeof Outcome>;

/** The result for one snapshot in one run. `at`: ISO 8601, UTC. */
const Collected = z.object({ at: instant, result: z.enum(RESULTS) });
export type Collected = z.infer<typeof Collected>;
/** The latest of each snapshot, oldest first. */
export type Collections = Partial<Record<SnapshotName, readonly Collected[]>>;

/** A price that a cross-check has instead of the published one. */
const FoundPrice = z.object({ plan: z.string(), key: z.string(), amount: z.number() });
export type FoundPrice = z.infer<typeof FoundPrice>;

/** What a cross-check last found about a fact. */
const CrossCheckRecord = z.object({
  name: z.enum(SNAPSHOT_NAMES),
  /** A hash of its settings: with others it is another check. */
  fingerprint: z.string(),
  /** Its kind, and its place for the operator: `github acme/notes`. */
  witness: z.string(),
  /** When it last answered; ISO 8601, UTC. Undefined if the last attempt failed. */
  askedAt: instant.optional(),
  /** When the attempts began that have all failed since; ISO 8601, UTC. */
  unansweredSince: instant.optional(),
  /** The end of the pause that it asked for; ISO 8601, UTC. */
  notBefore: instant.optional(),
  /** What was published, and what the witness had instead. It lasts until the two agree, or the latter is published. */
  disagreement: z
    .object({
      since: instant,
      published: z.string(),
      found: z.string(),
      prices: z.array(FoundPrice).optional(),
      /** True if it needs attention at once, as for a page of the vendor's. */
      atOnce: z.literal(true).optional().catch(undefined),
    })
    .optional(),
});
export type CrossCheckRecord = z.infer<typeof CrossCheckRecord>;

const LONG_DISAGREEMENT_MS = 12 * 60 * 60_000;

/** Whether the operator has to look at a disagreement: a vendor's channels differ for hours while a release reaches them. */
export function needsLook(disagreement?: { since: string; atOnce?: true | undefined }, now = Date.now()): boolean {
  if (!disagreement) return false;
  return disagreement.atOnce === true || now - Date.parse(disagreement.since) >= LONG_DISAGREEMENT_MS;
}

/** For each snapshot the last outcome, the number of outcomes of each kind, and the latest results in order. The
 * operator sees all of it; the server shows no reasons. */
const Report = z.object({
  format: z.literal(2),
  product,
  outcomes: knownItems(Outcome),
  /** The outcomes by name, with those that this version does not know. */
  collections: z.record(z.string(), knownItems(Collected).catch([])),
  /** The cross-checks in the order of the settings. */
  crossChecks: knownItems(CrossCheckRecord).optional(),
});
export type Report = z.infer<typeof Report>;

const NONE: Reported["counts"] = { changed: 0, confirmed: 0, held: 0, failed: 0 };

/** Adds the outcomes of a run; those of other snapshots stay, and so does what was told of each. Returns the report.
 * @throws StoreError */
export async function writeReport(
  facts: Facts<Store>,
  latest: readonly Omit<Reported, "finishedAt" | "counts" | "told">[],
): Promise<Report> {
  const { outcomes: earlier = [], collections = {}, crossChecks } = (await readReport(facts)) ?? {};
  const at = new Date().toISOString();
  const others = earlier.filter(({ name }) => latest.every((outcome) => outcome.name !== name));
  const outcomes = latest.map((outcome): Reported => {
    const { counts = NONE, told } = earlier.find(({ name }) => name === outcome.name) ?? {};
    return { ...outcome, told, finishedAt: at, counts: { ...counts, [outcome.result]: counts[outcome.result] + 1 } };
  });
  const added = latest.map(({ name, result }) => {
    return [name, [...(collections[name] ?? []), { at, result }].slice(-MAX_RESULTS)] as const;
  });
  const report: Report = {
    format: 2,
    product: facts.product,
    outcomes: [...others, ...outcomes],
    collections: { ...collections, ...Object.fromEntries(added) },
    crossChecks,
  };
  await putReport(facts.store, report);
  return report;
}

export async function putReport(store: Store, report: Report): Promise<void> {
  await store.put(REPORT_KEY, Buffer.from(`${JSON.stringify(report)}\n`));
}

/** The report, or undefined if there is no readable one. @throws Unreachable */
export async function readReport(facts: Facts): Promise<Report | undefined> {
  return (await readReportIfNot(facts, undefined)).document;
}

/** The same, unless it still has the version `ifNot`. @throws Unreachable */
export function readReportIfNot(facts: Facts, ifNot: Version | undefined): Promise<DocumentRead<Report>> {
  return readRecord(facts, REPORT_KEY, { schema: Report, ifNot });
}

export const HOLD_REASON_NAMES = ["plans", "price", "currency", "release", "version", "host", "size", "empty"] as const;
export type HoldReason = (typeof HOLD_REASON_NAMES)[number];
/** The reasons for holding a candidate, in words that contain none of its values. */
export const HOLD_REASONS: Record<HoldReason, string> = {
  plans: "more than half of the plans would vanish",
  price: "a price would become 0, move by a large factor, or no longer equal the same price in its plan",
  currency: "the currency would change",
  release: "the release would vanish",
  version: "the version would go back",
  host: "the same version would be downloaded from another host",
  size: "the file behind the link has another size",
  empty: 'the first list of plans would be empty; for a vendor without plans write "plans": "none"',
};

/** A candidate that is held back, recorded so that a restart keeps count and an operator can see it. */
const Held = z.object({
  /** Equal payloads have equal fingerprints. */
  fingerprint: z.string().length(64),
  /** Those of `HOLD_REASON_NAMES`, and perhaps others of a newer version. */
  reasons: z.array(z.string().regex(/^[A-Za-z0-9-]{1,40}$/)).min(1),
  /** When it was first and last seen; ISO 8601, UTC. */
  since: instant,
  seenAt: instant,
  /** Consecutive ones. */
  sightings: z.int().min(1),
  /** The differences from the published facts in words; for the operator only. */
  changes: z.array(z.string().max(200)).max(20),
  /** How the hold ends by itself, in words. */
  ends: z.string().max(200).optional().catch(undefined),
});
export type Held = z.infer<typeof Held>;

// `held` is null when nothing is held: the record is overwritten, not removed.
const HeldFile = z.object({ format: z.literal(1), product, held: Held.nullable() });

/** The candidate held under a name. An unreadable record counts as none: counting sightings from the start holds a
 * candidate longer, never shorter. @throws Unreachable */
export async function readHeld(facts: Facts, name: SnapshotName): Promise<Held | undefined> {
  return (await readHeldIfNot(facts, name, undefined)).document?.held ?? undefined;
}

/** The same, unless its record still has the version `ifNot`. @throws Unreachable */
export function readHeldIfNot(facts: Facts, name: SnapshotName, ifNot: Version | undefined) {
  return readRecord(facts, heldKey(name), { schema: HeldFile, ifNot });
}

/** Records the candidate held under a name; undefined for none. @throws StoreError */
export async function writeHeld({ store, product }: Facts<Store>, name: SnapshotName, held?: Held): Promise<void> {
  await store.put(heldKey(name), Buffer.from(`${JSON.stringify({ format: 1, product, held: held ?? null })}\n`));
}

export function heldReasons({ reasons }: Held): string[] {
  const words = new Map<string, string>(Object.entries(HOLD_REASONS));
  return reasons.map((reason) => words.get(reason) ?? `"${reason}", a reason of a newer version`);
}

function heldKey(name: SnapshotName): string {
  return `${name}.held.json`;
}
