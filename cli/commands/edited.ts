// Whether the settings file was edited while a service runs, which goes on with the settings of its start.
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { basename, join } from "node:path";
import { sha256 } from "../../snapshots/snapshot.ts";
import { typedHere } from "../command-hints.ts";
import type { Log } from "../output/log.ts";
import type { Configuration } from "../settings/configure.ts";

const LOOK_MS = 2_000;

/** Warns once per edit, until `stop`. A new time without another text is no edit. */
export function warnWhenEdited({ file, directory, isDemo }: Configuration, stop: AbortSignal, log: Log): void {
  if (isDemo) return;
  const path = join(directory, basename(file));
  const original = hashOf(path);
  let last = original;
  watchFile(path, { interval: LOOK_MS, persistent: false }, () => {
    const hash = hashOf(path);
    // There is no such file between the two steps of some editors.
    if (hash === undefined || hash === last) return;
    last = hash;
    if (hash === original) return;
    log.warn(`${file} has changed since the start: restart to apply it (first: ${typedHere("check")})`);
  });
  stop.addEventListener("abort", () => unwatchFile(path), { once: true });
}

/** Not the text: a server keeps nothing of its sources. */
function hashOf(path: string): string | undefined {
  try {
    return sha256(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
