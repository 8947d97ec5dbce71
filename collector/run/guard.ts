// The accident check: a candidate that looks like one is held back until it has been seen often and long enough, or until
// somebody accepts it. Pure: what is published, what is held and the time all come in; what is to be done goes out.
// What is published is not confirmed meanwhile, so it ages: the guard never shows an old fact for longer than `staleAfter`.
import { difference } from "../../snapshots/difference.ts";
import type { Held, HoldReason } from "../../snapshots/held.ts";
import { sha256, type Payload } from "../../snapshots/snapshot.ts";
import { suspicions } from "./guard-rules.ts";

export interface GuardSettings {
  /** After how many equal sightings a held candidate is published … */
  confirm: number;
  /** … if this long has passed since the first, milliseconds. */
  over: number;
  /** From which factor on a price's move is suspicious. */
  priceFactor: number;
  /** Reasons that are not looked at. */
  off: readonly HoldReason[];
}

export interface Circumstances {
  /** What is published; undefined when nothing is, and then nothing is held. */
  last: Payload | undefined;
  held: Held | undefined;
  /** False switches the guard off. */
  settings: GuardSettings | false;
  /** True when the operator wants it published whatever it looks like. */
  isAccepted: boolean;
  /** When the upstream was asked, milliseconds since the epoch. */
  askedAt: number;
}

/** `why` tells the operator that this would have been held. */
export type Verdict = { publish: true; why?: string } | { publish: false; held: Held };

const MOST_CHANGES = 10;
const LONGEST_CHANGE = 200;

export function guard(candidate: Payload, { last, held, settings, isAccepted, askedAt }: Circumstances): Verdict {
  if (last === undefined || settings === false) return { publish: true };
  const reasons = suspicions(last, candidate, settings).filter((reason) => !settings.off.includes(reason));
  if (reasons.length === 0) return { publish: true };
  if (isAccepted) return { publish: true, why: "accepted" };
  const fingerprint = fingerprintOf(candidate);
  const before = held?.fingerprint === fingerprint ? held : undefined;
  // A clock that was set back must not put the end off.
  const since = Math.min(askedAt, before ? Date.parse(before.since) : askedAt);
  const sightings = (before?.sightings ?? 0) + 1;
  if (sightings >= settings.confirm && askedAt - since >= settings.over) {
    return { publish: true, why: `was held, and seen ${sightings} times` };
  }
  const changes = shortened(difference(last, candidate));
  const times = { since: new Date(since).toISOString(), seenAt: new Date(askedAt).toISOString() };
  return { publish: false, held: { fingerprint, reasons, ...times, sightings, changes } };
}

/** Alike for payloads that are equal as JSON, whatever the order of their keys. */
function fingerprintOf(payload: Payload): string {
  return sha256(JSON.stringify(payload, (_, value: unknown) => sorted(value)));
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function shortened(changes: readonly string[]): string[] {
  const shown = changes.slice(0, MOST_CHANGES).map((change) => change.slice(0, LONGEST_CHANGE).toWellFormed());
  return changes.length > MOST_CHANGES ? [...shown, `and ${changes.length - MOST_CHANGES} more`] : shown;
}
