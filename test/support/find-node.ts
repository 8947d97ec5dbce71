// Finds a Node for tools that need a newer one than Vitrine.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PACKAGES } from "./install.ts";

/** Node 24 from a package, present if the packages of the external checks are installed on Linux. */
const SPARE = join(PACKAGES, "node-24/bin/node");
const SPARE_VERSION = [24, 0];

/** Path of a Node that satisfies `engines`, such as ">=22.19.0": the running one, or the spare; undefined if neither does. */
export function nodeFor(engines = ""): string | undefined {
  const [, major = "0", minor = "0"] = /^>=\s*(\d+)(?:\.(\d+))?/.exec(engines) ?? [];
  const suffices = ([ownMajor = 0, ownMinor = 0]: readonly number[]) =>
    ownMajor > Number(major) || (ownMajor === Number(major) && ownMinor >= Number(minor));
  if (suffices(process.versions.node.split(".").map(Number))) return process.execPath;
  return suffices(SPARE_VERSION) && existsSync(SPARE) ? SPARE : undefined;
}
