// What was edited while a service runs: the settings, which it read at its start, and the vendor's own files of facts, from which it
// collects again. Files are looked at, not watched: an editor may replace one, and it may lie on a mounted volume. Without the feature,
// facts that were edited are collected on schedule only.
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { basename, join, resolve } from "node:path";
import { sourcesOf } from "../../../collector/settings.ts";
import { attempt } from "../../../snapshots/rules.ts";
import { sha256 } from "../../../snapshots/snapshot.ts";
import { typedHere } from "../../command-hints.ts";
import type { Companion, Service } from "../../command.ts";

const LOOK_MS = 1_000;
/** How long a file rests after a change before it is read: some programs write it in two steps, with no such file between them. */
const REST_MS = 250;

export const edits: Companion = {
  attend(service) {
    warnWhenEdited(service);
    collectWhenEdited(service);
  },
};

function warnWhenEdited({ configuration: { file, directory, isDemo }, stop, warn }: Service): void {
  if (isDemo) return;
  const path = join(directory, basename(file));
  const original = hashOf(path);
  onEdit(path, stop, (hash) => {
    if (hash === undefined || hash === original) return;
    warn(`${file} has changed since the start: restart to apply it (first: ${typedHere("check")})`);
  });
}

function collectWhenEdited({ configuration: { settings, directory }, stop, schedule }: Service): void {
  if (!schedule) return;
  for (const { source, names } of sourcesOf(settings)) {
    const { path } = source;
    if (path !== undefined) onEdit(resolve(directory, path), stop, () => schedule.runNow(names));
  }
}

/** Calls back when a file has another text, appears or is gone. A new time without another text is no edit. */
function onEdit(path: string, stop: AbortSignal, edited: (hash: string | undefined) => void): void {
  let last = hashOf(path);
  let rest: NodeJS.Timeout | undefined;
  const look = () => {
    const hash = hashOf(path);
    if (stop.aborted || hash === last) return;
    last = hash;
    edited(hash);
  };
  watchFile(path, { interval: LOOK_MS, persistent: false }, () => {
    clearTimeout(rest);
    rest = setTimeout(look, REST_MS);
  });
  stop.addEventListener("abort", () => unwatchFile(path), { once: true });
}

/** A server keeps no text of its sources, so the hash is kept. */
function hashOf(path: string): string | undefined {
  return attempt(() => sha256(readFileSync(path, "utf8")));
}
