// The state of every snapshot as a table, with problems under each row.
import { span } from "../../../snapshots/rules.ts";
import { acceptance, aligned, crossCheckText, minute, shortName, type Terminal } from "../../output/terminal.ts";
import type { Damage } from "../../../snapshots/facts.ts";
import { needsLook } from "../../../snapshots/records.ts";
import type { HeldStatus, SnapshotStatus } from "../../../snapshots/fact-state.ts";
import { typedHere } from "../../command-hints.ts";

/** The columns in order of importance: a narrow terminal shows the first that fit. */
const HEAD = ["snapshot", "state", "fresh for", "confirmed", "changed", "last collection", "revision"];
const MARGIN = 4;
const NOTE_MARGIN = 6;

export function statusTable(
  { style, width }: Pick<Terminal, "style" | "width">,
  snapshots: readonly SnapshotStatus[],
): string {
  const now = Date.now();
  const [head = "", ...lines] = fitting([HEAD, ...snapshots.map((snapshot) => cells(snapshot, now))], width - MARGIN);
  const rows = snapshots.map((snapshot, index) => {
    const notes = problems(snapshot, now).flatMap((problem) => wrapped(problem, width - NOTE_MARGIN));
    const all = [...notes, ...remedies(snapshot)].map((line) => style("yellow", line));
    const below = [...ageOf(snapshot, now).map((line) => style("dim", line)), ...all];
    return [`  ${mark(snapshot)} ${lines[index]}`, ...below].join(`\n${" ".repeat(NOTE_MARGIN)}`);
  });
  return [`    ${style("dim", head)}`, ...rows].join("\n");
}

/** Aligned lines, with as many of the columns as the width has room for. */
function fitting(rows: readonly (readonly string[])[], width: number): string[] {
  const lines = aligned(rows, "  ");
  if (lines.every((line) => line.length <= width) || rows[0]?.length === 2) return lines;
  const fewer = rows.map((row) => row.slice(0, -1));
  return fitting(fewer, width);
}

/** The worst that is wrong with a fact, for the exit code and the marks. `doubtful`: nothing yet, but it is aging, its last collection
 * has failed, or a cross-check has begun to disagree. */
export function gravityOf(status: SnapshotStatus): "unavailable" | "held" | "disputed" | "doubtful" | undefined {
  const { state, aging, held, disagreements = [], lastOutcome } = status;
  if (state !== "fresh") return "unavailable";
  if (held) return "held";
  if (disagreements.some((one) => needsLook(one))) return "disputed";
  return aging || disagreements.length > 0 || lastOutcome?.result === "failed" ? "doubtful" : undefined;
}

function mark(status: SnapshotStatus): string {
  const gravity = gravityOf(status);
  return gravity === "unavailable" ? "✖" : gravity === undefined ? "✔" : "!";
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
    lastOutcome ? `${lastOutcome.result} ${ago(lastOutcome.finishedAt)}` : "-",
    String(revision ?? "-"),
  ];
}

const YEAR_MS = 365.25 * 86_400_000;

/** A release of a year ago may be right, and it may be that its feed has stopped. */
function ageOf({ releasedAt = "" }: SnapshotStatus, now: number): string[] {
  const years = Math.floor((now - Date.parse(releasedAt)) / YEAR_MS);
  return years >= 1 ? [`released ${years} ${years === 1 ? "year" : "years"} ago`] : [];
}

const IS_WHOLE: ReadonlySet<Damage["reason"]> = new Set(["forbidden", "skewed"]);

export function problems(snapshot: SnapshotStatus, now: number): string[] {
  const { state, aging, held, freshUntil, lastError, link, refused, unreachable } = snapshot;
  const { damage, damageReason: reason = "damaged", disagreements = [], unanswered = [] } = snapshot;
  return [
    ...(unreachable ? [unreachable] : []),
    ...(state === "missing" && damage ? ["no readable snapshot"] : []),
    ...(state === "stale" && freshUntil ? [`stale for ${span(now - Date.parse(freshUntil))}`] : []),
    ...(aging ? ["aging: not confirmed for half of its lifetime"] : []),
    ...(damage && reason !== "other" ? [IS_WHOLE.has(reason) ? damage : `damaged: ${damage}`] : []),
    ...(refused ? [`an older one ${refused}`] : []),
    ...(lastError ? [`last collection failed: ${lastError}`] : []),
    ...(link ? [linkLine(link, now)] : []),
    ...(held ? heldLines(held, now) : []),
    ...disagreements.map((disagreement) => crossCheckText(disagreement)),
    ...unanswered.map(({ witness, since }) => `the cross-check ${witness} has not answered since ${minute(since)} UTC`),
  ];
}

function linkLine({ state, since, reason = "" }: NonNullable<SnapshotStatus["link"]>, now: number): string {
  const known = state === "dead" ? "not been public" : "been unchecked";
  return `its link has ${known} for ${span(now - Date.parse(since))}: ${reason}`;
}

function heldLines({ since, sightings, reasons, changes = [], ends }: HeldStatus, now: number): string[] {
  const seen = `seen ${sightings === 1 ? "once" : `${sightings} times`}, first ${span(now - Date.parse(since))} ago`;
  const lines = [`held back: ${reasons.join("; ")} (${seen})`, ...changes.map((change) => `  ${change}`)];
  return ends === undefined ? lines : [...lines, ends];
}

/** These lines have commands and settings to copy, so they are not broken into lines. */
function remedies(snapshot: SnapshotStatus): string[] {
  const { name, state, aging, damage, damageReason, unreachable, held, lastError, lastOutcome } = snapshot;
  const isKnown = damage ?? unreachable ?? held ?? lastError;
  // A collection that failed, or held it back, says why itself.
  const isLeft = (state === "stale" || aging) && ["changed", "confirmed"].includes(lastOutcome?.result ?? "");
  return [
    ...(isLeft
      ? [`not collected since: ${typedHere("start")} collects by schedule, ${typedHere("collect")} once`]
      : []),
    ...(state === "missing" && !isKnown ? [`never collected: ${typedHere("collect")}`] : []),
    ...(damage && damageReason === "other" ? [damage] : []),
    // After a failure, nobody knows whether the source still has it.
    ...(held && lastOutcome?.result !== "failed" ? [acceptance(name)] : []),
  ];
}

/** The lines of a text, with its indentation: broken at spaces, and inside a word only if it is longer than a line. */
export function wrapped(text: string, width: number): string[] {
  const [indentation = ""] = /^ */.exec(text) ?? [];
  const most = Math.max(width - indentation.length, 1);
  const lines = text.match(new RegExp(`\\S.{0,${most - 1}}(?= |$)|\\S{${most}}`, "gu")) ?? [];
  return lines.map((line) => indentation + line.trimEnd());
}
