// The interface of a command. A command touches no global: arguments, environment, terminal and stop signal come in,
// its exit code goes out.
import type { Readable, Writable } from "node:stream";
import type { Schedule } from "../collector/run/schedule.ts";
import type { Facts } from "../snapshots/facts.ts";
import type { Payload, SnapshotName } from "../snapshots/snapshot.ts";
import type { Store } from "../snapshots/store.ts";
import type { Configuration, ConfigurationInput } from "./settings/configure.ts";
import type { Terminal } from "./output/terminal.ts";

export interface Command {
  name: string;
  summary: string;
  /** Positional arguments, as shown in its help: `[NAME]`, or `[DIR...]` for any number. */
  operands?: readonly string[];
  options: Readonly<Record<string, Option>>;
  /** Says which of the given options cannot be combined. */
  conflicts?(flags: Context["flags"]): readonly (string | false)[];
  load(): Promise<{ run(context: Context): Promise<number> }>;
}

/** Another way to run a command, chosen by a switch or by operands. */
export interface Mode extends Pick<Command, "operands" | "conflicts" | "load"> {
  /** The name of the command. */
  of: string;
  /** The option that its own ones follow in the help. */
  behind?: string;
  /** The name of the option that chooses it; without one, its operands do. */
  switch?: string;
  options?: Command["options"];
}

export interface Option {
  /** Placeholder of the value; without one the option is a switch. */
  value?: string;
  help: string;
}

export interface Context extends ConfigurationInput {
  /** Positional arguments, as typed; at most as many as the command takes. */
  operands?: readonly string[];
  terminal: Terminal;
  /** stdin and stdout, for a command that speaks a protocol on them. */
  pipes(): { input: Readable; output: Writable };
  /** Aborted when the process is asked to stop. */
  stop: AbortSignal;
  companions(): Promise<Companions>;
}

/** What a feature adds to the commands that collect and serve. */
export interface Companion {
  /** Why the settings cannot be used, for `check`: a line each. */
  problems?(configuration: Configuration): readonly string[];
  /** What the operator should know of the published facts, in a line. */
  remark?(facts: Facts, configuration: Configuration): Promise<string | undefined>;
  /** The same of the facts in the vendor's files, for `check`. */
  remarkOnFiles?(facts: FileFacts, configuration: Configuration): string | undefined;
  /** True for made-up facts, which any others may replace. */
  isSample?(payload: Payload): boolean;
  /** Where a server keeps the last good snapshots. At most one feature has it. @throws SettingsProblems */
  lastCopyOf?(configuration: Configuration): Store | undefined;
  /** Accompanies a service until it stops. */
  attend?(service: Service): void;
}

type FileFacts = readonly { name: SnapshotName; payload: Payload }[];

/** `schedule`: of one that collects. */
export interface Service {
  configuration: Configuration;
  facts: Facts;
  stop: AbortSignal;
  warn: (message: string) => void;
  schedule?: Schedule<readonly SnapshotName[]>;
}

/** All companions as one. */
export function together(companions: readonly Companion[]) {
  return {
    problems: (configuration: Configuration) => companions.flatMap((one) => one.problems?.(configuration) ?? []),
    async remarks(facts: Facts, configuration: Configuration): Promise<string[]> {
      const remarks = await Promise.all(companions.map((one) => one.remark?.(facts, configuration)));
      return remarks.filter((text) => text !== undefined);
    },
    remarksOnFiles: (facts: FileFacts, configuration: Configuration) =>
      companions.flatMap((one) => one.remarkOnFiles?.(facts, configuration) ?? []),
    isSample: (payload: Payload) => companions.some((one) => one.isSample?.(payload)),
    lastCopyOf: (configuration: Configuration) => companions.find((one) => one.lastCopyOf)?.lastCopyOf?.(configuration),
    attend: (service: Service) => companions.forEach((one) => one.attend?.(service)),
  };
}
export type Companions = ReturnType<typeof together>;

/** Exit codes, as `vitrine --help` lists them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  settings: 2,
  unavailable: 3,
  held: 4,
  // One code: a published fact is contradicted, or unproven.
  disagreement: 5,
  unsigned: 5,
  busy: 75,
} as const;

/** The exit code of results of a run: a failure outranks something held. */
export function codeOf(results: readonly string[]): number {
  if (results.includes("failed")) return EXIT.failed;
  return results.includes("held") ? EXIT.held : EXIT.ok;
}

/** A command cannot do what was asked; one line says why. */
export class Refused extends Error {
  override name = "Refused";
  readonly code: number;

  constructor(message: string, code: number = EXIT.settings) {
    super(message);
    this.code = code;
  }
}

/** Resolves when the process is asked to stop. */
export function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
