// What this user may do in a remote store. Few engines say so when asked: a value that no program reads is written and removed,
// and the store is claimed for a moment, because a collector needs more than to write.
import { HISTORY_FOLDER } from "../../snapshots/history-entry.ts";
import { isFollowed, isRemote, openStore } from "../../snapshots/open-store.ts";
import { currentKey } from "../../snapshots/snapshot-io.ts";
import { messageOf } from "../output/terminal.ts";
import type { Configuration } from "../settings/configure.ts";
import { withReader } from "../with-store.ts";

const PROBE_KEY = "check.json";

/** `access`: undefined for a directory. `hint`: what the access is good for. */
export interface StoreFindings {
  access?: "none" | "read" | "write";
  problems: string[];
  hint?: string;
}

/** Takes at most as long as five calls of the store. A collector that starts during the claim skips one run. */
export async function checkRemoteStore(configuration: Configuration): Promise<StoreFindings> {
  const { location } = configuration;
  if (!isRemote(location)) return { problems: [] };
  const unreadable = await messageIfRejected(
    withReader(configuration, (store) =>
      Promise.all([store.get(currentKey("plans")), ...(isFollowed(location) ? [] : [store.list(HISTORY_FOLDER)])]),
    ),
  );
  if (unreadable !== undefined) return { access: "none", problems: [`snapshots   ${unreadable}`] };
  if (isFollowed(location)) return { access: "read", problems: [], hint: "snapshots: may be followed" };
  const unwritable = await messageIfRejected(write(configuration));
  if (unwritable === undefined) return { access: "write", problems: [], hint: "snapshots: may be read and written" };
  const hint = `snapshots: may be read, as the server must, but not written, as the collector must: ${unwritable}`;
  return { access: "read", problems: [], hint };
}

/** @throws Error if it cannot be written */
async function write({ location, environment }: Configuration): Promise<void> {
  const store = openStore(location, environment);
  try {
    await store.put(PROBE_KEY, Buffer.from("{}"));
    await store.remove(PROBE_KEY);
    const claim = await store.claim();
    await claim?.release();
  } finally {
    await store.close();
  }
}

function messageIfRejected(attempt: Promise<unknown>): Promise<string | undefined> {
  return attempt.then(() => undefined, messageOf);
}
