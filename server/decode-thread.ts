// The other thread of decode.ts: takes one task, says its result, and ends.
import { parentPort, workerData } from "node:worker_threads";
import { decodeServable } from "../snapshots/snapshot.ts";
import type { Result, Task } from "./decode.ts";

const { bytes, name }: Task = workerData;
const result = attempt();
const bodies = "snapshot" in result ? [result.snapshot.body.buffer as ArrayBuffer] : [];
parentPort?.postMessage(result, bodies);

function attempt(): Result {
  try {
    return { snapshot: decodeServable(bytes, name) };
  } catch (error) {
    return { damage: error instanceof Error ? error.message : "unreadable" };
  }
}
