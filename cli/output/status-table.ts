// The state of every snapshot as a table for people, with what is amiss under its row.
import { aligned } from "./columns.ts";
import type { Row } from "../status.ts";
import { shortName, span, type Terminal } from "./terminal.ts";

const HEAD = ["snapshot", "state", "fresh for", "confirmed", "changed", "revision", "last collection"];

export function statusTable({ style }: Pick<Terminal, "style">, rows: readonly Row[]): string {
  const now = Date.now();
  const [head = "", ...lines] = aligned([HEAD, ...rows.map((row) => cells(row, now))]);
  const told = rows.map((row, index) => {
    const notes = troubles(row, now).map((note) => `\n      ${style("yellow", note)}`);
    return `  ${mark(row, style)} ${lines[index]}${notes.join("")}`;
  });
  return [`    ${style("dim", head)}`, ...told].join("\n");
}

function mark({ state, aging, held, lastOutcome }: Row, style: Terminal["style"]): string {
  if (state !== "fresh") return style("red", "✖");
  const isWell = !aging && !held && lastOutcome?.result !== "failed";
  return isWell ? style("green", "✔") : style("yellow", "!");
}

function cells({ name, state, revision, changedAt, confirmedAt, freshUntil, lastOutcome }: Row, now: number): string[] {
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

function troubles({ name, state, aging, held, lastError, damage, freshUntil }: Row, now: number): string[] {
  return [
    ...(state === "missing" ? [damage ? "nothing readable" : "never collected (vitrine collect)"] : []),
    ...(state === "stale" && freshUntil ? [`stale for ${span(now - Date.parse(freshUntil))}`] : []),
    ...(aging ? ["half of its lifetime is spent, and no collection confirms it"] : []),
    ...(damage ? [`damaged: ${damage}`] : []),
    ...(lastError ? [`last collection failed: ${lastError}`] : []),
    ...(held ? heldLines(shortName(name), held, now) : []),
  ];
}

function heldLines(name: string, { since, sightings, reasons, changes = [] }: NonNullable<Row["held"]>, now: number) {
  const seen = `seen ${sightings === 1 ? "once" : `${sightings} times`}, first ${span(now - Date.parse(since))} ago`;
  return [
    `held back: ${reasons.join("; ")} (${seen})`,
    ...changes.map((change) => `  ${change}`),
    `publish it at once: vitrine collect --accept ${name}`,
  ];
}
