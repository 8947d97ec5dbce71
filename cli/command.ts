// What a command is, and what it is given. A command touches no global: arguments, environment, terminal and the wish to
// stop all come in here; its exit code goes out.
import type { Readable, Writable } from "node:stream";
import type { ConfigurationInput } from "./settings/configure.ts";
import type { Terminal } from "./output/terminal.ts";

export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** What may stand behind the command, for its help: `[NAME]`; nothing by default. */
  operands?: readonly string[];
  /** Options by name; a text tells the placeholder of an option that takes a value. */
  options: Readonly<Record<string, Option>>;
  load(): Promise<{ run(context: Context): Promise<number> }>;
}

export interface Option {
  /** Placeholder of the value; without one the option is a switch. */
  value?: string;
  help: string;
}

export interface Context extends ConfigurationInput {
  /** What stood behind the command, as typed; at most as many as it takes. */
  operands?: readonly string[];
  terminal: Terminal;
  /** stdin and stdout, for a command that speaks a protocol on them. */
  pipes(): { input: Readable; output: Writable };
  /** Aborted when the process is asked to stop. */
  stop: AbortSignal;
}

/** Exit codes, as the manual lists them. */
export const EXIT = { ok: 0, failed: 1, settings: 2, unavailable: 3, held: 4, busy: 75 } as const;

/** Resolves when the process is asked to stop. */
export function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
