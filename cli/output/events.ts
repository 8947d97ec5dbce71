// The events of a service, each as text and as fields for JSON.
import type { Outcome } from "../../collector/run/collect.ts";
import type { ConditionChange } from "../../server/mirror/freshness-monitor.ts";
import type { LogEvent } from "./log.ts";
import { elapsed, errorLine, messageOf, outcomeLine, shortName, span, type Terminal } from "./terminal.ts";

const LEVELS = { changed: "info", confirmed: "info", held: "warn", failed: "error" } as const;

/** The outcome of one snapshot in a run. */
export function collected(terminal: Terminal, outcome: Outcome): LogEvent {
  const { name, result, milliseconds } = outcome;
  const reason = "reason" in outcome ? outcome.reason : undefined;
  const notes = "notes" in outcome && outcome.notes.length > 0 ? outcome.notes : undefined;
  const fields = { snapshot: name, result, milliseconds: Math.round(milliseconds), reason, notes };
  return { event: "collected", level: LEVELS[result], text: outcomeLine(terminal, outcome), fields };
}

/** A run has ended. `next`: when the next one begins, if any. */
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

/** Another collector has claimed the store. */
export function runSkipped(): LogEvent {
  const message = "another collector holds these snapshots; run skipped";
  return { event: "run", level: "warn", text: `  ${message}`, fields: { message } };
}

/** A run failed as a whole. `snapshots`: the location of its store. */
export function runFailed(terminal: Terminal, error: unknown, snapshots: string): LogEvent {
  const message = `collecting into ${snapshots} failed: ${messageOf(error)}`;
  return { event: "run", level: "error", text: errorLine(terminal, message), fields: { message } };
}

/** A snapshot began to age, went stale or is fresh again. */
export function conditionChanged({ style }: Terminal, { name, condition, timeLeft }: ConditionChange): LogEvent {
  const isFresh = condition === "fresh";
  const words = {
    fresh: "is fresh again",
    aging: `is aging: not confirmed for half of its lifetime; served for another ${span(timeLeft)}`,
    stale: "is stale: answered with 502 until a collection confirms it",
    missing: "is missing: answered with 502",
  };
  return {
    event: "condition",
    level: isFresh ? "info" : "warn",
    text: `${isFresh ? style("green", "✔") : style("yellow", "!")} ${shortName(name)} ${words[condition]}`,
    fields: { snapshot: name, condition, milliseconds: Math.max(0, Math.round(timeLeft)) },
  };
}

/** Something the operator should know. */
export function warning({ style }: Terminal, message: string): LogEvent {
  return { event: "warning", level: "warn", text: `${style("yellow", "!")} ${message}`, fields: { message } };
}

/** The reason why a service cannot start. */
export function failure(terminal: Terminal, message: string): LogEvent {
  return { event: "failure", level: "error", text: errorLine(terminal, message), fields: { message } };
}
