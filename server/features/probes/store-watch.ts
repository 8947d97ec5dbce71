// Warns, once each, of a store that no collector seems to write to any more, and of another engine behind the same address. After a
// fail-over or a move, an engine that lives on is read without an error until the facts are stale.
import { span } from "../../../snapshots/rules.ts";
import type { Site } from "../../answers/addition.ts";
import { Follower } from "../../mirror/follower.ts";
import { silentSince } from "./silence.ts";

interface Watched extends Pick<Site, "facts" | "collector"> {
  warn: (message: string) => void;
}

/** A collector that has been started beside the server has reported by then. */
const SETTLED_MS = 60_000;
/** Characters of an engine's name that are shown. */
const SHOWN = 8;

export class StoreWatch extends Follower {
  readonly #watched: Watched;
  readonly #startedAt = this.facts.clock.steady();
  #isSilent = false;
  /** Its line of data is the first that was seen: that of a primary changes with its first replica, or once it is one. */
  #engine: { process: string; line: string } | undefined;

  constructor(watched: Watched) {
    super(watched.facts);
    this.#watched = watched;
  }

  protected override async read(): Promise<void> {
    // An engine may refuse the question.
    const engine = await this.facts.store.engine?.().catch(() => undefined);
    if (engine && engine.process !== this.#engine?.process) this.#noteEngine(engine);
    this.#noteSilence();
  }

  /** Readers may meet another replica of the same primary at each connection, which is no change. */
  #noteEngine(engine: { process: string; line: string }): void {
    const last = this.#engine;
    this.#engine = engine;
    if (!last || last.line === engine.line) return;
    const change = [last, engine].map(({ process }) => process.slice(0, SHOWN)).join(" → ");
    this.#watched.warn(
      `the engine of the store has changed (${change}): expected after a restart, a fail-over or a move`,
    );
  }

  #noteSilence(): void {
    const { collector, facts, warn } = this.#watched;
    if (facts.clock.steady() - this.#startedAt < SETTLED_MS) return;
    const now = facts.clock.wall();
    const since = silentSince(collector, now);
    if (this.#isSilent === (since !== undefined)) return;
    this.#isSilent = since !== undefined;
    if (since === undefined) return warn("the store has reports of collections again");
    const report = `the store has no report of a collection since ${since}, ${span(now - Date.parse(since))} ago`;
    warn(`${report}: see whether the collector runs, and whether this is the store that it writes to`);
  }
}
