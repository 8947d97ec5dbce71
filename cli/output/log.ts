// The log of a service: its events, each as text and as fields. A terminal gets the text, any other stream one line of
// JSON for each event, unless `--log` or LOG_FORMAT names the format.
import type { CrossChecked } from "../../collector/hooks.ts";
import type { Outcome } from "../../collector/outcome.ts";
import { SettingsProblems } from "../../collector/settings-problems.ts";
import type { ConditionChange } from "../../server/mirror/freshness-monitor.ts";
import type { RunningServer } from "../../server/serve.ts";
import { isLoopback, span } from "../../snapshots/rules.ts";
import type { Payload, SnapshotName } from "../../snapshots/snapshot.ts";
import { typed, typedHere } from "../command-hints.ts";
import { VERSION } from "../package-files.ts";
import type { Configuration, ConfigurationInput } from "../settings/configure.ts";
import { acceptance, crossCheckText, errorLine, row, shortName, warningLine, type Terminal } from "./terminal.ts";

export interface LogEvent {
  event: string;
  level: "info" | "warn" | "error";
  /** What people read, on one or more lines. */
  text: string;
  /** Fields of the JSON line, besides time, level and event. */
  fields: Readonly<Record<string, unknown>>;
}

export interface Log {
  /** Results and normal operation, to stdout. */
  out(event: LogEvent): void;
  /** Problems, to stderr. */
  err(event: LogEvent): void;
  warn(message: string): void;
  /** The reason why a service cannot start, or cannot go on. */
  fail(message: string): void;
  /** True if a person watches. */
  isScreen: boolean;
}

const FORMATS = ["text", "json"] as const;
type LogFormat = (typeof FORMATS)[number];

/** The log of a command. `format`: of both streams; by default each is text on a terminal and JSON elsewhere. */
export function openLog(terminal: Terminal, format?: LogFormat): Log {
  const to = (stream: "out" | "err") => {
    const isText = (format ?? (terminal.isScreen[stream] ? "text" : "json")) === "text";
    return (event: LogEvent): void => terminal[stream](isText ? event.text : jsonLine(event));
  };
  const err = to("err");
  return {
    out: to("out"),
    err,
    warn: (message) => err(note("warning", "warn", message, warningLine(message))),
    fail: (message) => err(note("failure", "error", message, errorLine(message))),
    isScreen: terminal.isScreen.out,
  };
}

/** The format of --log or LOG_FORMAT, if set. @throws SettingsProblems for an unknown format. */
export function askedFormat({ flags, environment }: Omit<ConfigurationInput, "directory">): LogFormat | undefined {
  const asked = flags.log ?? environment.LOG_FORMAT ?? "";
  const format = FORMATS.find((known) => known === asked);
  if (format || asked === "") return format;
  const [subject, name] = flags.log === undefined ? ["the environment", "LOG_FORMAT"] : ["the command line", "--log"];
  throw new SettingsProblems(subject, [`${name}   must be ${FORMATS.join(" or ")} (got "${String(asked)}")`]);
}

/** A service starts. `doing`: what it does, if not in the lines that follow. */
export function starting({ isDemo, settings, file }: Configuration, doing?: string): LogEvent {
  const product = isDemo
    ? `demo product, no settings read (${typed("init")} writes yours)`
    : `${settings.api.name} (${file})`;
  const fields = { version: VERSION, settings: isDemo ? "demo" : file };
  const line = `Vitrine ${VERSION}   ${product}`;
  const text = doing === undefined ? `\n  ${line}\n` : `${line}   ${doing}`;
  return { event: "starting", level: "info", text, fields };
}

/** A server answers at these addresses. `next`: when the next collection begins, if any. */
export function serving(
  { base, place, metrics, addresses }: Pick<RunningServer, "base" | "place" | "metrics" | "addresses">,
  { settings: { api } }: Configuration,
  next?: Date | null,
): LogEvent {
  const isLocal = isLoopback(place.replace(/:\d+$/, ""));
  const closing = [
    ...(isLocal || api.baseUrl ? [] : ["Links point to localhost: set BASE_URL to the public address."]),
    ...(next ? [`Next collection in ${span(next.getTime() - Date.now())}.`] : []),
    "Ctrl+C stops.",
  ];
  const text = `
  Page     ${base}/
  API      ${base}/api/v1
  OpenAPI  ${base}/openapi.json
${[...addresses, ...(metrics ? [`Metrics  ${metrics}`] : [])].map((line) => `  ${line}\n`).join("")}
  Listening on ${place}${isLocal ? ", this computer only (--host 0.0.0.0 to share)" : ""}.
  ${closing.join(" ")}
`;
  return { event: "serving", level: "info", text, fields: { base, place, metrics, next: next?.toISOString() } };
}

const LEVELS = { changed: "info", confirmed: "info", held: "warn", failed: "error" } as const;

export function collected(outcome: Outcome): LogEvent {
  const { name, result, milliseconds } = outcome;
  const reason = "reason" in outcome ? outcome.reason : undefined;
  const notes = "notes" in outcome && outcome.notes.length > 0 ? outcome.notes : undefined;
  const remedy = remedyOf(outcome);
  const fields = { snapshot: name, result, milliseconds: Math.round(milliseconds), reason, remedy, notes };
  return { event: "collected", level: LEVELS[result], text: outcomeLine(outcome), fields };
}

/** What a cross-check found; undefined while all is as it should be. */
export function crossChecked(checked: CrossChecked): LogEvent | undefined {
  const { name, result } = checked;
  if (result === "agrees" && !checked.isNew) return undefined;
  const mark = ({ agrees: "✔", disagrees: "!", unasked: " " } as const)[result];
  const text = row(mark, name, crossCheckText(checked));
  const { name: snapshot, ...fields } = checked;
  const level = result === "disagrees" ? "warn" : "info";
  return { event: "cross-check", level, text, fields: { snapshot, ...fields } };
}

/** A run has ended. `next`: when the next one begins, if any. */
export function runOver({ milliseconds, next }: { milliseconds: number; next?: Date | null }): LogEvent {
  const clock = new Date().toISOString().slice(11, 16);
  const coming = next ? ` Next collection in ${span(next.getTime() - Date.now())}.` : "";
  return {
    event: "run",
    level: "info",
    text: `  Collected in ${elapsed(milliseconds)}, ${clock} UTC.${coming}`,
    fields: { milliseconds: Math.round(milliseconds), next: next?.toISOString() },
  };
}

export function stillAsking(names: Iterable<SnapshotName>, milliseconds: number): LogEvent {
  return note("run", "info", `no answer for ${elapsed(milliseconds)} yet: ${[...names].map(shortName).join(", ")}`);
}

export function note(event: string, level: LogEvent["level"], message: string, text = `  ${message}`): LogEvent {
  return { event, level, text, fields: { message } };
}

export function conditionChanged({ name, condition, timeLeft }: ConditionChange): LogEvent {
  const isFresh = condition === "fresh";
  const words = {
    fresh: "is fresh again",
    aging: `is aging: not confirmed for half of its lifetime; served for another ${span(timeLeft)}`,
    stale: "is stale: answered with 502 until a collection confirms it",
    missing: "is missing: answered with 502",
  };
  return {
    event: "condition",
    level: isFresh ? "info" : "warn",
    text: `${isFresh ? "✔" : "!"} ${shortName(name)} ${words[condition]}`,
    fields: { snapshot: name, condition, milliseconds: Math.max(0, Math.round(timeLeft)) },
  };
}

function jsonLine({ event, level, fields }: LogEvent): string {
  return JSON.stringify({ time: new Date().toISOString(), level, event, ...fields });
}

/** What the operator can do about an outcome at once; it ends with a command to copy. */
function remedyOf(outcome: Outcome): string | undefined {
  if (outcome.result === "held") return acceptance(outcome.name);
  const isPaused = outcome.result === "failed" && outcome.isPaused === true;
  return isPaused ? `to ask now: ${typedHere(`collect --now ${shortName(outcome.name)}`)}` : undefined;
}

/** A line such as `✔ plans   4 plans, 3 cycles   changed   12 ms`. */
function outcomeLine(outcome: Outcome): string {
  const { name } = outcome;
  if (outcome.result === "failed") {
    const kept = outcome.isKept ? "its last snapshot is kept" : "there is no snapshot of it yet";
    const remedy = outcome.isPaused === true ? ` (${remedyOf(outcome)})` : "";
    return row("✖", name, `failed: ${outcome.reason}${remedy}; ${kept}`);
  }
  if (outcome.result === "held") {
    const kept = outcome.isKept ? "its last snapshot is kept and ages" : "the store has no readable snapshot of it";
    const parts = [outcome.reason, ...outcome.notes, kept, acceptance(name)];
    return row("!", name, `held: ${parts.join("; ")}`);
  }
  const time = elapsed(outcome.milliseconds).padStart(7);
  const notes = outcome.notes.length > 0 ? `   ${outcome.notes.join("; ")}` : "";
  const text = `${summary(outcome.payload).padEnd(20)} ${outcome.result.padEnd(9)} ${time}${notes}`;
  return row("✔", name, text);
}

function summary(payload: Payload): string {
  if ("hasUpdate" in payload) return payload.hasUpdate ? payload.latest.version : "no release";
  if (payload.plans.length === 0) return "no plans";
  return `${counted(payload.plans.length, "plan")}, ${counted(payload.cycles.length, "cycle")}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A duration: `12 ms`, `1.2 s`, `2 min`. */
function elapsed(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  return milliseconds < 89_950 ? `${(milliseconds / 1000).toFixed(1)} s` : span(milliseconds);
}
