// Every kind of document there is to read, its reader loaded when it is needed. `small`: what is read at once, bytes; more
// would hold up whatever else the process does. `most`: what is read at all; XML takes about a second for each MiB.
import { decodeText, MAX_BYTES, type FetchedBody, type TypedText } from "../http/fetch.ts";
import { UpstreamError } from "../http/upstream-error.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

const FEEDS = {
  "own-shape": { small: 128 * KIB, most: MAX_BYTES, load: () => import("./own-shape/read.ts") },
  stripe: { small: 128 * KIB, most: MAX_BYTES, load: () => import("./stripe/read.ts") },
  github: { small: 128 * KIB, most: MAX_BYTES, load: () => import("./github/read.ts") },
  tauri: { small: 128 * KIB, most: MIB, load: () => import("./tauri/read.ts") },
  "electron-builder": { small: 4 * KIB, most: MIB, load: () => import("./electron-builder/read.ts") },
  sparkle: { small: 8 * KIB, most: 4 * MIB, load: () => import("./sparkle/read.ts") },
};
export type Body = Pick<FetchedBody, "body" | "contentType">;
export type FeedKind = keyof typeof FEEDS;
type Reader<K extends FeedKind> = Awaited<ReturnType<(typeof FEEDS)[K]["load"]>>["readFeed"];
export type Feed<K extends FeedKind> = Awaited<ReturnType<Reader<K>>>;
/** What a reader has to know beside the text; most know enough. */
export type Wanted<K extends FeedKind> = Parameters<Reader<K>>[1];

/** Whether a feed can be read at once. @throws UpstreamError when it is too large to be read at all. */
export function isSmall(kind: FeedKind, { body }: Body): boolean {
  const { small, most } = FEEDS[kind];
  if (body.byteLength > most) throw new UpstreamError(`a feed of more than ${most / MIB} MiB`);
  return body.byteLength <= small;
}

/** What a feed says, only what is read of it. @throws UpstreamError */
export async function readFeed<K extends FeedKind>(kind: K, body: Body, wanted: Wanted<K>): Promise<Feed<K>> {
  // The types of all readers together say no more than that each takes what is its own.
  const reader = (await FEEDS[kind].load()) as unknown as { readFeed(text: TypedText, wanted: Wanted<K>): Feed<K> };
  return reader.readFeed(decodeText(body), wanted);
}
