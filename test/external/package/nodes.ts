// The versions of Node that the package must run on: the current one, and newer ones from packages on Linux.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { PACKAGES } from "../../support/install.ts";

const NEWER = ["node-22", "node-24", "node-26"];

export interface NodeProgram {
  /** An environment in which npm, npx and the package run on it. */
  environment: Record<string, string>;
}

/** The installed versions, and the names of the missing ones. */
export function nodes(): { here: (NodeProgram & { version: string })[]; missing: string[] } {
  const paths = new Map(NEWER.map((name) => [name, join(PACKAGES, name, "bin/node")]));
  const found = [...paths.values()].filter((path) => existsSync(path));
  return {
    here: [process.execPath, ...found].map((path) => {
      const version = execFileSync(path, ["--version"], { encoding: "utf8" }).trim();
      return { version, environment: environmentOf(path) };
    }),
    missing: [...paths].filter(([, path]) => !existsSync(path)).map(([name]) => name),
  };
}

/** A minimal environment, without the variables of the npm that runs this script. */
function environmentOf(path: string): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH: [dirname(path), PATH].join(delimiter), HOME, NO_COLOR: "1", HOST: "127.0.0.1", PORT: "0" };
}
