// A document is fetched and read: a small one at once, a large one on another thread, where no text can hold up or use up
// the process, and which ends with its work or with its time.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { withDeadline } from "../deadline.ts";
import { isSmall, readFeed, type Body, type Feed, type FeedKind, type Wanted } from "./readers.ts";
import { fetchBody, type FetchedBody, type FetchOptions } from "../http/fetch.ts";
import { UpstreamError } from "../http/upstream-error.ts";
import { errorCode } from "../../snapshots/error-code.ts";

const isBuilt = import.meta.url.endsWith(".mjs");
const THREAD = new URL(isBuilt ? "./reader-thread.mjs" : "./reader-thread.dev.mjs", import.meta.url);

/** Most memory of the thread, MiB. */
const MAX_MEMORY = 512;

/** What the thread is given, and what it says: what the feed says, or why it cannot be read. */
export type Task<K extends FeedKind = FeedKind> = { kind: K; body: Body; wanted: Wanted<K> };
export type Result = { feed: unknown } | { problem: string };

export type FetchedFeed<K extends FeedKind> = Pick<FetchedBody, "validators" | "hasNext"> & { feed: Feed<K> };

/** GET a feed and read it; the deadline is for both. @throws UpstreamError */
export async function fetchFeed<K extends FeedKind>(
  kind: K,
  url: string,
  options: FetchOptions & { wanted?: Wanted<K> },
): Promise<FetchedFeed<K> | "unchanged"> {
  const ending = performance.now() + options.deadline;
  const fetched = await fetchBody(url, options);
  if (fetched === "unchanged") return "unchanged";
  const { validators, hasNext, ...body } = fetched;
  const deadline = Math.max(1, ending - performance.now());
  const task = { kind, body, wanted: options.wanted as Wanted<K> };
  return { feed: await readInTime(task, { deadline, signal: options.signal }), validators, hasNext };
}

/** What a document says that is here already. Its bytes may be gone afterwards. @throws UpstreamError */
export async function readInTime<K extends FeedKind>(
  task: Task<K>,
  { deadline, signal }: Pick<FetchOptions, "deadline" | "signal">,
): Promise<Feed<K>> {
  if (isSmall(task.kind, task.body)) return readFeed(task.kind, task.body, task.wanted);
  return withDeadline(deadline, signal, (signal) => readAside(task, signal));
}

async function readAside<K extends FeedKind>(task: Task<K>, signal: AbortSignal): Promise<Feed<K>> {
  const { buffer, byteLength } = task.body.body;
  const worker = new Worker(THREAD, {
    workerData: task,
    // Moved, not copied, where they have their memory to themselves.
    transferList: buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY },
  });
  try {
    const [result] = (await once(worker, "message", { signal })) as [Result];
    if ("problem" in result) throw new UpstreamError(result.problem);
    return result.feed as Feed<K>;
  } catch (error) {
    if (signal.aborted) throw new UpstreamError("could not be read within its time", { cause: error });
    if (errorCode(error) === "ERR_WORKER_OUT_OF_MEMORY") {
      throw new UpstreamError(`cannot be read within ${MAX_MEMORY} MiB of memory`, { cause: error });
    }
    throw error;
  } finally {
    await worker.terminate();
  }
}
