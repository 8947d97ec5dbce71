// A run that writes nothing: reports what each source returns now, and what a real run would do with it and why.
// It takes no claim, so it also works while another collector is running. `collect --dry-run` and `init` go with it.
// after: differences
import { difference, lineOf } from "../../../snapshots/features/differences/difference.ts";
import { heldReasons, type LinkRecord } from "../../../snapshots/records.ts";
import { readOwn, type Facts, type SnapshotRead } from "../../../snapshots/facts.ts";
import { type Payload, type SnapshotName } from "../../../snapshots/snapshot.ts";
import { UpstreamError } from "../../http/errors.ts";
import type { Found, Source, UpstreamAnswer } from "../../source.ts";
import { askAnew, find, reasonOf } from "../../run/ask.ts";
import { believed, publishedAfter } from "../../run/collect.ts";
import { isSame, type Publishing } from "../../run/confirm.ts";
import type { CrossChecked, Examine } from "../../hooks.ts";
import { judge } from "../../run/judge.ts";

/** The result that a run would have for one snapshot, and all that `find` says of the candidate. It quotes no more of the upstream
 * than payload values and names. */
export interface Finding
  extends
    Required<Omit<Found, "fact" | "picked" | "names" | "files" | "reminders" | "beyond">>,
    Pick<Found, "picked" | "names" | "files" | "beyond"> {
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

/** `examiners`: ask other places about the facts that would be published. */
interface DryRun extends Omit<Publishing, "facts" | "staleAfter"> {
  facts: Facts;
  sources: readonly Source[];
  examiners?: readonly Examine[];
}
type DryRunInProgress = DryRun & { reads: ReadonlyMap<SnapshotName, SnapshotRead> };

/** Asks every source once, unconditionally, and then every cross-check. Returns the findings in the order of the sources.
 * @throws OtherProduct, Unreachable, as a run does, before any source is asked */
export async function dryRun(given: DryRun): Promise<Finding[]> {
  const { examiners = [], ...rest } = given;
  const run = { ...rest, facts: believed(given.facts, given.signing) };
  const reads = await readOwn(run.facts);
  const findings = (await Promise.all(run.sources.map((source) => examineSource(source, { ...run, reads })))).flat();
  if (examiners.length === 0) return findings;
  const published = publishedAfter(reads, findings);
  const examined = await Promise.all(examiners.map((examine) => examine({ ...run, published })));
  const crossChecks = examined.flat();
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

/** What a run would do with one fact of an answer. @throws UpstreamError, Unreachable */
export async function examineSnapshot(
  source: Source,
  name: SnapshotName,
  { answer, askedAt, run }: { answer: UpstreamAnswer; askedAt: number; run: DryRunInProgress },
): Promise<PartialFinding> {
  const found = find(source, name, answer);
  // The other fields are for the operator as they are.
  const { fact, warnings, reminders = [], ...forOperator } = found;
  const read = run.reads.get(name) ?? { state: "missing", version: undefined };
  const published = read.state === "found" ? read.snapshot : undefined;
  const publication = { name, kind: source.kind, fact, names: found.names, files: found.files, askedAt };
  const { problem, held, last, link, why, notes } = await judge(publication, read, run);
  const finding = {
    ...forOperator,
    payload: fact.payload,
    warnings: [...warnings, ...reminders, ...(source.remindersOf?.(fact.payload) ?? []), ...notes],
    difference: difference(last, fact.payload).map(lineOf),
    ...(link && { link: link.state }),
  };
  if (problem !== undefined) return { ...finding, result: "failed", reason: problem };
  if (held)
    return {
      ...finding,
      result: "held",
      reason: [...heldReasons(held), held.ends ?? []].flat().join("; "),
      sighting: held.sightings,
    };
  const result = published && isSame(published, fact) ? "confirmed" : "changed";
  return { ...finding, result, ...(why !== undefined && { reason: why }) };
}
