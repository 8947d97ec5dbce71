// The one normal form: how what vendors really write becomes what the public shapes allow, without changing a fact.
import { MAX_CHANGELOG, STEERING } from "../../snapshots/rules.ts";

const LONGEST_NAME = 80;
const CUT_MARK = "\n[cut]";

/** Plain text with line feeds, nothing that steers its reader, cut at a line where it is over MAX_CHANGELOG. */
export function changelogText(text: string): string {
  const plain = text.replace(/\r\n?/g, "\n").replace(new RegExp(STEERING, "gu"), "");
  if (plain.length <= MAX_CHANGELOG) return plain;
  const room = MAX_CHANGELOG - CUT_MARK.length;
  const end = plain.lastIndexOf("\n", room);
  return `${plain.slice(0, end > 0 ? end : room).toWellFormed()}${CUT_MARK}`;
}

/** Bytes as a string of digits, `""` where unknown: 0, missing, or not a whole number. */
export function sizeText(size: unknown): string {
  const text = typeof size === "number" ? String(size) : size;
  return typeof text === "string" && /^[1-9]\d{0,15}$/.test(text) ? text : "";
}

/** The upstream's name of something (a field, a tag, an asset), fit to be shown to an operator: one line, 80 characters. */
export function nameText(name: string): string {
  const line = name.replace(new RegExp(STEERING, "gu"), "").replace(/\s+/g, " ").trim();
  return line.slice(0, LONGEST_NAME).toWellFormed();
}
