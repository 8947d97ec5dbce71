// The prepared answers of every target that is known in advance; all ways to the server read this one table. The facts
// are rebuilt when a snapshot changes, and when their Cache-Control would promise more time than is left. One
// assignment replaces them all, so a request never sees a mixture.
import { SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import type { ReportBug } from "./bug-reporter.ts";
import type { Clock, Mirror } from "../mirror/mirror.ts";
import type { Answer } from "./answer.ts";
import { cacheControl, FACT_TARGETS, factAnswer, unavailable } from "./facts.ts";
import { choose, type Preferences } from "./negotiate.ts";
import { PageRow, type Page } from "./page-row.ts";
import { PreparedAnswers } from "./prepared-answers.ts";
import { fixedResponse, withCacheControl, type Prepared, type PreparedResponse } from "./prepared.ts";

interface FactRow {
  name: SnapshotName;
  /** Undefined while the snapshot is unavailable. */
  prepared: Prepared | undefined;
  /** The time that Cache-Control promises. */
  promisedMs: number;
}

/** The table's content besides the facts. */
export interface DeferredContent {
  /** The documents' answers by target, at a time in ms since the epoch. */
  documentsAt: (now: number) => Readonly<Record<string, Answer>>;
  /** Renders the page as it is now. */
  page: () => Page;
}

export const PAGE_TARGET = "/";

/** How often documents are made again without a change: one of them contains a date. */
const DOCUMENTS_RENEWAL_MS = 3_600_000;

const UNAVAILABLE = new Map<SnapshotName, PreparedResponse>(
  SNAPSHOT_NAMES.map((name) => [name, fixedResponse(unavailable(name))]),
);

export class Table {
  readonly #mirror: Mirror;
  readonly #clock: Clock;
  readonly #page: PageRow;
  readonly #facts = new PreparedAnswers<SnapshotName>(() => this.#build());
  readonly #documents = new PreparedAnswers<string>();
  #rows: ReadonlyMap<string, FactRow> = new Map();
  #content: DeferredContent | undefined;
  #renewDocumentsAt = 0;

  /** `reportBug`: gets errors while the page is rendered, which leave the facts alone. */
  constructor(mirror: Mirror, clock: Clock, reportBug: ReportBug) {
    this.#mirror = mirror;
    this.#clock = clock;
    this.#page = new PageRow(mirror, reportBug);
  }

  /** Starts following the mirror. */
  start(): void {
    this.#build();
    this.#mirror.onChange(() => {
      this.#build();
      this.#page.invalidate();
    });
  }

  /** Adds documents and the page. */
  add(content: DeferredContent): void {
    this.#content = content;
    this.#page.use(content.page);
    this.renew();
  }

  /** The targets of the documents. */
  documents(): Iterable<string> {
    return this.#documents.keys();
  }

  /** The answer to GET of a target, 304 and 502 included; undefined unless the target is known exactly as written. */
  answer(target: string, preferences: Preferences): PreparedResponse | undefined {
    const row = this.#rows.get(target);
    if (row) return this.#answerFact(row, target, preferences);
    if (target === PAGE_TARGET) return this.#page.answer(preferences);
    if (!this.#documents.get(target)) return undefined;
    if (this.#clock.wall() >= this.#renewDocumentsAt) this.renew();
    const document = this.#documents.get(target);
    return document && choose(document, preferences);
  }

  /** Makes documents and page again after a change outside the mirror. */
  renew(): void {
    const now = this.#clock.wall();
    this.#renewDocumentsAt = now + DOCUMENTS_RENEWAL_MS;
    for (const [target, answer] of Object.entries(this.#content?.documentsAt(now) ?? {})) {
      this.#documents.set(target, answer);
    }
    this.#page.invalidate();
  }

  /** Renders the page now if it is outdated. */
  updatePage(): void {
    this.#page.update();
  }

  #answerFact(row: FactRow, target: string, preferences: Preferences): PreparedResponse | undefined {
    const timeLeft = this.#mirror.timeLeft(row.name);
    if (timeLeft <= 0) return UNAVAILABLE.get(row.name);
    if (row.prepared && timeLeft >= row.promisedMs) return choose(row.prepared, preferences);
    this.#build();
    const rebuilt = this.#rows.get(target)?.prepared;
    return rebuilt ? choose(rebuilt, preferences) : UNAVAILABLE.get(row.name);
  }

  #build(): void {
    const rows = new Map<string, FactRow>();
    for (const name of SNAPSHOT_NAMES) {
      const row = this.#factRow(name);
      for (const target of FACT_TARGETS[name]) rows.set(target, row);
    }
    this.#rows = rows;
  }

  #factRow(name: SnapshotName): FactRow {
    const lookup = this.#mirror.get(name);
    if (lookup.state !== "fresh") return { name, prepared: undefined, promisedMs: 0 };
    const { snapshot, timeLeft } = lookup;
    const prepared = this.#facts.set(name, factAnswer(snapshot), snapshot.sha256);
    // In whole seconds, so that a row is rebuilt at most once a second.
    const promisedMs = Math.floor(timeLeft / 1000) * 1000;
    return { name, prepared: withCacheControl(prepared, cacheControl(timeLeft)), promisedMs };
  }
}
