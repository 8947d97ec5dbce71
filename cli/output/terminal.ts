// Text for people. stdout is for results, stderr for problems; colour only on a terminal, and not with NO_COLOR.
import { styleText } from "node:util";
import type { Outcome } from "../../collector/run/collect.ts";
import type { Payload } from "../../snapshots/snapshot.ts";

/** Also of a stream that is no terminal. */
const DEFAULT_WIDTH = 80;

export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  /** Whether each stream is a terminal. */
  isScreen: { out: boolean; err: boolean };
  /** Of stdout, in characters. */
  width: number;
  /** The text in a colour or weight; unchanged without colour. */
  style(style: "green" | "red" | "yellow" | "bold" | "dim", text: string): string;
}

export function openTerminal(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream, noColor: boolean): Terminal {
  const isColored = Boolean(stdout.isTTY) && !noColor;
  return {
    out: (line) => void stdout.write(`${line}\n`),
    err: (line) => void stderr.write(`${line}\n`),
    isScreen: { out: Boolean(stdout.isTTY), err: Boolean(stderr.isTTY) },
    width: stdout.columns || DEFAULT_WIDTH,
    style: (style, text) => (isColored ? styleText(style, text) : text),
  };
}

/** One line for a collected source: `✔ plans   4 plans, 3 cycles   changed   12 ms`. */
export function outcomeLine({ style }: Pick<Terminal, "style">, outcome: Outcome): string {
  const name = shortName(outcome.name).padEnd(9);
  if (outcome.result === "failed") {
    const kept = outcome.isKept ? "its last snapshot is kept" : "there is no snapshot of it yet";
    return `  ${style("red", "✖")} ${name} failed: ${outcome.reason}; ${kept}`;
  }
  if (outcome.result === "held") {
    const { held } = outcome;
    const seen = held.sightings === 1 ? "" : `, seen ${held.sightings} times since ${held.since}`;
    return `  ${style("yellow", "!")} ${name} held: ${outcome.reason}${seen}; its last snapshot is kept and ages`;
  }
  const time = elapsed(outcome.milliseconds).padStart(7);
  const notes = outcome.notes.length > 0 ? `   ${style("dim", outcome.notes.join("; "))}` : "";
  return `  ${style("green", "✔")} ${name} ${summary(outcome.payload).padEnd(20)} ${outcome.result.padEnd(9)} ${time}${notes}`;
}

/** One line for an error. */
export function errorLine({ style }: Pick<Terminal, "style">, error: unknown): string {
  return `${style("red", "✖")} ${messageOf(error)}`;
}

/** The message of an error, or anything else that was thrown, as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A heading and a line for each problem with the settings. */
export function problemReport(terminal: Terminal, subject: string, problems: readonly string[]): string {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  return [errorLine(terminal, `${subject} has ${count}`), ...problems.map((problem) => `  ${problem}`)].join("\n");
}

/** `release-macos` is shown as `macos`. */
export function shortName(name: string): string {
  return name.replace(/^release-/, "");
}

/** An ISO 8601 time to the minute, in UTC: `2026-11-05 12:00`. */
export function minute(time: string): string {
  return new Date(time).toISOString().slice(0, 16).replace("T", " ");
}

/** A duration: `12 ms`, `1.2 s`, `2 min`. */
export function elapsed(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  return milliseconds < 89_950 ? `${(milliseconds / 1000).toFixed(1)} s` : span(milliseconds);
}

/** A duration in its largest unit: `45 s`, `12 min`, `3 h`, `2 d`. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return seconds < 48 * 3600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}

function summary(payload: Payload): string {
  if ("hasUpdate" in payload) return payload.hasUpdate ? payload.latest.version : "no release";
  return `${counted(payload.plans.length, "plan")}, ${counted(payload.cycles.length, "cycle")}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
