// The state of a fact as values, for everything that shows it; and the status of every snapshot for an operator, from the store or from
// a server's /status. Only the store says why a collection failed, what is damaged, what a held candidate changes, the state of a link
// and the date of a release; only a server says what it refuses. Every text of either is one plain line of limited length: a server may
// be hostile, and escapes would command the operator's terminal.
import * as z from "zod";
import { heldReasons, LINK_STATES, readHeld, readReport, RESULTS } from "./records.ts";
import type { Report, Reported } from "./records.ts";
import { plainLine } from "./rules.ts";
import { DAMAGE_REASONS, readSnapshot, type Facts } from "./facts.ts";
import { FACT_STATES, lifetime, type Payload, SNAPSHOT_NAMES, type Snapshot, type SnapshotName } from "./snapshot.ts";
import { Unreachable } from "./store.ts";

const MAX_LINE_LENGTH = 300;
const MAX_LINES = 30;
const DAY_MS = 86_400_000;

const line = z.string().transform((text) => plainLine(text, MAX_LINE_LENGTH));
const lines = z.array(line).max(MAX_LINES);
const time = z.iso.datetime().max(30);

/** A candidate that the guard holds back. Only the operator sees what it changes, and how the hold ends. */
const HeldStatus = z.object({
  since: time,
  sightings: z.number(),
  reasons: lines,
  changes: lines.optional(),
  ends: line.optional(),
});
export type HeldStatus = z.infer<typeof HeldStatus>;

/** A cross-check that disagrees. Only the operator sees the witness and what the two have; a server says since when, and `atOnce`. */
const Disagreement = z.object({
  since: time,
  witness: line.optional(),
  published: line.optional(),
  found: line.optional(),
  atOnce: z.literal(true).optional(),
});

export const SnapshotStatus = z.object({
  name: z.enum(SNAPSHOT_NAMES),
  state: z.enum(FACT_STATES),
  /** Fresh, but not confirmed for half of its lifetime. */
  aging: z.boolean().optional(),
  revision: z.number().optional(),
  changedAt: time.optional(),
  confirmedAt: time.optional(),
  freshUntil: time.optional(),
  held: HeldStatus.optional(),
  disagreements: z.array(Disagreement).max(MAX_LINES).optional(),
  /** The cross-checks that have not answered for a day. */
  unanswered: z
    .array(z.object({ witness: line, since: time }))
    .max(MAX_LINES)
    .optional(),
  /** Only from the store: the date of the release, if it is one. */
  releasedAt: z.string().optional(),
  lastOutcome: z.object({ result: z.enum(RESULTS), finishedAt: time }).optional(),
  lastError: line.optional(),
  /** Only from the store: what is known of its download link, unless it is public. */
  link: z.object({ state: z.enum(LINK_STATES), since: time, reason: line.optional() }).optional(),
  /** Only from the store: why the current file cannot be read. */
  damage: line.optional(),
  damageReason: z.enum(DAMAGE_REASONS).optional(),
  /** Only from a server: why it does not take the snapshot in the store. */
  refused: line.optional(),
  /** Only from the store: why nothing is known about this snapshot, though others could be read. */
  unreachable: line.optional(),
});
export type SnapshotStatus = z.infer<typeof SnapshotStatus>;

export type Condition = (typeof FACT_STATES)[number] | "aging";

type Times = Pick<Snapshot, "revision" | "changedAt" | "confirmedAt" | "freshUntil">;

/** `timeLeft`: for how long it may still be served, in ms. */
export function conditionOf(snapshot: Times | undefined, timeLeft: number): Condition {
  if (!snapshot) return "missing";
  if (timeLeft <= 0) return "stale";
  // Several runs have failed to confirm it, and there is still time to fix that.
  return timeLeft < lifetime(snapshot) / 2 ? "aging" : "fresh";
}

/** What a reader knows of a fact. `timeLeft`: as above. `refused`: why an older snapshot in the store is not taken. */
interface Known {
  snapshot: Times | undefined;
  timeLeft: number;
  refused?: string | undefined;
  held: HeldStatus | undefined;
  disagreements: NonNullable<SnapshotStatus["disagreements"]>;
  last: Reported | undefined;
}

/** The fields that do not apply are undefined, and JSON omits them. */
export function describe(name: SnapshotName, known: Known): SnapshotStatus {
  const { snapshot, timeLeft, refused, held, disagreements, last } = known;
  const { revision, changedAt, confirmedAt, freshUntil } = snapshot ?? {};
  const condition = conditionOf(snapshot, timeLeft);
  return {
    name,
    ...(condition === "aging" ? { state: "fresh", aging: true } : { state: condition }),
    revision,
    changedAt,
    confirmedAt,
    freshUntil,
    refused: snapshot && refused,
    held,
    disagreements: disagreements.length > 0 ? disagreements : undefined,
    lastOutcome: last && { result: last.result, finishedAt: last.finishedAt },
  };
}

/** The status of every snapshot in a store. @throws Unreachable if none can be read. */
export async function statusOfStore(facts: Facts): Promise<SnapshotStatus[]> {
  const report = await readReport(facts);
  const reads = await Promise.allSettled(SNAPSHOT_NAMES.map((name) => statusOf(facts, name, report)));
  const isAway = reads.every(({ status }) => status === "rejected");
  return reads.map((read, index) => {
    if (read.status === "fulfilled") return read.value;
    if (isAway || !(read.reason instanceof Unreachable)) throw read.reason;
    return SnapshotStatus.parse({ name: SNAPSHOT_NAMES[index], state: "missing", unreachable: read.reason.message });
  });
}

async function statusOf(facts: Facts, name: SnapshotName, report: Report | undefined): Promise<SnapshotStatus> {
  const now = facts.clock.wall();
  const read = await readSnapshot(facts, name);
  const snapshot = read.state === "found" ? read.snapshot : undefined;
  const last = report?.outcomes.find((outcome) => outcome.name === name);
  const held = await readHeld(facts, name);
  const crossChecks = (report?.crossChecks ?? []).filter((check) => check.name === name);
  const disagreements = crossChecks.flatMap(({ witness, disagreement }) =>
    disagreement ? [{ witness, ...disagreement }] : [],
  );
  const unanswered = crossChecks.flatMap(({ witness, unansweredSince: since = "" }) =>
    now - Date.parse(since) >= DAY_MS ? [{ witness, since }] : [],
  );
  return SnapshotStatus.parse({
    ...describe(name, {
      snapshot,
      timeLeft: snapshot ? Date.parse(snapshot.freshUntil) - now : 0,
      held: held && { ...held, reasons: heldReasons(held) },
      disagreements,
      last,
    }),
    releasedAt: snapshot && dateOf(snapshot.payload),
    ...(unanswered.length > 0 && { unanswered }),
    lastError: last?.result === "failed" ? last.reason : undefined,
    link: last?.link?.state === "public" ? undefined : last?.link,
    damage: read.damage?.text,
    damageReason: read.damage?.reason,
  });
}

const RealDate = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** A release has it if its date is one, and no other text. */
function dateOf(payload: Payload): string | undefined {
  return "hasUpdate" in payload && payload.hasUpdate ? RealDate.safeParse(payload.latest.date).data : undefined;
}
