// The other thread of fetch-feed.ts: reads one feed, says what it found, and ends.
import { parentPort, workerData } from "node:worker_threads";
import { readFeed } from "./readers.ts";
import type { Result, Task } from "./fetch-document.ts";
import { UpstreamError } from "../http/upstream-error.ts";

const { kind, body, wanted }: Task = workerData;
parentPort?.postMessage(await attempt(), []);

async function attempt(): Promise<Result> {
  try {
    return { feed: await readFeed(kind, body, wanted) };
  } catch (error) {
    if (error instanceof UpstreamError) return { problem: error.message };
    throw error;
  }
}
