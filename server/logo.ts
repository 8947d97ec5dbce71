// The vendor's logo: one small file, embedded because the page loads nothing and MCP over stdio has no addresses. As an
// image, an SVG can neither run a script nor load anything.
import { readFileSync } from "node:fs";
import { errorCode } from "../snapshots/error-code.ts";

/** Keeps the page small. */
const MAX_BYTES = 32 * 1024;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const SVG =
  /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<svg[\s>]/;

/** The file as a `data:` URI, or undefined without a path. @throws Error if the file is unusable. */
export function readLogo(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const contents = read(path);
  const problem = (fault: string) => new Error(`api.logo: the file ${path} ${fault}`);
  if (contents.byteLength > MAX_BYTES)
    throw problem(`has ${contents.byteLength} bytes; use one of at most ${MAX_BYTES}`);
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
