// Text for people. stdout is for results, stderr for problems; colour only on a terminal, and not with NO_COLOR.
import { styleText } from "node:util";
import { typedHere } from "../command-hints.ts";

export interface Terminal {
  /** One or more lines. A mark at the beginning of one is coloured: ✔ for what is well, ! for a doubt, ✖ for an error. */
  out(text: string): void;
  err(text: string): void;
  isScreen: { out: boolean; err: boolean };
  width: number;
  /** The text in a colour or weight; unchanged without colour. */
  style(style: "green" | "red" | "yellow" | "bold" | "dim", text: string): string;
}

/** What a terminal would obey, such as a name of a file with it; but no line's end, and none of our colours and weights. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /(?!\u001b\[(?:1|2|22|3\d)m|\r\n)[\0-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** As JSON escapes it, so that JSON stays what it is. */
const escaped = (control: string) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
const MARK = /^( *)([✔!✖])(?= )/gm;
const COLORS: Record<string, "green" | "yellow" | "red"> = { "✔": "green", "!": "yellow", "✖": "red" };

/** A stream such as a pipe does not know its width. */
const DEFAULT_WIDTH = 80;

export function openTerminal(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream, noColor: boolean): Terminal {
  const isColored = Boolean(stdout.isTTY) && !noColor;
  const printed = (text: string) => {
    const safe = text.replace(CONTROL, escaped);
    if (!isColored) return safe;
    return safe.replace(MARK, (_, space: string, mark: string) => space + styleText(COLORS[mark] ?? "red", mark));
  };
  return {
    out: (text) => void stdout.write(`${printed(text)}\n`),
    err: (text) => void stderr.write(`${printed(text)}\n`),
    isScreen: { out: Boolean(stdout.isTTY), err: Boolean(stderr.isTTY) },
    width: stdout.columns || DEFAULT_WIDTH,
    style: (style, text) => (isColored ? styleText(style, text) : text),
  };
}

export function errorLine(error: unknown): string {
  return `✖ ${messageOf(error)}`;
}

export function warningLine(message: string): string {
  return `! ${message}`;
}

export function row(mark: "✔" | "!" | "✖" | " ", name: string, text: string): string {
  return `  ${mark} ${shortName(name).padEnd(9)} ${text}`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A heading and a line for each problem with the settings. `subject`: unless a flag or a variable gave them all. */
export function problemReport(subject: string, problems: readonly string[]): string {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const place = problems.every((line) => line.includes(" given as ")) ? "the command line or the environment" : subject;
  return [errorLine(`${place} has ${count}`), ...problems.map((problem) => `  ${problem}`)].join("\n");
}

/** Rows of cells as lines with aligned columns, without trailing spaces. */
export function aligned(rows: readonly (readonly string[])[], gap = "   "): string[] {
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return cells.join(gap).trimEnd();
  });
}

/** `release-macos` is shown as `macos`. */
export function shortName(name: string): string {
  return name.replace(/^release-/, "");
}

/** The remedy for a held candidate of a snapshot; it ends with a command to copy. */
export function acceptance(name: string): string {
  return `if it is right, publish it at once: ${typedHere(`collect --accept ${shortName(name)}`)}`;
}

/** An ISO 8601 time to the minute, in UTC: `2026-11-05 12:00`. */
export function minute(time: string): string {
  return new Date(time).toISOString().slice(0, 16).replace("T", " ");
}

/** What a cross-check has; the values are missing where a server does not show them. */
export function crossCheckText(
  one: Partial<Record<"witness" | "since" | "published" | "found" | "reason", string | undefined>>,
): string {
  const { witness, since, published, found, reason } = one;
  const subject = witness === undefined ? "a cross-check" : `the cross-check ${witness}`;
  if (since === undefined)
    return reason === undefined ? `${subject} agrees` : `${subject} could not be asked: ${reason}`;
  const time = `disagrees since ${minute(since)} UTC`;
  return found === undefined ? `${subject} ${time}` : `published ${published}; ${subject} has ${found} (${time})`;
}
