// Where features take part in a run, in its order: wraps change what sources say, a memory knows what upstreams said last, traces know
// earlier facts, judges look at a fact before it is published, signing seals it, recorders get what is published, and hooks follow the
// run. The core has none of its own; collector/settings.ts lists those of the features.
import type { Facts, SnapshotRead, Trust } from "../snapshots/facts.ts";
import type { FoundPrice, Held, HoldReason, LinkRecord, Report, Reported } from "../snapshots/records.ts";
import type { PlanNames, ReleaseFile } from "../snapshots/schema.ts";
import type { Fact, Payload, Snapshot, SnapshotName } from "../snapshots/snapshot.ts";
import type { Reader, Store } from "../snapshots/store.ts";
import type { Validators } from "./http/fetch.ts";
import type { Source, SourceContext, UpstreamAnswer } from "./source.ts";
import type { Outcome } from "./outcome.ts";

/** A fact that is to be published. The source gives names to plans, and files to a release. */
export interface Publication {
  name: SnapshotName;
  kind: string;
  fact: Fact;
  names?: PlanNames | undefined;
  files?: ReleaseFile[] | undefined;
  /** The upstream was asked at this time, in ms since the epoch, and its answer is true of it. */
  askedAt: number;
}

/** What a collector signs with; the feature `signatures` makes it. */
export interface Signing {
  /** It believes only what it has signed: else it would sign what others have put into its store. */
  trust: Trust;
  /** Adds a proof of all that the snapshot shows, and the public keys. @throws StoreError if the proof would be too long */
  sign(snapshot: Snapshot): Snapshot;
  /** Signs a text. It must contain a space, which no proof does, so that no signed text can pass as a proof. */
  signText(text: string): string;
}

/** What is known before a fact is published. */
export interface Circumstances {
  facts: Facts;
  /** The published snapshot, if it can be read. */
  published: Snapshot | undefined;
  /** Its payload, else the newest trace of earlier facts. */
  last: Payload | undefined;
  /** True for made-up facts in `last`, which anything may replace. */
  isSample: boolean;
  /** The candidate that was held back under its name. */
  held: Held | undefined;
  /** What the report has of its last collection. */
  reported: Reported | undefined;
  /** True if the operator accepts it, suspicious or not. */
  isAccepted: boolean;
  /** The reasons of the judges before. */
  doubts: readonly HoldReason[];
  /** The current time in ms since the epoch. */
  now: number;
  /** Of the run, which has one of its own. */
  signal: AbortSignal;
}

export interface Judgement {
  /** Why the fact must not be published or confirmed: its source has failed. */
  problem?: string;
  /** Reasons to hold it, for the judges that follow. */
  doubts?: readonly HoldReason[];
  held?: Held;
  /** Why a suspicious fact is published, or held, for the operator. */
  why?: string;
  /** Remarks for the operator, in our own words. */
  notes?: readonly string[];
  /** What the report gets. */
  link?: LinkRecord | undefined;
}

/** Looks at a fact before it is published. @throws UpstreamError, and its source has failed */
export type Judge = (publication: Publication, circumstances: Circumstances) => Judgement | Promise<Judgement>;

/** The newest payload that was ever published under a name, from elsewhere than the snapshot. @throws Unreachable */
export type Trace = (facts: Facts, name: SnapshotName) => Promise<Payload | undefined>;

/** Gets the published snapshot, if there is one, before its source is asked and after it is published. Never fails a run: returns
 * notes for the operator. */
export type Recorder = (facts: Facts<Store>, name: SnapshotName, snapshot: Snapshot | undefined) => Promise<string[]>;

export interface FinishedRun {
  outcomes: readonly Outcome[];
  /** The snapshots that were published before the run. */
  before: ReadonlyMap<SnapshotName, Snapshot>;
  /** The payloads that are published after it, whatever their age. */
  published: ReadonlyMap<SnapshotName, Payload>;
  facts: Facts<Reader>;
  report: Report;
  signal: AbortSignal;
}

/** Follows a run whose report is written. Resolves to the report with its own records. */
export interface RunHook {
  /** For the message when it fails. */
  name: string;
  after(run: FinishedRun): Promise<Report>;
}

/** What a published fact and that of another place say where they differ. */
export interface Difference {
  published: string;
  found: string;
  /** True if it needs attention however short it lasts: a release that is still reaching other channels does not explain it. */
  atOnce?: true | undefined;
  /** The prices in `found`, with those that do not fit into it; undefined if they are too many to record. */
  prices?: FoundPrice[] | undefined;
}

/** What asking another place about a published fact came to. `isNew`: it disagreed before. */
export type CrossChecked = { name: SnapshotName; witness: string } & (
  | { result: "agrees"; isNew: boolean }
  | ({ result: "disagrees"; since: string } & Difference)
  | { result: "unasked"; reason: string; retryAfterMs: number }
);

/** Asks other places about facts, and publishes and records nothing. @throws Unreachable */
export type Examine = (asked: Pick<FinishedRun, "published" | "facts" | "signal">) => Promise<CrossChecked[]>;

/** A hash of the settings of each snapshot's source and the program's version. */
export type Fingerprints = ReadonlyMap<SnapshotName, string>;

/** What is known before a source is asked. `now`: in ms since the epoch. */
interface BeforeAsking {
  reads: ReadonlyMap<SnapshotName, SnapshotRead>;
  now: number;
  /** Upstreams of these snapshots are asked even if they have told us to wait. */
  askNow?: ReadonlySet<SnapshotName> | undefined;
}

/** `snapshot`: what was published, if anything. `now`: in ms since the epoch. */
export interface Remembered {
  outcomes: readonly { name: SnapshotName; snapshot?: Snapshot }[];
  now: number;
}

/** What earlier runs know of the upstreams, during one run. */
export interface UpstreamMemory {
  /** For a conditional request, or undefined for a whole answer. @throws PauseError while the upstream must not be asked */
  validatorsFor(source: Source, before: BeforeAsking): Validators | undefined;
  update(source: Source, answered: UpstreamAnswer | "unchanged" | { error: unknown }, remembered: Remembered): void;
  /** @throws StoreError */
  save(store: Store): Promise<void>;
}
export type OpenMemory = (store: Store, signing: Signing | undefined) => Promise<UpstreamMemory>;

/** Changes what the sources of some snapshots say. `setting`: its own, part of the fingerprint of such a source. */
export interface SourceWrap {
  setting: unknown;
  wrap(source: Source): Source;
}

/** What features are opened with. `log`: gets a source's line for the operator, prefixed with its path in the settings. */
export interface FeatureOptions extends Omit<SourceContext, "names" | "standIns"> {
  /** The name of the settings file, for error messages. */
  file: string;
  /** The base URL of the API, for which proofs are signed. */
  base?: string | undefined;
  /** The setting of readers, which must trust the collector's key. */
  trust?: Trust | undefined;
}

/** What features that follow a run say to the operator. */
export interface Operator {
  /** The public name of the API. */
  title: string;
  /** How to publish a held snapshot. */
  acceptance: (name: SnapshotName) => string;
  warn: (message: string) => void;
  onCrossCheck: (checked: CrossChecked) => void;
}

/** What a feature adds to each run. */
export interface RunPart {
  judges?: readonly Judge[];
  traces?: readonly Trace[];
  recorders?: readonly Recorder[];
  hooks?: readonly RunHook[];
  examine?: Examine;
  signing?: Signing | undefined;
}
