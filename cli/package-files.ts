// Files of the package that are read at run time. This file must stay one level below the root, as the bundle in dist
// is, or the relative paths break.
import { readFileSync } from "node:fs";

const PACKAGE = new URL("../package.json", import.meta.url);
export const SCHEMA = new URL("../vitrine.schema.json", import.meta.url);
/** The handler of the edge; in a checkout only after a build. */
export const EDGE = new URL("../dist/edge.mjs", import.meta.url);
export const DEMO = new URL("../cli/demo/", import.meta.url);

const { version } = JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string };
export const VERSION = version;
