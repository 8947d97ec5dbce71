// The other thread of decode.ts: takes one task, says its result, and ends.
import { constants, setPriority } from "node:os";
import { platform } from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import type { Result, Task } from "./decode.ts";

// Answering comes first where there are few cores. Only Linux takes this for the thread, not for the whole process.
if (platform === "linux") setPriority(constants.priority.PRIORITY_LOW);
const { decodeServable } = await import("../../snapshots/snapshot.ts");

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
