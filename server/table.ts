// Every target that is known beforehand, with its answer made. The one truth behind both doors, the listener's and h3's.
// Rebuilt whole when something changes, and when a Cache-Control would promise more time than is left; swapped in one
// assignment, so that a request sees all of one state.
import { SNAPSHOT_NAMES, type Servable, type SnapshotName } from "../snapshots/snapshot.ts";
import type { Answer } from "./answer.ts";
import type { Clock, Fresh, Mirror } from "./mirror.ts";
import { choose, type Wishes } from "./negotiate.ts";
import { choiceOf, compressed, prepare, withCacheControl, type Choice, type Prepared } from "./prepared.ts";
import { cacheControl, FACT_TARGETS, factAnswer, unavailable } from "./rest.ts";

/** `promised`: for how long Cache-Control lets an answer be kept, milliseconds. */
type Row =
  | { kind: "document"; prepared: Prepared }
  | { kind: "fact"; name: SnapshotName; prepared: Prepared; promised: number }
  | { kind: "untold"; name: SnapshotName };

/** Milliseconds. */
const HOUR = 3_600_000;

const UNAVAILABLE = new Map<SnapshotName, Choice>(SNAPSHOT_NAMES.map((name) => [name, choiceOf(unavailable(name))]));

export class Table {
  readonly #mirror: Mirror;
  readonly #documentsAt: (now: number) => Readonly<Record<string, Answer>>;
  readonly #clock: Clock;
  #renewAt = 0;
  readonly #documents = new Map<string, { answer: Answer; prepared: Prepared }>();
  readonly #facts = new Map<SnapshotName, { snapshot: Servable; prepared: Prepared }>();
  #rows: ReadonlyMap<string, Row> = new Map();

  /** `documentsAt`: gives the documents' answers by target, as they are at a time in milliseconds since the epoch. */
  constructor(mirror: Mirror, documentsAt: (now: number) => Readonly<Record<string, Answer>>, clock: Clock) {
    this.#mirror = mirror;
    this.#documentsAt = documentsAt;
    this.#clock = clock;
  }

  start(): void {
    this.renew();
    this.#mirror.onChange(() => this.renew());
  }

  /** The targets of the documents. */
  documents(): Iterable<string> {
    return this.#documents.keys();
  }

  /** The answer to GET of a target, 304 and 502 included; undefined for a target that is not known as it is written. */
  answer(target: string, wishes: Wishes): Choice | undefined {
    const row = this.#rows.get(target);
    if (!row) return undefined;
    if (row.kind === "document") return choose(this.#current(target) ?? row.prepared, wishes);
    const left = this.#mirror.left(row.name);
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

  /** Makes anew what has changed; also for what the mirror does not know of. */
  renew(): void {
    const now = this.#clock.wall();
    this.#renewAt = now + HOUR;
    for (const [target, answer] of Object.entries(this.#documentsAt(now))) {
      const known = this.#documents.get(target);
      if (known && Buffer.compare(known.answer.body, answer.body) === 0) continue;
      this.#prepare(answer, (prepared, isFirst) => {
        if (isFirst || this.#documents.get(target)?.answer === answer)
          this.#documents.set(target, { answer, prepared });
      });
    }
    this.#build();
  }

  #build(): void {
    const rows = new Map<string, Row>();
    for (const [target, { prepared }] of this.#documents) rows.set(target, { kind: "document", prepared });
    for (const name of SNAPSHOT_NAMES) {
      const row = this.#factRow(name);
      for (const target of FACT_TARGETS[name]) rows.set(target, row);
    }
    this.#rows = rows;
  }

  #factRow(name: SnapshotName): Row {
    const look = this.#mirror.look(name);
    if (look.state !== "fresh") return { kind: "untold", name };
    const prepared = withCacheControl(this.#preparedFact(look), cacheControl(look.left));
    // In whole seconds, so that it stays true for the rest of one and is made anew once a second at most.
    return { kind: "fact", name, prepared, promised: Math.floor(look.left / 1000) * 1000 };
  }

  #preparedFact({ snapshot }: Fresh): Prepared {
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
