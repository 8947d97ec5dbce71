// When the copies in memory are read again at the edge. There is no timer, so a request asks the store, at most once per pace.
// No request waits for a promise of another, which some platforms forbid: it looks again instead.
import type { ReportBug } from "../../answers/answer.ts";
import type { Follower } from "../../mirror/follower.ts";
import type { Mirror } from "../../mirror/mirror.ts";
import type { Facts } from "../../../snapshots/facts.ts";
import type { RequestContext } from "./interface.ts";

/** How long a request waits for a store that does not answer. */
const WAIT_MS = 2_000;
/** The same while the store is away, where no work goes on after the answer: it would never be seen to be back. */
const AWAY_MS = 500;
/** How long a request waits for all else once the facts are there. */
const REST_MS = 1_000;
/** How often a request looks whether the first read, which another one began, has ended. */
const LOOK_MS = 10;

/** Returns a function to be called before each request. It reads the store if it is time, and waits if there are no copies yet, or
 * the platform lets no work go on, or the copies are older than two paces while the store is not away. */
export function freshening(
  { clock, store: { pace } }: Facts,
  { mirror, others, reportBug }: { mirror: Mirror; others: readonly Follower[]; reportBug: ReportBug },
): (context: RequestContext) => Promise<void> {
  // It is a time of the wall clock.
  let askedAt: number | undefined;
  let hasReadOnce = false;
  // The store has answered once.
  let isKnown = false;
  // The store did not answer in time.
  let isAway = false;
  const readCopy = (copy: Follower) => copy.readOnce().catch(reportBug);

  return async (context) => {
    const now = clock.wall();
    const age = askedAt === undefined ? Infinity : now - askedAt;
    // It is less than 0 after the clock was set back.
    if (age >= 0 && age < pace) {
      for (let waited = 0; !hasReadOnce && waited < WAIT_MS; waited += LOOK_MS) await sleep(LOOK_MS);
      return;
    }
    askedAt = now;
    // The facts come before report and history, which can be hundreds of values.
    const facts = readCopy(mirror).then(() => {
      isKnown ||= mirror.isAnswered;
      return (isAway = !mirror.isAnswered);
    });
    const all = Promise.all([facts, ...others.map(readCopy)]);
    context.waitUntil?.(all);
    if (isKnown && context.waitUntil && (isAway || age < 2 * pace)) return;
    const wait = isKnown && isAway ? AWAY_MS : WAIT_MS;
    const read = facts.then((isNowAway) => Promise.race([all, sleep(REST_MS)]).then(() => isNowAway));
    isAway = await Promise.race([read, sleep(wait).then(() => true)]);
    hasReadOnce = true;
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
