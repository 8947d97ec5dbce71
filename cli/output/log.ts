// The log of a service, one event at a time: text on a terminal, one line of JSON for each event elsewhere. `--log` and
// LOG_FORMAT override this.
import { SettingsProblems } from "../../collector/settings/problems.ts";
import type { ConfigurationInput } from "../settings/configure.ts";
import type { Terminal } from "./terminal.ts";

export interface LogEvent {
  /** Kind of event, for machines. */
  event: string;
  level: "info" | "warn" | "error";
  /** For people, on one or more lines. */
  text: string;
  /** Fields of the JSON line, besides time, level and event. */
  fields: Readonly<Record<string, unknown>>;
}

export interface Log {
  /** Results and normal operation, to stdout. */
  out(event: LogEvent): void;
  /** Problems, to stderr. */
  err(event: LogEvent): void;
}

const FORMATS = ["text", "json"] as const;
export type LogFormat = (typeof FORMATS)[number];

/** The log of a command. `format`: of both streams; by default each is text on a terminal and JSON elsewhere. */
export function openLog(terminal: Terminal, format?: LogFormat): Log {
  const to = (stream: "out" | "err") => {
    const isText = (format ?? (terminal.isScreen[stream] ? "text" : "json")) === "text";
    return (event: LogEvent): void => {
      if (!isText) terminal[stream](jsonLine(event));
      else terminal[stream](event.text);
    };
  };
  return { out: to("out"), err: to("err") };
}

/** The format of --log or LOG_FORMAT, if set. @throws SettingsProblems for an unknown format. */
export function askedFormat({
  flags,
  environment,
}: Pick<ConfigurationInput, "flags" | "environment">): LogFormat | undefined {
  const asked = flags.log ?? environment.LOG_FORMAT ?? "";
  const format = FORMATS.find((known) => known === asked);
  if (format || asked === "") return format;
  const [subject, name] = flags.log === undefined ? ["the environment", "LOG_FORMAT"] : ["the command line", "--log"];
  throw new SettingsProblems(subject, [`${name}   must be ${FORMATS.join(" or ")} (got "${String(asked)}")`]);
}

function jsonLine({ event, level, fields }: LogEvent): string {
  return JSON.stringify({ time: new Date().toISOString(), level, event, ...fields });
}
