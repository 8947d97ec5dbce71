// The state of every snapshot as a table, with problems under each row.
import { aligned } from "./columns.ts";
import { isForbidden } from "../../snapshots/store.ts";
import type { HeldStatus, SnapshotStatus } from "../status.ts";
import { shortName, span, type Terminal } from "./terminal.ts";

const HEAD = ["snapshot", "state", "fresh for", "confirmed", "changed", "revision", "last collection"];

export function statusTable({ style }: Pick<Terminal, "style">, snapshots: readonly SnapshotStatus[]): string {
  const now = Date.now();
  const [head = "", ...lines] = aligned([HEAD, ...snapshots.map((snapshot) => cells(snapshot, now))]);
  const rows = snapshots.map((snapshot, index) => {
    const notes = problems(snapshot, now).map((problem) => `\n      ${style("yellow", problem)}`);
    return `  ${mark(snapshot, style)} ${lines[index]}${notes.join("")}`;
  });
  return [`    ${style("dim", head)}`, ...rows].join("\n");
}

function mark({ state, aging, held, lastOutcome }: SnapshotStatus, style: Terminal["style"]): string {
  if (state !== "fresh") return style("red", "✖");
  const isHealthy = !aging && !held && lastOutcome?.result !== "failed";
  return isHealthy ? style("green", "✔") : style("yellow", "!");
}

function cells(
  { name, state, revision, changedAt, confirmedAt, freshUntil, lastOutcome }: SnapshotStatus,
  now: number,
): string[] {
  const ago = (time: string | undefined) => (time === undefined ? "-" : `${span(now - Date.parse(time))} ago`);
  const left = freshUntil === undefined ? 0 : Date.parse(freshUntil) - now;
  return [
    shortName(name),
    state,
    left > 0 ? span(left) : "-",
    ago(confirmedAt),
    ago(changedAt),
    String(revision ?? "-"),
    lastOutcome ? `${lastOutcome.result} ${ago(lastOutcome.finishedAt)}` : "-",
  ];
}

function problems({ name, state, aging, held, lastError, damage, freshUntil }: SnapshotStatus, now: number): string[] {
  return [
    ...(state === "missing" ? [damage ? "no readable snapshot" : "never collected (vitrine collect)"] : []),
    ...(state === "stale" && freshUntil ? [`stale for ${span(now - Date.parse(freshUntil))}`] : []),
    ...(aging ? ["aging: not confirmed for half of its lifetime"] : []),
    ...(damage ? [isForbidden(damage) ? damage : `damaged: ${damage}`] : []),
    ...(lastError ? [`last collection failed: ${lastError}`] : []),
    ...(held ? heldLines(shortName(name), held, now) : []),
  ];
}

function heldLines(name: string, { since, sightings, reasons, changes = [] }: HeldStatus, now: number): string[] {
  const seen = `seen ${sightings === 1 ? "once" : `${sightings} times`}, first ${span(now - Date.parse(since))} ago`;
  return [
    `held back: ${reasons.join("; ")} (${seen})`,
    ...changes.map((change) => `  ${change}`),
    `publish it at once: vitrine collect --accept ${name}`,
  ];
}
