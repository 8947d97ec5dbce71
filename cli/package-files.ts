// Files of the package that are read while it runs: at the same places from here and from the bundle in dist.
import { readFileSync } from "node:fs";

const PACKAGE = new URL("../package.json", import.meta.url);
export const SCHEMA = new URL("../vitrine.schema.json", import.meta.url);
/** Directory of the demo vendor. */
export const DEMO = new URL("../cli/demo/", import.meta.url);

/** Vitrine's version, from its package.json. */
export const { version: VERSION } = JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string };

/** What is typed here for a command: where the program is installed, npx finds it, and a checkout has scripts. */
export function typed(command: string): string {
  if (import.meta.url.endsWith(".mjs")) return `npx vitrine ${command}`;
  return command === "start" ? "npm start" : `npm run ${command}`;
}
