// The files that the settings of the API name: its texts and the vendor's logo, read once at the start. A file that
// cannot be used is an error that names the setting. Without the feature, a server has none of them.
import { readFileSync } from "node:fs";
import { errorCode } from "../../../snapshots/system-calls.ts";
import type { ApiFiles, ApiSettings } from "../../api-settings.ts";

/** All of them. @throws Error naming the file that cannot be used. */
export function readApiFiles(api: ApiSettings): ApiFiles {
  return { texts: readTexts(api), logo: readLogo(api.logo), picture: readPicture(api.picture) };
}

/** The texts that the settings name. @throws Error naming the file that cannot be read, or is no text. */
export function readTexts({ overview, faq }: ApiSettings): ApiFiles["texts"] {
  return {
    ...(overview !== undefined && { overview: readText(overview, "api.overview: the Markdown file") }),
    ...(faq !== undefined && { faq: readText(faq, "api.faq: the Markdown file") }),
  };
}

/** In no Markdown text; the last one stands for bytes that are no UTF-8. */
const NO_TEXT = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]/;

function readText(path: string, what: string): string {
  const contents = readFile(path, what);
  const text = contents.toString();
  if (NO_TEXT.test(text)) throw new Error(`${what} ${path} must be text in UTF-8: save it so`);
  if (text.trim() === "") throw new Error(`${what} ${path} is empty: write it, or leave the setting out`);
  if (/^\s*<(?:!doctype|html)\b/i.test(text)) throw new Error(`${what} ${path} is HTML: write Markdown`);
  return text;
}

/** Reads each of them by itself, for a check that reports every problem. */
export function readings(api: ApiSettings): (() => unknown)[] {
  return [() => readTexts(api), () => readLogo(api.logo), () => readPicture(api.picture)];
}

const SVG =
  /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<svg[\s>]/;
/** Whether a file begins as one of its type does. */
const TYPES = {
  PNG: { type: "image/png", is: (file: Buffer) => file.subarray(0, 8).toString("hex") === "89504e470d0a1a0a" },
  JPEG: { type: "image/jpeg", is: (file: Buffer) => file.subarray(0, 3).toString("hex") === "ffd8ff" },
  SVG: { type: "image/svg+xml", is: (file: Buffer) => SVG.test(file.toString()) },
};

/** The logo as a `data:` URI, or undefined without a path: embedded, because the page loads nothing and MCP over stdio
 * has no addresses, and therefore small. As an image, an SVG can neither run a script nor load anything. @throws Error */
export function readLogo(path: string | undefined): string | undefined {
  return readImage(path, { setting: "api.logo", maxBytes: 32 * 1024, minWidth: 16, kinds: ["SVG", "PNG"] });
}

/** The picture for shared links, likewise. Services that preview links refuse larger and narrower ones. @throws Error */
export function readPicture(path: string | undefined): string | undefined {
  return readImage(path, { setting: "api.picture", maxBytes: 300_000, minWidth: 200, kinds: ["PNG", "JPEG"] });
}

function readImage(
  path: string | undefined,
  {
    setting,
    maxBytes,
    minWidth = 1,
    kinds,
  }: { setting: string; maxBytes: number; minWidth?: number; kinds: readonly (keyof typeof TYPES)[] },
): string | undefined {
  if (path === undefined) return undefined;
  const contents = readFile(path, `${setting}: the file`);
  const problem = (fault: string) => new Error(`${setting}: the file ${path} ${fault}`);
  if (contents.byteLength > maxBytes) throw problem(`has ${contents.byteLength} bytes; use one of at most ${maxBytes}`);
  const kind = kinds.find((name) => TYPES[name].is(contents));
  if (!kind) throw problem(`is neither ${kinds.join(" nor ")}`);
  if (kind === "PNG" && contents.length > 24 && contents.readUInt32BE(16) < minWidth)
    throw problem(`is ${contents.readUInt32BE(16)} pixels wide; use one of at least ${minWidth}`);
  return `data:${TYPES[kind].type};base64,${contents.toString("base64")}`;
}

/** `what`: for the message, the setting and the kind of its file. @throws Error naming the file that cannot be read. */
function readFile(path: string, what: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`${what} ${path} cannot be read (${errorCode(error) ?? "unknown error"})`, { cause: error });
  }
}
