// The snapshots as they are stored, by their keys below `/snapshots/`, for servers that follow this one. Each names its own end and
// covers it with a checksum, so no cache on the way can make a follower serve it for longer.
import { currentKey } from "../../../snapshots/facts.ts";
import { encodeSnapshot, SNAPSHOT_NAMES } from "../../../snapshots/snapshot.ts";
import { json } from "../../answers/answer.ts";
import { unavailable, type FactView } from "../../answers/facts.ts";

/** Each cache on the way delays a follower by as much; to ask for a snapshot that has not changed costs little. */
const MAX_AGE_SECONDS = 5;

export const SHARED_SNAPSHOTS: readonly FactView[] = SNAPSHOT_NAMES.map((name) => ({
  name,
  targets: [`/snapshots/${currentKey(name)}`],
  maxAge: MAX_AGE_SECONDS,
  // As it is stored: the collector and the followers may be of a newer version, which knows more fields.
  fresh: (snapshot) => json(200, snapshot.stored ?? encodeSnapshot(snapshot)),
  unavailable: unavailable(name),
}));
