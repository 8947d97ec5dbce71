// Where the snapshots are: the path of a directory, or the URL of a store. Only the environment may give a user name and a
// password with it: every user of the computer can read command lines, and the settings file is no place for secrets.
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isRemote, openReader, type StoreEnvironment } from "../../snapshots/open-store.ts";
import { elsewhere } from "./problems.ts";
import type { Origin } from "./schema.ts";
import { withoutUserInfo } from "./url-text.ts";

/** A line for each problem with the value of `snapshots`; quotes nothing of it. A value that is no text is the schema's problem. */
export function locationProblems(
  location: unknown,
  {
    origin,
    environment,
    isDemoAsked,
  }: { origin: Origin | undefined; environment: StoreEnvironment; isDemoAsked: boolean },
): string[] {
  if (typeof location !== "string" || location === "") return [];
  const isExposed = origin !== "environment" && withoutUserInfo(location) !== location;
  // Some of them name other variables.
  const place = elsewhere("snapshots", origin).replace(", given", "; the location is given");
  return [
    ...openingProblem(location, environment).map((text) => `snapshots   ${text}${place}`),
    ...(isDemoAsked && isRemote(location) ? ["snapshots   must be a directory for the demo product"] : []),
    ...(isExposed ? ["snapshots   may have a user name and a password only in the environment, as SNAPSHOTS"] : []),
  ];
}

// Paths from the file and the default are relative to the file, those from a flag or variable to the working directory.
// The demo always gets a subdirectory of its own, so that its prices are never served as the vendor's.
/** The absolute path of the directory, or the URL in its normal form. `location`: without a problem. */
export function resolveLocation(
  location: string,
  { origin, directory, file, isDemo }: { origin: Origin | undefined; directory: string; file: string; isDemo: boolean },
): string {
  if (isRemote(location)) return new URL(location).href;
  const path = /^file:/i.test(location) ? fileURLToPath(location) : location;
  if (isDemo) return resolve(directory, path, "demo");
  return resolve(origin === "file" || origin === "default" ? dirname(file) : directory, path);
}

/** Opening a store has no effect until it is used. */
function openingProblem(location: string, environment: StoreEnvironment): string[] {
  try {
    openReader(location, environment);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : "is not valid"];
  }
}
