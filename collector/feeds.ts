// Every feed there is to read, its reader loaded when it is needed: how much of its text is read at once, bytes, and how.
// More than that would hold up whatever else the process does, and is read on another thread.
import type { TypedText } from "./json-text.ts";

const KIB = 1024;

const FEEDS = {
  github: { small: 512 * KIB, load: () => import("./feeds/github.ts") },
  tauri: { small: 512 * KIB, load: () => import("./feeds/tauri.ts") },
  "electron-builder": { small: 4 * KIB, load: () => import("./feeds/electron-builder.ts") },
  sparkle: { small: 8 * KIB, load: () => import("./feeds/sparkle.ts") },
};
export type FeedKind = keyof typeof FEEDS;
type Reader<K extends FeedKind> = Awaited<ReturnType<(typeof FEEDS)[K]["load"]>>["readFeed"];
export type Feed<K extends FeedKind> = Awaited<ReturnType<Reader<K>>>;

export function isSmall(kind: FeedKind, { bytes }: TypedText): boolean {
  return bytes <= FEEDS[kind].small;
}

/** What the text of a feed says, only what is read of it. @throws UpstreamError */
export async function readFeed<K extends FeedKind>(kind: K, text: TypedText): Promise<Feed<K>>;
export async function readFeed(kind: FeedKind, text: TypedText): Promise<unknown> {
  const reader = await FEEDS[kind].load();
  return reader.readFeed(text);
}
