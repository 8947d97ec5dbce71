// Every target that is known beforehand, with its answer made. The one truth behind both doors, the listener's and h3's.
// Rebuilt whole when something changes, and when a Cache-Control would promise more time than is left; swapped in one
// assignment, so that a request sees all of one state.
import { SNAPSHOT_NAMES, type Servable, type SnapshotName } from "../../snapshots/snapshot.ts";
import type { Answer } from "./answer.ts";
import type { Clock, FreshLookup, Mirror } from "../mirror/mirror.ts";
import { choose, prefersMarkdown, type Wishes } from "./negotiate.ts";
import { choiceOf, compressed, prepare, withCacheControl, type Choice, type Prepared } from "./prepared.ts";
import { cacheControl, FACT_TARGETS, factAnswer, unavailable } from "./facts.ts";

/** `promised`: for how long Cache-Control lets an answer be kept, milliseconds. */
type Row =
  | { kind: "document"; prepared: Prepared }
  | PageRow
  | { kind: "fact"; name: SnapshotName; prepared: Prepared; promised: number }
  | { kind: "untold"; name: SnapshotName };

type PageRow = { kind: "page"; html: Prepared; markdown: Prepared; promised: number };

/** What stands in the table beside the facts. */
export interface Others {
  /** The documents' answers by target, as they are at a time in milliseconds since the epoch. */
  documentsAt: (now: number) => Readonly<Record<string, Answer>>;
  /** The page for people as it is now. */
  page: () => Page;
}

/** Both forms of the page, and the snapshots whose facts it tells: it holds until the first of them ends. */
export interface Page {
  html: Answer;
  markdown: Answer;
  tells: readonly SnapshotName[];
}

export const PAGE_TARGET = "/";

interface Kept {
  answer: Answer;
  prepared: Prepared;
}

/** From a change until the page is made anew, unless somebody asks for it: a run publishes several changes. Milliseconds. */
const PAGE_PAUSE = 1_000;
/** Milliseconds. */
const MINUTE = 60_000;
const HOUR = 3_600_000;

const UNAVAILABLE = new Map<SnapshotName, Choice>(SNAPSHOT_NAMES.map((name) => [name, choiceOf(unavailable(name))]));

export class Table {
  readonly #mirror: Mirror;
  readonly #clock: Clock;
  readonly #onBug: (bug: unknown) => void;
  #others: Others | undefined;
  #renewAt = 0;
  readonly #documents = new Map<string, Kept>();
  readonly #page = new Map<"html" | "markdown", Kept>();
  #told: readonly SnapshotName[] = [];
  readonly #facts = new Map<SnapshotName, { snapshot: Servable; prepared: Prepared }>();
  #rows: ReadonlyMap<string, Row> = new Map();
  /** Runs while the page is to be made anew. */
  #pageTimer: NodeJS.Timeout | undefined;

  /** `onBug`: told of errors of our own, which cost the page, never a fact. */
  constructor(mirror: Mirror, clock: Clock, onBug: (bug: unknown) => void) {
    this.#mirror = mirror;
    this.#clock = clock;
    this.#onBug = onBug;
  }

  /** Has the facts from here on. */
  start(): void {
    this.#build();
    this.#mirror.onChange(() => {
      this.#build();
      this.#renewPageSoon();
    });
  }

  /** Has these, too, from here on. */
  add(others: Others): void {
    this.#others = others;
    this.renew();
  }

  /** The targets of the documents. */
  documents(): Iterable<string> {
    return this.#documents.keys();
  }

  /** The answer to GET of a target, 304 and 502 included; undefined for a target that is not known as it is written. */
  answer(target: string, wishes: Wishes): Choice | undefined {
    // The page is never older than what is held: its facts would disagree with the API's, or have ended.
    if (target === PAGE_TARGET) this.settle();
    const row = this.#rows.get(target);
    if (!row) return undefined;
    if (row.kind === "page") return this.#pageChoice(row, wishes);
    if (row.kind === "document") return choose(this.#current(target) ?? row.prepared, wishes);
    const left = this.#mirror.timeLeft(row.name);
    if (left <= 0) return UNAVAILABLE.get(row.name);
    if (row.kind === "fact" && left >= row.promised) return choose(row.prepared, wishes);
    this.#build();
    const rebuilt = this.#rows.get(target);
    return rebuilt?.kind === "fact" ? choose(rebuilt.prepared, wishes) : UNAVAILABLE.get(row.name);
  }

  /** A document, made anew when it is old: one of them names a date. */
  #current(target: string): Prepared | undefined {
    if (this.#clock.wall() < this.#renewAt) return undefined;
    this.renew();
    return this.#documents.get(target)?.prepared;
  }

  /** Makes anew what has changed beside the mirror. */
  renew(): void {
    const now = this.#clock.wall();
    this.#renewAt = now + HOUR;
    for (const [target, answer] of Object.entries(this.#others?.documentsAt(now) ?? {})) {
      this.#keep(this.#documents, target, answer);
    }
    this.#build();
    this.#renewPageSoon();
  }

  /** Later: who asks for a fact does not wait until the page has it, too. */
  #renewPageSoon(): void {
    if (this.#others) this.#pageTimer ??= setTimeout(() => this.settle(), PAGE_PAUSE).unref();
  }

  /** Makes the page anew now, if it is to be. */
  settle(): void {
    if (this.#pageTimer === undefined) return;
    clearTimeout(this.#pageTimer);
    this.#pageTimer = undefined;
    this.#renewPage();
    this.#build();
  }

  #renewPage(): void {
    if (!this.#others) return;
    try {
      const { html, markdown, tells } = this.#others.page();
      this.#keep(this.#page, "html", html);
      this.#keep(this.#page, "markdown", markdown);
      this.#told = tells;
    } catch (bug) {
      this.#page.clear();
      this.#onBug(bug);
    }
  }

  #keep<K>(kept: Map<K, Kept>, key: K, answer: Answer): void {
    const known = kept.get(key);
    if (known && Buffer.compare(known.answer.body, answer.body) === 0) return;
    this.#prepare(answer, (prepared, isFirst) => {
      if (isFirst || kept.get(key)?.answer === answer) kept.set(key, { answer, prepared });
    });
  }

  #build(): void {
    const rows = new Map<string, Row>();
    for (const [target, { prepared }] of this.#documents) rows.set(target, { kind: "document", prepared });
    const page = this.#pageRow();
    if (page) rows.set(PAGE_TARGET, page);
    for (const name of SNAPSHOT_NAMES) {
      const row = this.#factRow(name);
      for (const target of FACT_TARGETS[name]) rows.set(target, row);
    }
    this.#rows = rows;
  }

  #pageRow(): PageRow | undefined {
    const [html, markdown] = [this.#page.get("html"), this.#page.get("markdown")];
    if (!html || !markdown) return undefined;
    // What is unavailable may be back any minute, and is not to be missed for long.
    const isWhole = this.#told.length === SNAPSHOT_NAMES.length;
    const left = Math.min(this.#leftOfPage(), isWhole ? HOUR : MINUTE);
    const value = cacheControl(left);
    return {
      kind: "page",
      html: withCacheControl(html.prepared, value),
      markdown: withCacheControl(markdown.prepared, value),
      promised: Math.floor(left / 1000) * 1000,
    };
  }

  #pageChoice(row: PageRow, wishes: Wishes): Choice | undefined {
    const left = this.#leftOfPage();
    if (left > 0 && left >= row.promised) return choosePage(row, wishes);
    // Once a second at most, and when the first of its facts has ended.
    if (left <= 0) this.#renewPage();
    this.#build();
    const renewed = this.#rows.get(PAGE_TARGET);
    return renewed?.kind === "page" ? choosePage(renewed, wishes) : undefined;
  }

  /** Milliseconds until the first of the told facts ends; Infinity when none is told. */
  #leftOfPage(): number {
    return Math.min(...this.#told.map((name) => this.#mirror.timeLeft(name)));
  }

  #factRow(name: SnapshotName): Row {
    const look = this.#mirror.get(name);
    if (look.state !== "fresh") return { kind: "untold", name };
    const prepared = withCacheControl(this.#preparedFact(look), cacheControl(look.timeLeft));
    // In whole seconds, so that it stays true for the rest of one and is made anew once a second at most.
    return { kind: "fact", name, prepared, promised: Math.floor(look.timeLeft / 1000) * 1000 };
  }

  #preparedFact({ snapshot }: FreshLookup): Prepared {
    const { name, sha256, changedAt } = snapshot;
    const known = this.#facts.get(name);
    // Confirmed again, the facts are the same bytes under the same tag: nothing is made anew.
    if (known?.snapshot.sha256 === sha256 && known.snapshot.changedAt === changedAt) return known.prepared;
    const keep = (prepared: Prepared, isFirst: boolean) => {
      if (isFirst || this.#facts.get(name)?.snapshot === snapshot) this.#facts.set(name, { snapshot, prepared });
    };
    return this.#prepare(factAnswer(snapshot), keep, sha256);
  }

  /** Keeps the answer at once in plain bytes, which it returns, and again when it is compressed. */
  #prepare(answer: Answer, keep: (prepared: Prepared, isFirst: boolean) => void, sha256?: string): Prepared {
    const plain = prepare(answer, sha256);
    keep(plain, true);
    compressed(plain, answer)
      .then((prepared) => keep(prepared, false))
      .then(() => this.#build())
      // Then the plain bytes, which are kept, are all that there is.
      .catch(() => {});
    return plain;
  }
}

function choosePage({ html, markdown }: PageRow, wishes: Wishes): Choice {
  return choose(prefersMarkdown(wishes.accept) ? markdown : html, wishes);
}
