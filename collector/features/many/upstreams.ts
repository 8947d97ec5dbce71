// What the vendors of one run know of their upstreams together: one pace and one pause for each origin, whichever of them asks. The waits
// of a vendor lie in its store, so that they outlast the process, and whichever folders a later run has, it asks no origin too early.
// They also are the queue: of the vendors that wait for an origin, the first asks first.
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { parseUrl } from "../../../snapshots/rules.ts";
import { knownItems } from "../../../snapshots/records.ts";
import { readDocument, type Reader, type Store } from "../../../snapshots/store.ts";
import { PauseError, statusError } from "../../http/errors.ts";
import { headerIn, pace, type Asking, type Send } from "../../http/fetch.ts";

const KEY = "waits.json";

/** Requests to one origin begin so far apart. GitHub permits 900 a minute. */
const GAP_MS = 70;
/** So long a request waits for the answer to the one before. */
const ANSWER_MS = 500;
/** Headers that are the same for all vendors; any other may be a key. */
const KEYLESS = /^(?:accept|content-type|.+-version)$/i;
/** A request waits for the end of a shorter pause. */
const SHORT_MS = 10_000;
/** A longer pause is cut to this. */
const MAX_PAUSE_MS = 24 * 60 * 60_000;
/** After "too many requests" without a time, or with one that is over. */
const UNNAMED_PAUSE_MS = 60_000;

/** A vendor waits for an origin `since` a run in which that was not to be asked, and still is not `until` then. In ms since the epoch. */
const Wait = z.object({
  origin: z.string().refine((text) => parseUrl(text)?.origin === text),
  since: z.number(),
  until: z.number(),
});
export type Wait = z.infer<typeof Wait>;
const WaitFile = z.object({ format: z.literal(1), waits: knownItems(Wait) });

/** In the queue of an origin. */
interface Place {
  turn: Promise<unknown>;
  leave: (over?: Promise<unknown>) => void;
}
/** By origin. */
type Places = Map<string, Place>;

type Answer = Awaited<ReturnType<Send>>;

/** None if they cannot be read. @throws Unreachable */
export async function readWaits(store: Reader): Promise<Wait[]> {
  return (await readDocument(store, KEY, { schema: WaitFile })).document?.waits ?? [];
}

/** Keeps what a vendor waits for. `earlier`: what its store has. @throws StoreError */
export async function keepWaits(store: Store, waits: readonly Wait[], earlier: readonly Wait[]): Promise<void> {
  if (isDeepStrictEqual(waits, earlier)) return;
  if (waits.length === 0) await store.remove(KEY);
  else await store.put(KEY, Buffer.from(`${JSON.stringify({ format: 1, waits })}\n`));
}

export class SharedUpstreams {
  /** By origin, the end of its pause. */
  readonly #pauses = new Map<string, number>();
  /** Those that a vendor was not to ask: for the rest of the run no other may, or it would pass those that have waited longer. */
  readonly #closed = new Set<string>();
  /** By origin, settles when the next request may begin. */
  readonly #turns = new Map<string, Promise<unknown>>();

  /** `waits`: of all vendors. */
  constructor(waits: readonly Wait[]) {
    // A time further ahead was set, or is read, by a wrong clock.
    const latest = Date.now() + MAX_PAUSE_MS;
    for (const { origin, until } of waits) if (until <= latest) this.#pause(origin, until);
  }

  /** The vendors in the order in which they are to ask: first those that have waited longest for an origin that may be asked now. */
  inOrder<T extends { waits: readonly Wait[] }>(vendors: readonly T[]): T[] {
    const now = Date.now();
    const since = ({ waits }: T) =>
      Math.min(...waits.filter(({ origin }) => this.#pauseOf(origin) <= now).map((wait) => wait.since), now);
    return vendors.toSorted((a, b) => since(a) - since(b));
  }

  /** Runs a vendor's requests at the common pace. Resolves to the result of `work`, with what the vendor waits for then. `earlier`: what
   * it waited for before, in these places. `stop`: ends the work. */
  async share<T>(
    { earlier, places, stop }: { earlier: readonly Wait[]; places: Places; stop: AbortSignal },
    work: () => Promise<T>,
  ): Promise<{ result: T; waits: Wait[] }> {
    const began = Date.now();
    // It may not come to a request: its own memory of an upstream throws in a pause, too.
    const unserved = new Set(earlier.map(({ origin }) => origin));
    const done = pace.run(async (asking, send) => {
      unserved.add(asking.origin);
      const place = places.get(asking.origin);
      places.delete(asking.origin);
      const response = await this.#inTurn(asking, send, place);
      if (pauseIn(response) === undefined) unserved.delete(asking.origin);
      return response;
    }, work);
    const result = await done.finally(() => places.forEach(({ leave }) => leave()));
    const waits = [...unserved].flatMap((origin) => {
      const since = earlier.find((wait) => wait.origin === origin)?.since;
      const until = this.#pauseOf(origin);
      const isWaiting = until > began || this.#closed.has(origin) || (stop.aborted && since !== undefined);
      return isWaiting ? [{ origin, since: since ?? began, until }] : [];
    });
    return { result, waits };
  }

  /** Places in the queues of what a vendor waits for, kept until it asks, has ended or is late: one that waits less may be faster. */
  placesFor(waits: readonly Wait[]): Places {
    const places: Places = new Map();
    for (const { origin } of waits) {
      const turn = this.#turns.get(origin) ?? Promise.resolve();
      const left = new Promise<unknown>((leave) => places.set(origin, { turn, leave }));
      const isLate = turn.then(() => sleep(ANSWER_MS, undefined, { ref: false })).then(() => places.delete(origin));
      this.#turns.set(origin, Promise.race([left, isLate]));
    }
    return places;
  }

  /** Sends a request after those before it to the same origin, and after the answer to the one before if that had no key: without keys,
   * all vendors together are one client, whose next request may be one too many. @throws PauseError */
  async #inTurn(asking: Asking, send: Send, place?: Place): Promise<Answer> {
    const { origin, headers = {} } = asking;
    const turn = place?.turn ?? this.#turns.get(origin) ?? Promise.resolve();
    const permitted = turn.then(() => this.#permission(asking));
    const answered = permitted.then(send).then((response) => {
      this.#listen(origin, pauseIn(response));
      return response;
    });
    const isKeyless = Object.keys(headers).every((name) => KEYLESS.test(name));
    const known = () => isKeyless && Promise.race([answered, sleep(ANSWER_MS, undefined, { ref: false })]);
    const next = permitted.then(() => Promise.all([sleep(GAP_MS), known()]));
    const over = next.catch(() => {});
    if (place) place.leave(over);
    else this.#turns.set(origin, over);
    return answered;
  }

  /** Waits for the end of a short pause. @throws PauseError during a long one, and after it until the run is over */
  async #permission({ origin, signal }: Asking): Promise<void> {
    for (let left = this.#left(origin); left > 0 && !this.#closed.has(origin); left = this.#left(origin)) {
      if (left > SHORT_MS) this.#closed.add(origin);
      else await sleep(left, undefined, { signal });
    }
    if (this.#closed.has(origin)) throw new PauseError(this.#pauseOf(origin));
    signal.throwIfAborted();
  }

  /** `pause`: that an answer asks for, in ms. */
  #listen(origin: string, pause: number | undefined): void {
    if (pause === undefined) return;
    const now = Date.now();
    // A whole second later than asked for, because the memory of the refused source begins to count a little later.
    this.#pause(origin, Math.min(now + MAX_PAUSE_MS, Math.ceil((now + pause) / 1000 + 1) * 1000));
    if (pause > SHORT_MS) this.#closed.add(origin);
  }

  /** The rest of a pause, in ms. */
  #left(origin: string): number {
    return this.#pauseOf(origin) - Date.now();
  }

  #pause(origin: string, until: number): void {
    this.#pauses.set(origin, Math.max(until, this.#pauseOf(origin)));
  }

  #pauseOf(origin: string): number {
    return this.#pauses.get(origin) ?? 0;
  }
}

/** The pause that a refusal asks for, in ms. */
function pauseIn({ statusCode, headers }: Answer): number | undefined {
  const isRefusal = statusCode === 403 || statusCode === 429 || statusCode >= 500;
  const asked = isRefusal ? statusError(statusCode, headerIn(headers)).failure.retryAfterMs : undefined;
  return asked || (statusCode === 429 ? UNNAMED_PAUSE_MS : asked);
}
