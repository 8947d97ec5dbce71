// A run that writes nothing: reports what each source returns now, and what a real run would do with it and why.
// It takes no claim, so it also works while another collector is running.
import { difference, lineOf } from "../../../snapshots/difference.ts";
import { believed } from "../../../snapshots/features/signatures/proof.ts";
import { heldReasons, type LinkRecord } from "../../../snapshots/records.ts";
import { type Payload, readOwn, type SnapshotName, type SnapshotRead } from "../../../snapshots/snapshot.ts";
import type { Reader } from "../../../snapshots/store.ts";
import { UpstreamError } from "../../http/errors.ts";
import { replacedFiles } from "../kinds/releases/files.ts";
import type { Found, Source, UpstreamAnswer } from "../../source.ts";
import { askAnew, find, reasonOf } from "../../run/ask.ts";
import type { CollectRun } from "../../run/collect.ts";
import { isSame, judge } from "../../run/confirm.ts";
import { examineAll, publishedFacts, type CrossChecked } from "../witnesses/cross-check.ts";
import { linkCheck } from "../link-check/link-check.ts";

/** The result that a run would have for one snapshot, and all that `find` says of the candidate. It quotes no more of the upstream
 * than payload values and names. */
export interface Finding
  extends Required<Omit<Found, "fact" | "picked" | "names" | "files">>, Pick<Found, "picked" | "names" | "files"> {
  name: SnapshotName;
  from: string;
  milliseconds: number;
  result: "changed" | "confirmed" | "held" | "failed";
  /** Why it failed, would be held, or would be published in spite of or without a comparison. */
  reason?: string;
  /** How many times the held candidate has been seen, this time included. */
  sighting?: number;
  /** Undefined if the source failed. */
  payload?: Payload;
  /** What the download link answers; undefined if it was not asked. */
  link?: LinkRecord["state"];
  /** What the witnesses have, compared with what would be published. */
  crossChecks: readonly CrossChecked[];
  difference: string[];
}

type DryRun = Pick<
  CollectRun,
  "sources" | "guard" | "known" | "links" | "accept" | "signal" | "crossChecks" | "signing"
> & {
  store: Reader;
};
type DryRunInProgress = DryRun & {
  reads: ReadonlyMap<SnapshotName, SnapshotRead>;
  checkLink: ReturnType<typeof linkCheck>;
};

/** Asks every source once, unconditionally, and then every cross-check. Returns the findings in the order of the sources.
 * @throws OtherProduct, Unreachable, as a run does, before any source is asked */
export async function dryRun(given: DryRun): Promise<Finding[]> {
  const run = { ...given, store: believed(given.store, given.signing) };
  const reads = await readOwn(run.store, Date.now());
  const progress = { ...run, reads, checkLink: linkCheck(run.links, run.signal) };
  const findings = (await Promise.all(run.sources.map((source) => examineSource(source, progress)))).flat();
  if (!run.crossChecks || run.crossChecks.length === 0) return findings;
  const facts = publishedFacts(reads, findings);
  const crossChecks = await examineAll(run.crossChecks, run.store, { facts, signal: run.signal });
  return findings.map((finding) => {
    return { ...finding, crossChecks: crossChecks.filter(({ name }) => name === finding.name) };
  });
}

async function examineSource(source: Source, run: DryRunInProgress): Promise<Finding[]> {
  const started = performance.now();
  const askedAt = Date.now();
  let milliseconds = 0;
  const answer = askAnew(source, run.signal).finally(() => (milliseconds = performance.now() - started));
  return Promise.all(
    source.names.map(async (name) => {
      const examined = answer.then((answer) => examineSnapshot(source, name, { answer, askedAt, run }));
      const finding = await examined.catch((error: unknown): PartialFinding => {
        const skipped = error instanceof UpstreamError ? [...(error.failure.skipped ?? [])] : [];
        return { result: "failed", reason: reasonOf(error), skipped };
      });
      return { name, from: source.kind, ...NOTHING, ...finding, milliseconds };
    }),
  );
}

const NOTHING = {
  passedOver: [],
  architectures: [],
  skipped: [],
  remarks: [],
  crossChecks: [],
  warnings: [],
  dropped: 0,
  droppedFields: [],
  difference: [],
};

type PartialFinding = Pick<Finding, "result"> & Partial<Finding>;

async function examineSnapshot(
  source: Source,
  name: SnapshotName,
  { answer, askedAt, run }: { answer: UpstreamAnswer; askedAt: number; run: DryRunInProgress },
): Promise<PartialFinding> {
  // The other fields are for the operator as they are.
  const { fact, warnings, ...forOperator } = find(source, name, answer);
  const read = run.reads.get(name) ?? { state: "missing", version: undefined };
  const published = read.state === "found" ? read.snapshot : undefined;
  const { link, problem, doubts, notes } = await run.checkLink(fact.payload, { published, now: Date.now() });
  const { verdict, last } = await judge({ name, fact, askedAt, doubts }, read, run);
  const found = {
    ...forOperator,
    payload: fact.payload,
    warnings: [
      ...warnings,
      ...(source.remindersOf?.(fact.payload) ?? []),
      ...notes,
      ...replacedFiles(published, { ...fact, files: forOperator.files }),
    ],
    difference: difference(last, fact.payload).map(lineOf),
    ...(link && { link: link.state }),
  };
  if (problem !== undefined) return { ...found, result: "failed", reason: problem };
  if (!verdict.publish) {
    const reason = heldReasons(verdict.held).join("; ");
    return { ...found, result: "held", reason, sighting: verdict.held.sightings };
  }
  const result = published && isSame(published, fact) ? "confirmed" : "changed";
  return { ...found, result, ...(verdict.why !== undefined && { reason: verdict.why }) };
}
