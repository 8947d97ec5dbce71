// Fetches and reads one upstream document. A small document is read in place. A large one is read on a thread, so that it
// neither blocks the process nor exhausts its memory; the thread ends when the work or the time is over.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { errorCode } from "../../snapshots/system-calls.ts";
import { withDeadline } from "../http/deadline.ts";
import { UpstreamError } from "../http/errors.ts";
import { decodeText, fetchBody, type FetchedBody, type FetchOptions } from "../http/fetch.ts";
import { MIB, type DocumentReader } from "../source.ts";

type DocumentBody = Pick<FetchedBody, "body" | "contentType">;

/** Messages to and from reader-thread.ts. */
export interface ReadTask {
  reader: string;
  body: DocumentBody;
  selection: unknown;
}
export type ReadResult = { document: unknown } | { problem: string };

type FetchedDocument<Document> = Pick<FetchedBody, "validators" | "hasNext"> & { upstream: Document };

type Selecting<Selection> = { selection?: Selection };

const isBuilt = import.meta.url.endsWith(".mjs");
const THREAD = new URL(isBuilt ? "./reader-thread.mjs" : "./reader-thread.dev.mjs", import.meta.url);
const MAX_THREAD_MIB = 512;

/** GET a document and read it, both within the deadline. @throws UpstreamError */
export async function fetchDocument<Document, Selection>(
  reader: DocumentReader<Document, Selection>,
  url: string,
  options: FetchOptions & Selecting<Selection>,
): Promise<FetchedDocument<Document> | "unchanged"> {
  const end = performance.now() + options.deadline;
  const fetched = await fetchBody(url, options);
  if (fetched === "unchanged") return "unchanged";
  const { validators, hasNext, ...body } = fetched;
  const deadline = Math.max(1, end - performance.now());
  return { upstream: await readInTime(reader, body, { ...options, deadline }), validators, hasNext };
}

/** Reads a document that is already here. Its bytes may be moved to the thread. @throws UpstreamError */
export async function readInTime<Document, Selection>(
  reader: DocumentReader<Document, Selection>,
  body: DocumentBody,
  { deadline, signal, selection }: Pick<FetchOptions, "deadline" | "signal"> & Selecting<Selection>,
): Promise<Document> {
  const { name, maxInPlace, maxBytes } = reader;
  const { byteLength } = body.body;
  if (byteLength > maxBytes) throw new UpstreamError(`a document of more than ${maxBytes / MIB} MiB`);
  if (byteLength <= maxInPlace) return reader.read(decodeText(body), selection as Selection);
  const task: ReadTask = { reader: name, body, selection };
  // The cast holds because the thread runs this very reader.
  return withDeadline(deadline, signal, async (signal) => (await readOnThread(task, signal)) as Document);
}

async function readOnThread(task: ReadTask, signal: AbortSignal): Promise<unknown> {
  const { buffer, byteLength } = task.body.body;
  const worker = new Worker(THREAD, {
    workerData: task,
    // Moved instead of copied if the bytes have the buffer to themselves.
    transferList: buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_MIB },
  });
  try {
    const [result] = (await once(worker, "message", { signal })) as [ReadResult];
    if ("problem" in result) throw new UpstreamError(result.problem);
    return result.document;
  } catch (error) {
    if (signal.aborted) throw new UpstreamError("could not be read in time", { cause: error });
    if (errorCode(error) !== "ERR_WORKER_OUT_OF_MEMORY") throw error;
    throw new UpstreamError(`cannot be read within ${MAX_THREAD_MIB} MiB of memory`, { cause: error });
  } finally {
    await worker.terminate();
  }
}
