// The events of a service, each in words and for machines.
import type { Outcome } from "../../collector/run/collect.ts";
import type { SnapshotName } from "../../snapshots/snapshot.ts";
import type { Condition } from "../../server/mirror/freshness-monitor.ts";
import type { LogEvent } from "./log.ts";
import { elapsed, outcomeLine, shortName, span, type Terminal } from "./terminal.ts";

const LEVELS = { changed: "info", confirmed: "info", held: "warn", failed: "error" } as const;

/** What became of one snapshot in a run. */
export function collected(terminal: Terminal, outcome: Outcome): LogEvent {
  const { name, result, milliseconds } = outcome;
  const reason = "reason" in outcome ? outcome.reason : undefined;
  const notes = "notes" in outcome && outcome.notes.length > 0 ? outcome.notes : undefined;
  const fields = { snapshot: name, result, milliseconds: Math.round(milliseconds), reason, notes };
  return { event: "collected", level: LEVELS[result], text: outcomeLine(terminal, outcome), fields };
}

/** A run is over. `next`: when the next one begins, if one does. */
export function runOver({ milliseconds, next }: { milliseconds: number; next?: Date | null }): LogEvent {
  const clock = new Date().toISOString().slice(11, 16);
  const coming = next ? ` Next collection in ${span(next.getTime() - Date.now())}.` : "";
  return {
    event: "run",
    level: "info",
    text: `  Collected in ${elapsed(milliseconds)}, ${clock} UTC.${coming}`,
    fields: { milliseconds: Math.round(milliseconds), next: next?.toISOString() },
  };
}

/** A run could not be done at all. `snapshots`: where it was to write. */
export function runFailed({ style }: Terminal, error: unknown, snapshots: string): LogEvent {
  const message = `collecting into ${snapshots} failed: ${error instanceof Error ? error.message : String(error)}`;
  return { event: "run", level: "error", text: `${style("red", "✖")} ${message}`, fields: { message } };
}

/** A snapshot began to age, went stale or is fresh again. `left`: milliseconds for which it may still be served. */
export function conditionChanged(
  { style }: Terminal,
  { name, condition, left }: { name: SnapshotName; condition: Condition; left: number },
): LogEvent {
  const isWell = condition === "fresh";
  const words = {
    fresh: "is fresh again",
    aging: `has spent half of its lifetime, and no collection confirms it; it is served for another ${span(left)}`,
    stale: "is stale: readers get 502 until a collection confirms it",
    missing: "is missing: readers get 502",
  };
  return {
    event: "condition",
    level: isWell ? "info" : "warn",
    text: `${isWell ? style("green", "✔") : style("yellow", "!")} ${shortName(name)} ${words[condition]}`,
    fields: { snapshot: name, condition, milliseconds: Math.max(0, Math.round(left)) },
  };
}

/** Something that an operator should know. */
export function warning({ style }: Terminal, message: string): LogEvent {
  return { event: "warning", level: "warn", text: `${style("yellow", "!")} ${message}`, fields: { message } };
}

/** Why a service cannot be. */
export function failure({ style }: Terminal, message: string): LogEvent {
  return { event: "failure", level: "error", text: `${style("red", "✖")} ${message}`, fields: { message } };
}
