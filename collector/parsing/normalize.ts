// Normalises the texts that vendors write to what the public shapes allow, without changing a fact.
import { clip, MAX_CHANGELOG, STEERING } from "../../snapshots/rules.ts";

const MAX_NAME_LENGTH = 80;
const CUT_MARK = "\n[cut]";

/** Plain text with line feeds and without control characters, cut at a line if longer than MAX_CHANGELOG. */
export function changelogText(text: string): string {
  const plain = text.replace(/\r\n?/g, "\n").replace(new RegExp(STEERING, "gu"), "");
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
