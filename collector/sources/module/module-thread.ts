// The thread of one vendor's module: loads it, gives it its tools, says what it answered or how it failed, and ends. Here,
// and not beside the collector, so that an endless loop, a rejection nobody handles or process.exit() ends this thread only.
import { parentPort, workerData } from "node:worker_threads";
import { format } from "node:util";
import type { ModuleTools } from "./define-source.ts";
import { ERROR_NAMES } from "./error-names.ts";
import type { Failed, FromThread, Task, ToThread } from "./messages.ts";
import { errorCode } from "../../../snapshots/error-code.ts";

const MOST_LINES = 100;
const MOST_REQUESTS = 100;

const { url, names }: Task = workerData;
const ending = new AbortController();
const waiting = new Map<number, { resolve: (text: string) => void; reject: (error: Error) => void }>();
const requestOf = new WeakMap<object, number>();
let lines = 0;
let requests = 0;

const say = (message: FromThread) => parentPort?.postMessage(message);

parentPort?.on("message", (message: ToThread) => {
  if (message.kind === "end") {
    ending.abort();
    return setImmediate(() => process.exit());
  }
  const { request } = message;
  if (message.kind === "fetched") return waiting.get(request)?.resolve(message.text);
  const error = new Error(message.reason);
  requestOf.set(error, request);
  waiting.get(request)?.reject(error);
});

function log(...words: unknown[]): void {
  if (lines++ < MOST_LINES) say({ kind: "log", line: format(...words) });
}
// Without this, what it prints would stand between the collector's own lines.
for (const method of ["log", "info", "warn", "error", "debug"] as const) console[method] = log;

const tools: ModuleTools = {
  names,
  signal: ending.signal,
  log: (line) => log(String(line)),
  async fetchText(url, headers = {}) {
    const request = ++requests;
    if (request > MOST_REQUESTS) throw new RangeError(`more than ${MOST_REQUESTS} requests`);
    return new Promise((resolve, reject) => {
      waiting.set(request, { resolve, reject });
      say({ kind: "fetch", request, url: String(url), headers: { ...headers } });
    });
  },
};

async function run(): Promise<FromThread> {
  let stage: Failed["stage"] = "load";
  try {
    const loaded: { default?: unknown } = await import(url);
    const source = exported(loaded.default);
    if (!source) return { kind: "failed", stage: "export" };
    stage = "run";
    const answer = await source(tools);
    stage = "answer";
    return { kind: "answer", text: JSON.stringify(answer) ?? "null" };
  } catch (error) {
    return failure(stage, error);
  }
}

/** The function that a module exports; CommonJS wraps it once more. */
function exported(value: unknown): ((tools: ModuleTools) => unknown) | undefined {
  const inner: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "default") : value;
  return typeof inner === "function" ? (tools) => Reflect.apply(inner, undefined, [tools]) : undefined;
}

/** What may be told of an error: never its message, which may quote what the module has read. */
function failure(stage: Failed["stage"], error: unknown): Failed {
  if (!(error instanceof Error)) return { kind: "failed", stage, error: "another value" };
  const code = errorCode(error);
  const line = lineOf(error);
  const request = requestOf.get(error);
  return {
    kind: "failed",
    stage,
    error: ERROR_NAMES.find((name) => name === error.name) ?? "Error",
    ...(code !== undefined && { code }),
    ...(line !== undefined && { line }),
    ...(request !== undefined && { request }),
  };
}

function lineOf({ stack }: Error): number | undefined {
  const frames = typeof stack === "string" ? stack.split("\n").filter((frame) => /^ {4}at /.test(frame)) : [];
  const [name = ""] = url.split("/").toReversed();
  const frame = frames.find((frame) => frame.includes(`/${name}:`));
  const [, line] = /:(\d{1,6}):\d+\)?$/.exec(frame ?? "") ?? [];
  return line === undefined ? undefined : Number(line);
}

say(await run());
