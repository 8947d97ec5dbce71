// The files that the settings of the API name: its texts and the vendor's logo, read once at the start. A file that
// cannot be used is an error that names the setting.
import { readFileSync } from "node:fs";
import { errorCode } from "../snapshots/system-calls.ts";
import type { ApiSettings } from "./api-settings.ts";
import { FAQ, OVERVIEW } from "./api-texts.ts";

/** The Markdown of each MCP resource. */
export interface Texts {
  overview: string;
  faq: string;
}

/** The built-in texts, or those that the settings name. @throws Error naming the file that cannot be read. */
export function readTexts({ overview, faq }: ApiSettings): Texts {
  return {
    overview: overview === undefined ? OVERVIEW : readFile(overview, "api.overview: the Markdown file").toString(),
    faq: faq === undefined ? FAQ : readFile(faq, "api.faq: the Markdown file").toString(),
  };
}

/** The page contains the logo, and stays small. */
const MAX_LOGO_BYTES = 32 * 1024;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const SVG =
  /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<svg[\s>]/;

/** The logo as a `data:` URI, or undefined without a path: embedded, because the page loads nothing and MCP over stdio
 * has no addresses. As an image, an SVG can neither run a script nor load anything. @throws Error */
export function readLogo(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const contents = readFile(path, "api.logo: the file");
  const problem = (fault: string) => new Error(`api.logo: the file ${path} ${fault}`);
  if (contents.byteLength > MAX_LOGO_BYTES) {
    throw problem(`has ${contents.byteLength} bytes; use one of at most ${MAX_LOGO_BYTES}`);
  }
  if (contents.subarray(0, PNG.length).equals(PNG)) return dataUri("image/png", contents);
  if (SVG.test(contents.toString())) return dataUri("image/svg+xml", contents);
  throw problem("is neither SVG nor PNG");
}

/** In bytes: services that preview links refuse more. */
const MAX_PICTURE_BYTES = 300_000;
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** The picture for shared links as a `data:` URI, or undefined without a path. @throws Error */
export function readPicture(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const contents = readFile(path, "api.picture: the file");
  const problem = (fault: string) => new Error(`api.picture: the file ${path} ${fault}`);
  if (contents.byteLength > MAX_PICTURE_BYTES) {
    throw problem(`has ${contents.byteLength} bytes; use one of at most ${MAX_PICTURE_BYTES}`);
  }
  if (contents.subarray(0, PNG.length).equals(PNG)) return dataUri("image/png", contents);
  if (contents.subarray(0, JPEG.length).equals(JPEG)) return dataUri("image/jpeg", contents);
  throw problem("is neither PNG nor JPEG");
}

/** `what`: for the message, the setting and the kind of its file. @throws Error naming the file that cannot be read. */
function readFile(path: string, what: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`${what} ${path} cannot be read (${errorCode(error) ?? "unknown error"})`, { cause: error });
  }
}

function dataUri(type: string, contents: Buffer): string {
  return `data:${type};base64,${contents.toString("base64")}`;
}
