// The thread of fetch-document.ts: reads one document, posts it or the reason why not, and ends.
import { parentPort, workerData } from "node:worker_threads";
import type { ReadResult, ReadTask } from "./fetch-document.ts";
import { decodeText } from "../http/fetch.ts";
import { UpstreamError } from "../http/upstream-error.ts";
import { readerOf } from "./readers.ts";

parentPort?.postMessage(await attempt(workerData), []);

async function attempt({ reader, body, selection }: ReadTask): Promise<ReadResult> {
  try {
    return { document: await readerOf(reader).read(decodeText(body), selection) };
  } catch (error) {
    if (error instanceof UpstreamError) return { problem: error.message };
    throw error;
  }
}
