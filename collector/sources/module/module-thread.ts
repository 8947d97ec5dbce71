// The thread of one vendor's module: loads it, runs it with its tools, posts its answer or failure, and ends. On a thread,
// an endless loop, an unhandled rejection or process.exit() does not affect the collector.
import { parentPort, workerData } from "node:worker_threads";
import { format } from "node:util";
import type { ModuleTools } from "../define-source.ts";
import { ERROR_NAMES } from "./error-names.ts";
import type { FromThread, ModuleFailure, ModuleTask, ToThread } from "./messages.ts";
import { errorCode } from "../../../snapshots/system-calls.ts";

const MAX_LINES = 100;
const MAX_REQUESTS = 100;

const { url, names }: ModuleTask = workerData;
const ending = new AbortController();
const waiting = new Map<number, { resolve: (text: string) => void; reject: (error: Error) => void }>();
const requestOf = new WeakMap<object, number>();
let lines = 0;
let requests = 0;

const post = (message: FromThread) => parentPort?.postMessage(message);

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
  if (lines++ < MAX_LINES) post({ kind: "log", line: format(...words) });
}
// Otherwise its output would mix with the collector's.
for (const method of ["log", "info", "warn", "error", "debug"] as const) console[method] = log;

const tools: ModuleTools = {
  names,
  signal: ending.signal,
  log: (line) => log(String(line)),
  async fetchText(url, headers = {}) {
    const request = ++requests;
    if (request > MAX_REQUESTS) throw new RangeError(`more than ${MAX_REQUESTS} requests`);
    return new Promise((resolve, reject) => {
      waiting.set(request, { resolve, reject });
      post({ kind: "fetch", request, url: String(url), headers: { ...headers } });
    });
  },
};

async function run(): Promise<FromThread> {
  let stage: ModuleFailure["stage"] = "load";
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

/** The exported function; CommonJS wraps it once more. */
function exported(value: unknown): ((tools: ModuleTools) => unknown) | undefined {
  const inner: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "default") : value;
  return typeof inner === "function" ? (tools) => Reflect.apply(inner, undefined, [tools]) : undefined;
}

/** The parts of an error that may be reported: never its message, which may quote data that the module has read. */
function failure(stage: ModuleFailure["stage"], error: unknown): ModuleFailure {
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

post(await run());
