// What a feature adds to the server's answers, and what the documents about all of them, such as the page and llms.txt, say about it.
// `server/surface.ts` lists the features.
import type { Clock, Facts } from "../../snapshots/facts.ts";
import type { SnapshotStatus } from "../../snapshots/fact-state.ts";
import type { ApiIndex } from "../api-index.ts";
import type { ApiFiles, ApiSettings } from "../api-settings.ts";
import type { Answer, ReportBug, RequestHeaders } from "./answer.ts";
import type { CollectorReport } from "../mirror/collector-report.ts";
import type { Mirror } from "../mirror/mirror.ts";
import type { FactLink, FactView } from "./facts.ts";
import type { Prepared } from "./prepared.ts";

export interface Addition {
  views?: readonly FactView[];
  /** The documents by target, at a time in ms since the epoch. */
  documents?: (now: number) => Readonly<Record<string, Answer>>;
  live?: Readonly<Record<string, LiveRead>>;
  rows?: readonly Row[];
  notices?: Notices;
  mention?: Mention;
}

/** An answer that depends on more than the path; undefined: the prepared one. */
export type LiveRead = (query: URLSearchParams, headers: RequestHeaders) => Prepared | Answer | undefined;

/** A target whose answer is made of several facts. */
export interface Row {
  target: string;
  /** Marks the answer as outdated: a request for it, or a timer, makes it again. */
  invalidate(): void;
  /** Makes the answer now if it is outdated. */
  update(): void;
  /** The answer to GET; undefined if a bug prevents it. */
  answer(headers: RequestHeaders): Answer | undefined;
}

/** Answers for people who open the address of a program in a browser, as HTML. */
export interface Notices {
  notFound: Answer;
  /** At the address that takes messages. */
  posting: Answer;
  /** `silentSince`: when the last collection ended, if the next one is overdue. */
  status(states: readonly SnapshotStatus[], silentSince: string | undefined): Answer;
  refusal(status: number, message: string): Answer;
}

/** What others say about a feature. */
export interface Mention {
  /** Lines of llms.txt, by heading. */
  llms?: Readonly<Partial<Record<"Facts" | "Texts" | "API" | "Web pages" | "MCP", readonly string[]>>>;
  /** Entries of the API catalogue: objects of a linkset (RFC 9264). */
  catalog?: readonly object[];
  /** At the foot of the page; with `rel` in its head instead. Agents are pointed to those whose `type` is text. */
  links?: readonly { title: string; href: string; rel?: string; type?: string }[];
  /** Where each fact is found as of any day, with `?at=`. */
  past?: readonly { title: string; href: string }[];
  examples?: readonly Example[];
  agents?: AgentServer;
}

/** A program to copy. `id`: of its language, in lower-case letters. */
export interface Example {
  id: string;
  language: string;
  text: string;
}

/** The MCP server as people add it to an agent. `name`: in the agent's settings, of characters that no shell needs quotes for. */
export interface AgentServer {
  name: string;
  tools: readonly { name: string; description: string }[];
}

export interface Vitals {
  mirror: Mirror;
  collector: CollectorReport;
}

/** What features know of the server. */
export interface Site extends Vitals, Pick<ApiFiles, "logo" | "picture"> {
  api: ApiSettings;
  texts: { [Name in keyof ApiFiles["texts"]]: string | undefined };
  index: ApiIndex;
  /** The public base URL, without a trailing slash. */
  base: string;
  /** As in the table. */
  worksInBackground: boolean;
  facts: Facts;
  clock: Clock;
  /** Further links of each fact. */
  factLinks: readonly FactLink[];
  /** Whether there are feeds of changes. */
  hasFeeds: boolean;
  reportBug: ReportBug;
  /** Those of all features, in the order of their list. Not before all are there. */
  mentions: () => readonly Mention[];
  /** Not before all features are there, as mentions. */
  notices: () => Notices | undefined;
}
