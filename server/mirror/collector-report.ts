// The memory copy of the collector's files beside the snapshots, for the page, /status and /metrics: results, times and
// numbers of collections, and which candidates the guard holds back. It follows the store, so the collector may run in
// this process or in another. The values of a held candidate never get here: they are not published.
import type { HeldStatus } from "../../snapshots/fact-state.ts";
import {
  heldReasons,
  readHeldIfNot,
  readReportIfNot,
  type Collections,
  type CrossCheckRecord,
  type Report,
  type Reported,
} from "../../snapshots/records.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import type { Version } from "../../snapshots/store.ts";
import { Follower } from "./follower.ts";

/** The last intervals that count: runs by hand between two slots must not decide what is usual. */
const INTERVALS = 15;

export class CollectorReport extends Follower {
  #version: Version | undefined;
  #report: Report | undefined;
  readonly #heldVersions = new Map<SnapshotName, Version | undefined>();
  readonly #held = new Map<SnapshotName, HeldStatus | undefined>();

  /** The last outcome for a snapshot; undefined before the first collection, or if no report is readable. */
  lastOutcome(name: SnapshotName): Reported | undefined {
    return this.#report?.outcomes.find((outcome) => outcome.name === name);
  }

  collections(): Collections {
    return this.#report?.collections ?? {};
  }

  /** Median of the times between the latest collections of a snapshot, in ms; undefined before the second. Measured rather than read
   * from the schedule, which the server does not know: `collect` may be run by cron. */
  interval(name: SnapshotName): number | undefined {
    const times = (this.collections()[name] ?? []).slice(-INTERVALS - 1).map(({ at }) => Date.parse(at));
    const intervals = times.slice(1).map((time, index) => time - (times[index] ?? time));
    return intervals.toSorted((a, b) => a - b)[Math.floor(intervals.length / 2)];
  }

  crossChecks(name: SnapshotName): readonly CrossCheckRecord[] {
    return (this.#report?.crossChecks ?? []).filter((record) => record.name === name);
  }

  /** The candidate that is held back for a snapshot, if any. */
  held(name: SnapshotName): HeldStatus | undefined {
    return this.#held.get(name);
  }

  protected override async read(): Promise<void> {
    const [isNew] = await Promise.all([this.#readReport(), ...SNAPSHOT_NAMES.map((name) => this.#readHeld(name))]);
    if (isNew) this.changed();
  }

  async #readReport(): Promise<boolean> {
    const { document: report, version } = await readReportIfNot(this.facts, this.#version);
    this.#version = version;
    // An unreadable report leaves the numbers as they are: counters must not vanish.
    if (report) this.#report = report;
    return report !== undefined;
  }

  async #readHeld(name: SnapshotName): Promise<void> {
    const known = this.#heldVersions.get(name);
    const { document, version } = await readHeldIfNot(this.facts, name, known);
    if (version === known) return;
    const held = document?.held ?? undefined;
    this.#heldVersions.set(name, version);
    this.#held.set(name, held && { since: held.since, sightings: held.sightings, reasons: heldReasons(held) });
  }
}
