// The vendor's logo: one small file that becomes part of the page, because the page asks nobody for anything. As a picture
// an SVG can neither run a script nor load anything.
import { readFileSync } from "node:fs";
import { errorCode } from "../../snapshots/error-code.ts";

/** Largest file, bytes: the page is to stay small. */
const MOST = 32 * 1024;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const SVG =
  /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<svg[\s>]/;

/** A `data:` URI of the file, or undefined when none is named. @throws Error naming what is wrong with it. */
export function readLogo(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const contents = read(path);
  const problem = (what: string) => new Error(`api.logo: the file ${path} ${what}`);
  if (contents.byteLength > MOST) throw problem(`has ${contents.byteLength} bytes; use one of at most ${MOST}`);
  if (contents.subarray(0, PNG.length).equals(PNG)) return dataUri("image/png", contents);
  if (SVG.test(contents.toString("utf8"))) return dataUri("image/svg+xml", contents);
  throw problem("is neither SVG nor PNG");
}

function dataUri(type: string, contents: Buffer): string {
  return `data:${type};base64,${contents.toString("base64")}`;
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = errorCode(error) ?? "unknown error";
    throw new Error(`api.logo: the file ${path} cannot be read (${code})`, { cause: error });
  }
}
