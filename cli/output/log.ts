// What a service tells while it runs, one event at a time: lines for people where they are read on a screen, one line of
// JSON for each event where they are not. `--log` or LOG_FORMAT decides otherwise.
import { SettingsProblems } from "../../collector/settings/problems.ts";
import type { ConfigurationInput } from "../settings/configure.ts";
import type { Terminal } from "./terminal.ts";

export interface LogEvent {
  /** Kind of event, for machines. */
  event: string;
  level: "info" | "warn" | "error";
  /** For people, on as many lines as it takes; nothing is shown without. */
  text?: string;
  /** What machines are told beside kind, level and time. */
  fields?: Readonly<Record<string, unknown>>;
}

export interface Log {
  /** Results and what goes as planned, to stdout. */
  out(event: LogEvent): void;
  /** Trouble, to stderr. */
  err(event: LogEvent): void;
}

const FORMATS = ["text", "json"] as const;
export type LogFormat = (typeof FORMATS)[number];

/** The log of a command. `format`: of both streams; otherwise each has the one that fits where it goes. */
export function openLog(terminal: Terminal, format?: LogFormat): Log {
  const to = (stream: "out" | "err") => {
    const isText = (format ?? (terminal.isScreen[stream] ? "text" : "json")) === "text";
    return (event: LogEvent): void => {
      if (!isText) terminal[stream](jsonLine(event));
      else if (event.text !== undefined) terminal[stream](event.text);
    };
  };
  return { out: to("out"), err: to("err") };
}

/** The format that was asked for, if any. @throws SettingsProblems when there is no such format. */
export function askedFormat({
  flags,
  environment,
}: Pick<ConfigurationInput, "flags" | "environment">): LogFormat | undefined {
  const asked = flags.log ?? environment.LOG_FORMAT ?? "";
  const format = FORMATS.find((known) => known === asked);
  if (format || asked === "") return format;
  const [place, name] = flags.log === undefined ? ["the environment", "LOG_FORMAT"] : ["the command line", "--log"];
  throw new SettingsProblems(place, [`${name}   must be ${FORMATS.join(" or ")} (got "${String(asked)}")`]);
}

function jsonLine({ event, level, fields }: LogEvent): string {
  return JSON.stringify({ time: new Date().toISOString(), level, event, ...fields });
}
