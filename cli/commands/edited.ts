// Whether the settings file was edited while a service runs, which goes on with the settings of its start.
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { basename, join } from "node:path";
import { typedHere } from "../command-hints.ts";
import type { Context } from "../command.ts";
import { warning, type Log } from "../output/log.ts";
import type { Configuration } from "../settings/configure.ts";

/** How often a service looks whether its settings file was edited. */
const LOOK_MS = 2_000;

/** Warns once per edit, until `stop`. A new time without another text is no edit. */
export function warnWhenEdited(
  { file, directory, isDemo }: Configuration,
  { stop, terminal, log }: Pick<Context, "stop" | "terminal"> & { log: Log },
): void {
  if (isDemo) return;
  const path = join(directory, basename(file));
  const original = textOf(path);
  let last = original;
  watchFile(path, { interval: LOOK_MS, persistent: false }, () => {
    const text = textOf(path);
    // There is no such file between the two steps of some editors.
    if (text === undefined || text === last) return;
    last = text;
    if (text === original) return;
    log.err(
      warning(terminal, `${file} has changed since the start: restart to apply it (first: ${typedHere("check")})`),
    );
  });
  stop.addEventListener("abort", () => unwatchFile(path), { once: true });
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
