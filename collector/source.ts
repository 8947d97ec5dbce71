// A kind of source opens a source from its settings: the adapter from one upstream to one snapshot, or to both releases if the
// upstream has them in one place. A source throws when it cannot find out, and never caches, retries or recovers: "I could not
// find out" must not look like "there is none". Its candidates become payloads at the gate, which only lets pass what is exactly
// in its public shape.
import type * as z from "zod";
import type { PlanNames, Platform, ReleaseFile } from "../snapshots/schema.ts";
import { type Fact, FACTS, type Payload, type SnapshotName } from "../snapshots/snapshot.ts";
import { UpstreamError } from "./http/errors.ts";
import { fetchText } from "./http/fetch.ts";
import type { FetchedText, FetchOptions, StandIns, TypedText, Validators } from "./http/fetch.ts";
import type { Environment } from "./http/request.ts";
import { issuesText, UPSTREAM_WORDS } from "./parsing/issues.ts";
import type { StatedFile } from "./parsing/link.ts";

export interface Source {
  /** Kind of source, such as `json`; written into the snapshot, so no address and no secret. */
  readonly kind: string;
  readonly names: readonly SnapshotName[];
  /** Asks the upstream once. Returns `unchanged` only if validators were given. @throws UpstreamError */
  fetch(request: SourceRequest): Promise<UpstreamAnswer | "unchanged">;
  /** Pure: makes the candidate for one snapshot from the answer. @throws UpstreamError if the answer has none. */
  translate(upstream: unknown, name: SnapshotName): Candidate;
  /** Applied in this order to each of its facts. */
  readonly describers?: readonly Describe[];
  /** Names mistakes in the settings, which every run shows, in our own words. */
  remindersOf?(payload: Payload): string[];
}

export interface SourceRequest {
  signal: AbortSignal;
  validators: Validators | undefined;
}

export interface UpstreamAnswer {
  upstream: unknown;
  validators?: Validators;
}

export interface SourceContext {
  names: readonly SnapshotName[];
  /** Relative paths begin here. */
  directory: string;
  environment: Environment;
  standIns?: StandIns | undefined;
  log?: (line: string) => void;
}

/** A payload that has not passed the gate yet, and how it was found. */
export interface Candidate {
  payload: unknown;
  names?: PlanNames | undefined;
  /** The installers of a release, the better first of two for one processor. */
  files?: readonly StatedFile[] | undefined;
  /** The number of fields dropped because the public shape does not list them. */
  dropped: number;
  /** The first of them, for the operator: `plans[0].cost`. Upstream text, so made printable by `displayName`. */
  droppedFields?: string[];
  /** The choice among several, for the operator: `Notes-4.2.1-universal.dmg of v4.2.1`. */
  picked?: string;
  /** Other architectures with an installer: `x64: Notes-4.2.1-x64.dmg`. */
  architectures?: string[];
  /** Newer ones that were not chosen, and why, for the operator: `v4.2.2: no installer for macos`. */
  passedOver?: string[];
  /** A later release that a setting leaves out, and the setting, as in `"tag": "v9.*"`. */
  beyond?: { release: string; setting: string } | undefined;
  /** Probable mistakes, for the operator, in our own words. */
  warnings?: string[];
  /** What every run says to the operator, in our own words. */
  reminders?: string[];
  /** What is true of the facts and not among them, for the operator: `tax is added: price_1`. */
  remarks?: string[];
  /** The rejected ones and why, for the operator: `v4.3.0-beta.1: a prerelease`. Names are the only upstream text. */
  skipped?: string[];
}

/** A fact that has passed the gate, and how it was found. */
export interface Found extends Omit<Candidate, "payload" | "files"> {
  fact: Fact;
  /** The installers of a published release. */
  files?: ReleaseFile[] | undefined;
  remarks: string[];
  warnings: string[];
}

/** Adds what is published beside a fact, and what the operator should know of it. `candidate`: as the source made it. */
export type Describe = (found: Found, candidate: Candidate) => Partial<Found>;

/** Everything that depends on the kinds follows from these objects, by their registry in sources/sources.ts: the settings'
 * schema and its documents, and the commands. */
export interface SourceKind<Settings extends z.ZodType = KindSettings> {
  /** A strict object whose `from` is the name of the kind, with a description of each field. */
  readonly settings: Settings;
  /** @throws Error if the settings cannot work, such as without an environment variable or for these snapshots. */
  open(settings: z.infer<Settings>, context: SourceContext): Source;
}

/** As far as all kinds have them. */
export type KindSettings = z.ZodObject<{ from: z.ZodLiteral<string> }>;

export function sourceKind<Settings extends z.ZodType>(kind: SourceKind<Settings>): SourceKind<Settings> {
  return kind;
}

/** Reads one kind of document, in place: the process does nothing else meanwhile, so the parsers have limits. Returns only the
 * fields that are used. @throws UpstreamError */
export type Read<Document> = (text: TypedText) => Document | Promise<Document>;

export async function fetchDocument<Document>(
  read: Read<Document>,
  url: string,
  options: FetchOptions,
): Promise<(Pick<FetchedText, "validators" | "hasNext"> & { upstream: Document }) | "unchanged"> {
  const fetched = await fetchText(url, { limit: "timeout", ...options });
  if (fetched === "unchanged") return "unchanged";
  const { validators, hasNext, ...text } = fetched;
  return { upstream: await read(text), validators, hasNext };
}

export function platformOf(name: SnapshotName): Platform {
  return name === "release-macos" ? "macos" : "windows";
}

/** The payload of a candidate as a fact. @throws UpstreamError with the first fields and what they must be, never their values;
 * `mostIssues`: if not the usual number. */
export function gate(name: SnapshotName, payload: unknown, mostIssues?: number): Fact {
  const checked = FACTS[name].safeParse(payload, UPSTREAM_WORDS);
  if (checked.success) return checked.data;
  throw new UpstreamError(issuesText(checked.error.issues, mostIssues));
}
