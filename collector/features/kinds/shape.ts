// Documents of upstreams, read in bounded memory. Their schemas are loose and list only the fields that are read; their texts are
// bounded and brought to the normal form that the public shapes allow, without changing a fact. Messages say what was expected, and
// quote nothing of the upstream's.
import * as z from "zod";
import { MAX_CHANGELOG, MAX_URL, STEERING } from "../../../snapshots/rules.ts";
import { MAX_DEPTH, measureJson } from "../../../snapshots/store.ts";
import { UpstreamError } from "../../http/errors.ts";
import type { TypedText } from "../../http/fetch.ts";
import { displayName, issuesText, UPSTREAM_WORDS } from "../../parsing/issues.ts";

/** Release notes keep their form, without control characters. Long ones are cut before the conversion, which would only take
 * time. */
export const notes = z
  .string()
  .nullish()
  .transform((text) => changelogText(cutNotes(text ?? "")));

/** Cuts notes to a length that still fills a whole changelog after any conversion. */
export function cutNotes(text: string): string {
  return text.slice(0, 4 * MAX_CHANGELOG);
}

/** No name, tag, version, date or word is longer; file systems and forges have the same limit. Otherwise the ten megabytes of
 * a document could be one name, and comparing, splitting and printing names would block the process for seconds. */
export const MAX_NAME = 255;
/** All file names in a document have at most so many together: a million take half a second to choose an installer from. */
export const MAX_NAMES = 500_000;

export const shortText = text(MAX_NAME);

/** Longer than any that can be published, so that one over-long link of another file does not hide the release. */
export const linkText = text(2 * MAX_URL);

function text(max: number) {
  // Otherwise, later checks would see an object that was not transformed.
  return z.string().max(max, { error: `must have at most ${max} characters`, abort: true });
}

export const optionalText = orEmpty(shortText);
export const optionalLink = orEmpty(linkText);

function orEmpty(text: z.ZodString) {
  return text.nullish().transform((text) => text ?? "");
}

const MAX_STATED = 2_000;

/** An upstream states it beside a release, such as a checksum; undefined if it is no text. A cut one is not in its form later. */
export const statedText = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "string" ? value.slice(0, MAX_STATED) : undefined));

export function listOf<T extends z.ZodType>(item: T, max: number) {
  return z.array(z.unknown()).max(max, `must have at most ${max} entries`).pipe(z.array(item));
}

const CUT_MARK = "\n[cut]";

/** Makes plain text with line feeds and without control characters, cut at a line if longer than `most`. */
export function changelogText(text: string, most = MAX_CHANGELOG): string {
  const plain = text.replace(/\r\n?|[\u2028\u2029]/g, "\n").replace(new RegExp(STEERING, "gu"), "");
  if (plain.length <= most) return plain;
  const room = most - CUT_MARK.length;
  const end = plain.lastIndexOf("\n", room);
  return `${plain.slice(0, end > 0 ? end : room).toWellFormed()}${CUT_MARK}`;
}

/** Writes bytes as digits; `""` for 0, a missing size, or one that is not a whole number. */
export function sizeText(size: unknown): string {
  const text = typeof size === "number" ? String(size) : size;
  return typeof text === "string" && /^[1-9]\d{0,15}$/.test(text) ? text : "";
}

/** Warns of a size that is stated in another way. */
export function unreadSize(size: unknown): string[] {
  const isNone = ["", null, undefined, 0, "0"].some((none) => none === size);
  return isNone || sizeText(size) !== "" ? [] : ["size is not a number of bytes such as 104857600: left out"];
}

const MAX_NAMED = 3;

/** Shows the first of these names. */
export function displayNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).map(displayName);
  return [...shown, ...(names.length > MAX_NAMED ? ["..."] : [])].join(", ");
}

/** What is wrong with an answer that is no document of a format. */
export function notIn(format: string, { text, type, bytes }: TypedText): string {
  if (text.trim() === "") return `not ${format}: the answer is empty`;
  const page = type === "text/html" ? ", a web page: the address is another one, or needs a token" : "";
  return `not ${format}: ${type}, ${bytes} bytes${page}`;
}

/** @throws UpstreamError with our own field names and what they must be. */
export function checkShape<T extends z.ZodType>(schema: T, value: unknown, expected: string): z.infer<T> {
  const checked = schema.safeParse(value, UPSTREAM_WORDS);
  if (checked.success) return checked.data;
  throw new UpstreamError(`not ${expected}: ${issuesText(checked.error.issues)}`);
}

/** Without a limit, 10 MiB of `{},{},{}` become a gigabyte of objects. */
const MAX_VALUES = 1_000_000;

/** @throws UpstreamError with the media type and the length of a text that is not JSON. */
export function parseJson(answer: TypedText): unknown {
  const { text } = answer;
  const { values, depth } = measureJson(text);
  if (values > MAX_VALUES) throw new UpstreamError(`JSON of more than ${MAX_VALUES} values`);
  if (depth > MAX_DEPTH) throw new UpstreamError(`JSON of more than ${MAX_DEPTH} levels`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UpstreamError(notIn("JSON", answer) + (isCut(text, error) ? ", and it breaks off" : ""), {
      cause: error,
    });
  }
}

/** True if the parser has met nothing wrong but the end. */
function isCut(text: string, error: unknown): boolean {
  const message = error instanceof Error ? error.message : "";
  const [, at = message.includes("end of JSON input") ? text.length : 0] = /at position (\d+)/.exec(message) ?? [];
  return text.trim() !== "" && Number(at) >= text.trimEnd().length;
}

/** A reader of JSON documents of one shape; `expected` is the document in words. */
export function jsonReader<T extends z.ZodType>(shape: T, expected: string): (text: TypedText) => z.infer<T> {
  return (text) => checkShape(shape, parseJson(text), expected);
}
