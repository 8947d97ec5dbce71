// The prepared answers of every target that is known in advance; all ways to the server read this one table. The facts
// are rebuilt when a snapshot changes, and when their Cache-Control would promise more time than is left. One
// assignment replaces all facts, so a request never sees a mixture.
import type { SnapshotName } from "../../snapshots/snapshot.ts";
import type { Clock } from "../../snapshots/facts.ts";
import type { Mirror, Servable } from "../mirror/mirror.ts";
import type { Addition, Row } from "./addition.ts";
import type { Answer, RequestHeaders } from "./answer.ts";
import { cacheControl, restViews, type FactLink, type FactView } from "./facts.ts";
import { choose } from "./negotiate.ts";
import { PreparedAnswers, withCacheControl, type Prepared } from "./prepared.ts";

interface FactRow {
  name: SnapshotName;
  /** A 404 for a snapshot without this form. */
  fresh: Prepared | Answer | undefined;
  unavailable: Answer;
  /** The time that Cache-Control promises. */
  promisedMs: number;
}

/** How often documents are made again without a change: one of them contains a date. */
const DOCUMENTS_RENEWAL_MS = 3_600_000;

export class Table {
  readonly #mirror: Mirror;
  readonly #clock: Clock;
  /** Whether answers are compressed, and made before a request asks for them. Not at the edge, where there is no time outside of
   * requests. */
  readonly worksInBackground: boolean;
  readonly links: readonly FactLink[];
  readonly #facts: PreparedAnswers<FactView>;
  /** Made once for each snapshot, because a row is rebuilt each second. */
  readonly #made = new Map<FactView, { snapshot: Servable; answer: Answer }>();
  readonly #documents: PreparedAnswers<string>;
  #rows: ReadonlyMap<string, FactRow> = new Map();
  #views: readonly FactView[];
  #additions: readonly Addition[] = [];
  #others: ReadonlyMap<string, Row> = new Map();
  #renewDocumentsAt = 0;

  constructor(
    mirror: Mirror,
    clock: Clock,
    { base, links, worksInBackground }: { base: string; links: readonly FactLink[]; worksInBackground: boolean },
  ) {
    this.#views = restViews(base, links);
    this.links = links;
    this.worksInBackground = worksInBackground;
    this.#mirror = mirror;
    this.#clock = clock;
    this.#facts = new PreparedAnswers(worksInBackground ? () => this.#build() : undefined);
    this.#documents = new PreparedAnswers(worksInBackground ? () => {} : undefined);
    this.#build();
    mirror.onChange(() => {
      this.#build();
      this.#invalidate();
    });
  }

  /** Adds them all, once. */
  add(additions: readonly Addition[]): void {
    this.#additions = additions;
    this.#views = [...this.#views, ...additions.flatMap(({ views = [] }) => views)];
    this.#build();
    const rows = additions.flatMap(({ rows = [] }) => rows);
    this.#others = new Map(rows.map((row) => [row.target, row]));
    this.renew();
  }

  /** The paths of all that was added. */
  paths(): string[] {
    const views = this.#additions.flatMap(({ views = [] }) => views);
    return [...this.#documents.keys(), ...views.map(({ targets }) => targets[0]), ...this.#others.keys()];
  }

  /** The answer to GET of a target, 304 and 502 included; undefined unless the target is known exactly as written. */
  answer(target: string, headers: RequestHeaders): Answer | undefined {
    const row = this.#rows.get(target);
    if (row) return this.#answerFact(row, target, headers);
    const other = this.#others.get(target);
    if (other) return other.answer(headers);
    if (!this.#documents.get(target)) return undefined;
    if (this.#clock.wall() >= this.#renewDocumentsAt) this.renew();
    const document = this.#documents.get(target);
    return document && choose(document, headers);
  }

  /** Makes everything but the facts again after a change outside the mirror. */
  renew(): void {
    const now = this.#clock.wall();
    this.#renewDocumentsAt = now + DOCUMENTS_RENEWAL_MS;
    for (const { documents } of this.#additions) {
      for (const [target, answer] of Object.entries(documents?.(now) ?? {})) this.#documents.set(target, answer);
    }
    this.#invalidate();
  }

  /** Makes now what is outdated. */
  update(): void {
    for (const row of this.#others.values()) row.update();
  }

  #invalidate(): void {
    for (const row of this.#others.values()) row.invalidate();
  }

  #answerFact(row: FactRow, target: string, headers: RequestHeaders): Answer | undefined {
    const timeLeft = this.#mirror.timeLeft(row.name);
    if (timeLeft <= 0) return row.unavailable;
    if (row.fresh && timeLeft >= row.promisedMs) return chosen(row.fresh, headers);
    this.#build();
    const rebuilt = this.#rows.get(target)?.fresh;
    return rebuilt ? chosen(rebuilt, headers) : row.unavailable;
  }

  #build(): void {
    const rows = new Map<string, FactRow>();
    for (const view of this.#views) {
      const row = this.#factRow(view);
      for (const target of view.targets) rows.set(target, row);
    }
    this.#rows = rows;
  }

  #factRow(view: FactView): FactRow {
    const { name, unavailable } = view;
    const lookup = this.#mirror.get(name);
    if (lookup.state !== "fresh") return { name, fresh: undefined, unavailable, promisedMs: 0 };
    const { snapshot, timeLeft } = lookup;
    // In whole seconds, so that a row is rebuilt at most once a second.
    const promisedMs = Math.floor(timeLeft / 1000) * 1000;
    const promise = cacheControl(timeLeft, view.maxAge);
    return { name, fresh: this.#prepare(view, snapshot, promise), unavailable, promisedMs };
  }

  #prepare(view: FactView, snapshot: Servable, cacheControl: string): Prepared | Answer {
    const made = this.#made.get(view);
    const answer = made?.snapshot === snapshot ? made.answer : view.fresh(snapshot);
    this.#made.set(view, { snapshot, answer });
    if (answer.status !== 200) return answer;
    const known = answer === made?.answer ? this.#facts.get(view) : undefined;
    const sha256 = answer.body === snapshot.body ? snapshot.sha256 : undefined;
    const prepared = known ?? this.#facts.set(view, answer, sha256);
    return withCacheControl(prepared, cacheControl);
  }
}

function chosen(fresh: Prepared | Answer, headers: RequestHeaders): Answer {
  return "variants" in fresh ? choose(fresh, headers) : fresh;
}
