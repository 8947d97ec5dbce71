// A feed is fetched and read: a small one at once, a large one on another thread, where no text can hold up or use up
// the process, and which ends with its work or with its time.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { withDeadline } from "./deadline.ts";
import { isSmall, readFeed, type Body, type Feed, type FeedKind } from "./feeds.ts";
import { fetchBody, type FetchedBody, type FetchOptions } from "./fetch.ts";
import { UpstreamError } from "./source.ts";

const isBuilt = import.meta.url.endsWith(".mjs");
const THREAD = new URL(isBuilt ? "./feed-thread.mjs" : "./feed-thread.dev.mjs", import.meta.url);

/** Most memory of the thread, MiB. */
const MAX_MEMORY = 512;

/** What the thread is given, and what it says: what the feed says, or why it cannot be read. */
export type Task = { kind: FeedKind; body: Body };
export type Result = { feed: unknown } | { problem: string };

export type FetchedFeed<K extends FeedKind> = Pick<FetchedBody, "validators" | "hasNext"> & { feed: Feed<K> };

/** GET a feed and read it; the deadline is for both. @throws UpstreamError */
export async function fetchFeed<K extends FeedKind>(
  kind: K,
  url: string,
  options: FetchOptions,
): Promise<FetchedFeed<K> | "unchanged"> {
  const ending = performance.now() + options.deadline;
  const fetched = await fetchBody(url, options);
  if (fetched === "unchanged") return "unchanged";
  const { body, contentType, validators, hasNext } = fetched;
  if (isSmall(kind, fetched)) return { feed: await readFeed(kind, fetched), validators, hasNext };
  const feed = await withDeadline(Math.max(1, ending - performance.now()), options.signal, (signal) =>
    readAside<K>({ kind, body: { body, contentType } }, signal),
  );
  return { feed, validators, hasNext };
}

async function readAside<K extends FeedKind>(workerData: Task, signal: AbortSignal): Promise<Feed<K>> {
  const worker = new Worker(THREAD, { workerData, resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY } });
  try {
    const [result] = (await once(worker, "message", { signal })) as [Result];
    if ("problem" in result) throw new UpstreamError(result.problem);
    return result.feed as Feed<K>;
  } catch (error) {
    if (signal.aborted) throw new UpstreamError("could not be read within its time", { cause: error });
    const isMemory = error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
    if (isMemory) throw new UpstreamError(`cannot be read within ${MAX_MEMORY} MiB of memory`, { cause: error });
    throw error;
  } finally {
    await worker.terminate();
  }
}
