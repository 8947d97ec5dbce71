// Messages between the collector and the thread of a vendor's module. Those from the thread are checked, because it runs
// foreign code.
import * as z from "zod";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";
import { ERROR_NAMES } from "./error-names.ts";

/** The thread's `workerData`. */
export interface ModuleTask {
  /** The module's `file:` URL. */
  url: string;
  names: readonly SnapshotName[];
}

export const FromThread = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("fetch"), request: z.int(), url: z.string(), headers: z.unknown() }),
  z.object({ kind: z.literal("log"), line: z.string() }),
  /** The answer as JSON. */
  z.object({ kind: z.literal("answer"), text: z.string() }),
  z.object({
    kind: z.literal("failed"),
    stage: z.enum(["load", "export", "run", "answer"]),
    error: z.enum(ERROR_NAMES).optional(),
    /** Node's error code. */
    code: z.string().optional(),
    /** Line of the module that threw. */
    line: z.int().optional(),
    /** The request that failed, if that is the error. */
    request: z.int().optional(),
  }),
]);
export type FromThread = z.infer<typeof FromThread>;
export type ModuleFailure = Extract<FromThread, { kind: "failed" }>;

export type ToThread =
  | { kind: "fetched"; request: number; text: string }
  | { kind: "refused"; request: number; reason: string }
  | { kind: "end" };
