// The snapshots as they are stored, for servers that follow this one. Each names its own end and covers it with a checksum, so
// no cache on the way can make a follower serve it for longer.
import { encodeSnapshot, SNAPSHOT_NAMES } from "../../snapshots/snapshot.ts";
import { currentKey } from "../../snapshots/snapshot-io.ts";
import { json } from "./answer.ts";
import { unavailable, type FactView } from "./facts.ts";

/** Each cache on the way delays a follower by as much; to ask for a snapshot that has not changed costs little. */
const MAX_AGE_SECONDS = 5;

/** The keys of the store below `/snapshots/`. */
export const SHARED_SNAPSHOTS: readonly FactView[] = SNAPSHOT_NAMES.map((name) => ({
  name,
  targets: [`/snapshots/${currentKey(name)}`],
  maxAge: MAX_AGE_SECONDS,
  fresh: (snapshot) => json(200, encodeSnapshot(snapshot)),
  unavailable: unavailable(name),
}));
