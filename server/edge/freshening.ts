// When the copies in memory are read again at the edge. There is no timer, so a request asks the store, at most once per pace.
// No request waits for a promise of another, which some platforms forbid: it looks again instead.
import type { ReportBug } from "../answers/answer.ts";
import type { CollectorReport } from "../mirror/collector-report.ts";
import type { Clock, Mirror } from "../mirror/mirror.ts";
import type { RecentChanges } from "../mirror/recent-changes.ts";
import type { RequestContext } from "./interface.ts";

export interface Copies {
  mirror: Mirror;
  collector: CollectorReport;
  changes: RecentChanges;
}

/** How long a request waits for a store that does not answer. */
const WAIT_MS = 2_000;
/** The same while the store is away, where no work goes on after the answer: it would never be seen to be back. */
const AWAY_MS = 500;
/** How long a request waits for all else once the facts are there. */
const REST_MS = 1_000;
/** How often a request looks whether the first read, which another one began, has ended. */
const LOOK_MS = 10;

export class Freshening {
  readonly #copies: Copies;
  readonly #pace: number;
  readonly #clock: Clock;
  readonly #reportBug: ReportBug;
  /** It is a time of the wall clock. */
  #askedAt: number | undefined;
  #hasReadOnce = false;
  /** The store has answered once. */
  #isKnown = false;
  /** The store did not answer in time. */
  #isAway = false;

  /** `pace` is in ms. */
  constructor(copies: Copies, pace: number, { clock, reportBug }: { clock: Clock; reportBug: ReportBug }) {
    this.#copies = copies;
    this.#pace = pace;
    this.#clock = clock;
    this.#reportBug = reportBug;
  }

  /** Reads the store if it is time. Waits if there are no copies yet, or the platform lets no work go on, or the copies are older
   * than two paces while the store is not away. */
  async before(context: RequestContext): Promise<void> {
    const now = this.#clock.wall();
    const age = this.#askedAt === undefined ? Infinity : now - this.#askedAt;
    // Less than 0 after the clock was set back.
    if (age >= 0 && age < this.#pace) return this.#firstRead();
    this.#askedAt = now;
    const { facts, all } = this.#read();
    context.waitUntil?.(all);
    const mayReadOn = this.#isAway || age < 2 * this.#pace;
    if (this.#isKnown && context.waitUntil && mayReadOn) return;
    const wait = this.#isKnown && this.#isAway ? AWAY_MS : WAIT_MS;
    const read = facts.then((isAway) => Promise.race([all, sleep(REST_MS)]).then(() => isAway));
    this.#isAway = await Promise.race([read, sleep(wait).then(() => true)]);
    this.#hasReadOnce = true;
  }

  /** `facts`: resolves with whether the store is away, before report and history, which can be hundreds of values. */
  #read(): { facts: Promise<boolean>; all: Promise<unknown> } {
    const { mirror, collector, changes } = this.#copies;
    const readCopy = (copy: Copies[keyof Copies]) => copy.readOnce().catch(this.#reportBug);
    const facts = readCopy(mirror).then(() => {
      this.#isKnown ||= mirror.isAnswered;
      return (this.#isAway = !mirror.isAnswered);
    });
    return { facts, all: Promise.all([facts, readCopy(collector), readCopy(changes)]) };
  }

  /** Ends when the first read has ended, or after two seconds. */
  async #firstRead(): Promise<void> {
    for (let waited = 0; !this.#hasReadOnce && waited < WAIT_MS; waited += LOOK_MS) await sleep(LOOK_MS);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
