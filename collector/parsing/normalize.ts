// Normalises the texts that vendors write to what the public shapes allow, without changing a fact.
import { clip, MAX_CHANGELOG, STEERING } from "../../snapshots/rules.ts";

const MAX_NAME_LENGTH = 80;
const CUT_MARK = "\n[cut]";

/** Plain text with line feeds and without control characters, cut at a line if longer than MAX_CHANGELOG. */
export function changelogText(text: string): string {
  const plain = text.replace(/\r\n?|[\u2028\u2029]/g, "\n").replace(new RegExp(STEERING, "gu"), "");
  if (plain.length <= MAX_CHANGELOG) return plain;
  const room = MAX_CHANGELOG - CUT_MARK.length;
  const end = plain.lastIndexOf("\n", room);
  return `${plain.slice(0, end > 0 ? end : room).toWellFormed()}${CUT_MARK}`;
}

/** Bytes as a string of digits; `""` for 0, a missing size, or one that is not a whole number. */
export function sizeText(size: unknown): string {
  const text = typeof size === "number" ? String(size) : size;
  return typeof text === "string" && /^[1-9]\d{0,15}$/.test(text) ? text : "";
}

/** An upstream's name of a field, printable for the operator: one line of at most 80 characters. */
export function nameText(name: string): string {
  const line = name.replace(new RegExp(STEERING, "gu"), "").replace(/\s+/g, " ").trim();
  return clip(line, MAX_NAME_LENGTH, "");
}

/** RFC 822 as RSS writes it (`Wed, 05 Nov 2026 10:00:00 +0000`); two-digit years are not taken. */
const RFC_822 =
  /^(?:[A-Z][a-z]{2}, ?)?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC?|Z|[A-Z]{3}|[+-]\d{4})$/;

/** A date in ISO 8601 if it can be read, otherwise the text as it is. */
export function dateText(date: string): string {
  const text = date.trim();
  const time = RFC_822.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? text : new Date(time).toISOString().replace(".000Z", "Z");
}
