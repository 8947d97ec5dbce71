// The thread of fetch-document.ts: reads one document, posts it or the reason why not, and ends.
import { parentPort, workerData } from "node:worker_threads";
import { UpstreamError } from "../http/errors.ts";
import { decodeText } from "../http/fetch.ts";
import type { ReadResult, ReadTask } from "./fetch-document.ts";
import { readerOf } from "./sources.ts";

parentPort?.postMessage(await attempt(workerData), []);

async function attempt({ reader, body, selection }: ReadTask): Promise<ReadResult> {
  try {
    return { document: await readerOf(reader).read(decodeText(body), selection) };
  } catch (error) {
    if (error instanceof UpstreamError) return { problem: error.message };
    throw error;
  }
}
