// What the thread of a vendor's module and the collector say to each other. The thread runs foreign code, so whatever comes
// from there is checked.
import * as z from "zod";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";
import { ERROR_NAMES } from "./error-names.ts";

/** What the thread is started with. */
export interface Task {
  /** file: URL of the module. */
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
    /** Node's code of the error. */
    code: z.string().optional(),
    /** Line of the module where it was thrown. */
    line: z.int().optional(),
    /** The request whose failure it was. */
    request: z.int().optional(),
  }),
]);
export type FromThread = z.infer<typeof FromThread>;
export type Failed = Extract<FromThread, { kind: "failed" }>;

export type ToThread =
  | { kind: "fetched"; request: number; text: string }
  | { kind: "refused"; request: number; reason: string }
  | { kind: "end" };
