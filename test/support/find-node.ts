// Other versions of Node: a newer one for tools that need it, and one that is too old for Vitrine.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PACKAGES } from "./install.ts";

// Present if the packages of the external checks are installed on Linux.
const SPARE = join(PACKAGES, "node-24/bin/node");
const OLD = join(PACKAGES, "node-18/bin/node");

/** Path of a Node 22 or newer: the spare, or the running one; undefined, with a line on stdout, if there is none. */
export function newerNode(): string | undefined {
  if (existsSync(SPARE)) return SPARE;
  if (Number.parseInt(process.versions.node, 10) >= 22) return process.execPath;
  process.stdout.write(`skipped what needs Node 22: this is ${process.version}, and there is no other\n`);
  return undefined;
}

/** Path of a Node 18.20, the version of Debian 12 and Ubuntu 24.04; undefined, with a line on stdout, if there is none. */
export function oldNode(): string | undefined {
  if (existsSync(OLD)) return OLD;
  process.stdout.write("skipped what needs Node 18: it is among the packages of the external checks, on Linux\n");
  return undefined;
}
