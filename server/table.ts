// Every target that is known beforehand, with its answer made. The one truth behind both doors, the listener's and h3's.
// Rebuilt whole when something changes, and each second, because Cache-Control moves with time; swapped in one
// assignment, so that a request sees all of one state.
import { SNAPSHOT_NAMES, type Snapshot, type SnapshotName } from "../snapshots/snapshot.ts";
import type { Answer } from "./answer.ts";
import type { Mirror } from "./mirror.ts";
import { choose, type Choice, type Wishes } from "./negotiate.ts";
import { compressed, prepare, withCacheControl, type Prepared } from "./prepared.ts";
import { cacheControl, FACT_TARGETS, factAnswer, unavailable } from "./rest.ts";

/** How often Cache-Control is brought up to date, milliseconds. */
const TICK = 1_000;

interface Row {
  /** Undefined while a fact is not to be told. */
  prepared: Prepared | undefined;
  /** Of a fact: it is told only while the mirror believes it. */
  name?: SnapshotName;
}

const UNAVAILABLE = new Map<SnapshotName, Choice>(
  SNAPSHOT_NAMES.map((name) => {
    const { status, headers, body } = unavailable(name);
    return [name, { status, headers: Object.entries(headers).flat(), body }];
  }),
);

export class Table {
  readonly #mirror: Mirror;
  readonly #documents = new Map<string, Prepared>();
  readonly #facts = new Map<SnapshotName, { snapshot: Snapshot; prepared: Prepared }>();
  #rows: ReadonlyMap<string, Row> = new Map();
  #timer: NodeJS.Timeout | undefined;

  /** `documents`: answers by target, the same for as long as the program runs. */
  constructor(mirror: Mirror, documents: Readonly<Record<string, Answer>>) {
    this.#mirror = mirror;
    for (const [target, answer] of Object.entries(documents)) {
      this.#prepare(answer, (prepared) => this.#documents.set(target, prepared));
    }
  }

  start(): void {
    this.#build();
    this.#mirror.onChange(() => this.#build());
    this.#timer = setInterval(() => this.#build(), TICK).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The answer to GET of a target, 304 and 502 included; undefined for a target that is not known as it is written. */
  answer(target: string, wishes: Wishes): Choice | undefined {
    const row = this.#rows.get(target);
    if (!row) return undefined;
    const { name, prepared } = row;
    if (name !== undefined && (!prepared || this.#mirror.left(name) <= 0)) return UNAVAILABLE.get(name);
    return prepared && choose(prepared, wishes);
  }

  #build(): void {
    const rows = new Map<string, Row>();
    for (const [target, prepared] of this.#documents) rows.set(target, { prepared });
    for (const name of SNAPSHOT_NAMES) {
      const row = this.#factRow(name);
      for (const target of FACT_TARGETS[name]) rows.set(target, row);
    }
    this.#rows = rows;
  }

  #factRow(name: SnapshotName): Row {
    const look = this.#mirror.look(name);
    if (look.state !== "fresh") return { name, prepared: undefined };
    const { snapshot, body, left } = look;
    const known = this.#facts.get(name);
    // Confirmed again, the facts are the same bytes under the same tag: nothing is made anew.
    const isKnown = known?.snapshot.sha256 === snapshot.sha256 && known.snapshot.changedAt === snapshot.changedAt;
    if (!isKnown) {
      const isWanted = () => this.#facts.get(name)?.snapshot === snapshot;
      this.#prepare(factAnswer(snapshot, body, left), (prepared, isFirst) => {
        if (isFirst || isWanted()) this.#facts.set(name, { snapshot, prepared });
      });
    }
    const prepared = this.#facts.get(name)?.prepared;
    return { name, prepared: prepared && withCacheControl(prepared, cacheControl(left)) };
  }

  /** Keeps the answer at once in plain bytes, and again when it is compressed. */
  #prepare(answer: Answer, keep: (prepared: Prepared, isFirst: boolean) => void): void {
    const plain = prepare(answer);
    keep(plain, true);
    void compressed(plain, answer)
      .then((prepared) => keep(prepared, false))
      .then(() => this.#build());
  }
}
