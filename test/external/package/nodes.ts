// The Nodes that the package must run on: this one, and newer ones where `npm run package` was installed on Linux.
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

const NEWER = ["node-22", "node-24", "node-26"];

export interface NodeProgram {
  /** The program. */
  path: string;
  /** An environment in which npm, npx and the package's program run on it. */
  environment: Record<string, string>;
}

/** Those that are here, and the names of those that are not. */
export function nodes(): { here: NodeProgram[]; missing: string[] } {
  const paths = new Map(NEWER.map((name) => [name, join(import.meta.dirname, "node_modules", name, "bin/node")]));
  const found = [...paths.values()].filter((path) => existsSync(path));
  return {
    here: [process.execPath, ...found].map((path) => ({ path, environment: environmentOf(path) })),
    missing: [...paths].filter(([, path]) => !existsSync(path)).map(([name]) => name),
  };
}

/** No more than what a program needs: nothing of the npm that runs this script. */
function environmentOf(path: string): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH: [dirname(path), PATH].join(delimiter), HOME, NO_COLOR: "1", HOST: "127.0.0.1", PORT: "0" };
}
