// Runs a vendor's module once, on its own thread, which is always terminated afterwards. The result is the answer as JSON
// or an UpstreamError in our words. Requests are made on this side, within the limits of every source.
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";
import { errorCode, underWay } from "../../../snapshots/system-calls.ts";
import { fetchText, MAX_BYTES, type StandIns } from "../../http/fetch.ts";
import { requestHeaders, requestUrl, secretHeaders, type Environment } from "../../http/request.ts";
import { UpstreamError } from "../../http/errors.ts";
import { FromThread, type ModuleFailure, type ModuleTask, type ToThread } from "./messages.ts";

const isBuilt = import.meta.url.endsWith(".mjs");
const THREAD = new URL(isBuilt ? "./module-thread.mjs" : "./module-thread.dev.mjs", import.meta.url);

const MAX_MODULE_MIB = 256;
/** Time for a module to clean up after its signal is aborted. */
const GRACE_MS = 2_000;

/** Reasons why Node did not load a module, by error code. Node only strips types from TypeScript. */
const LOAD_FAILURES = new Map([
  ["ERR_MODULE_NOT_FOUND", "an import of the module was not found (use full names, such as ./prices.ts)"],
  [
    "ERR_UNKNOWN_FILE_EXTENSION",
    `the module is TypeScript, which needs Node 22.18 or later, and this is ${process.versions.node}: use .mjs`,
  ],
  ["ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX", "the module has TypeScript syntax that Node does not support, such as an enum"],
  [
    "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING",
    "the module is TypeScript in node_modules, which Node does not support",
  ],
]);

export interface ModuleRun {
  names: readonly SnapshotName[];
  /** The module's process.env; also the values for `$NAME` in its headers. */
  environment: Environment;
  standIns?: StandIns | undefined;
  /** Milliseconds per request. */
  deadline: number;
  /** Ends the run. */
  signal: AbortSignal;
  log: (line: string) => void;
}

/** Resolves to the answer's JSON text. @throws UpstreamError */
export function runModule(path: string, run: ModuleRun): Promise<string> {
  const task: ModuleTask = { url: pathToFileURL(path).href, names: run.names };
  const worker = new Worker(THREAD, {
    workerData: task,
    env: { ...run.environment },
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MODULE_MIB },
  });
  void underWay(new Promise((resolve) => worker.once("exit", resolve)));
  for (const stream of [worker.stdout, worker.stderr]) stream.resume();
  const ending = new AbortController();
  const failures = new Map<number, UpstreamError>();
  // Never rejects: the module handles the refusal.
  const reply = async ({ request, url, headers }: Extract<FromThread, { kind: "fetch" }>): Promise<ToThread> => {
    try {
      return { kind: "fetched", request, text: await requestText(url, headers, { ...run, signal: ending.signal }) };
    } catch (error) {
      const failure =
        error instanceof UpstreamError ? error : new UpstreamError("a bug in the request", { cause: error });
      failures.set(request, failure);
      return { kind: "refused", request, reason: failure.message };
    }
  };
  const answer = new Promise<string>((resolve, reject) => {
    const fail = (reason: string, cause?: unknown) => reject(new UpstreamError(reason, { cause }));
    worker.on("error", (error) => fail(reasonOfCrash(error), error));
    worker.on("exit", () => fail("the module ended its thread without an answer"));
    run.signal.addEventListener("abort", () => fail("the run was stopped"), { once: true });
    worker.on("message", (received: unknown) => {
      const message = FromThread.safeParse(received).data;
      if (message?.kind === "log") run.log(message.line);
      if (message?.kind === "answer") resolve(message.text);
      if (message?.kind === "fetch") void reply(message).then((answered) => worker.postMessage(answered));
      if (message?.kind !== "failed") return;
      // A failed request that the module did not handle is the reason, with the pause that the upstream asked for.
      const unhandled = message.stage === "run" ? failures.get(message.request ?? 0) : undefined;
      reject(unhandled ?? new UpstreamError(reasonOf(message)));
    });
  });
  return answer.then(sized).finally(() => {
    ending.abort();
    end(worker, run.signal.aborted);
  });
}

/** Terminates the thread, after GRACE_MS at most if the module is still running. */
function end(worker: Worker, isRunning: boolean): void {
  const terminate = () => void worker.terminate();
  if (!isRunning) return terminate();
  worker.postMessage({ kind: "end" } satisfies ToThread);
  const timer = setTimeout(terminate, GRACE_MS);
  worker.once("exit", () => clearTimeout(timer));
}

function sized(text: string): string {
  if (text.length > MAX_BYTES) throw new UpstreamError(`more than ${MAX_BYTES / 1024 / 1024} MiB`);
  return text;
}

async function requestText(
  url: string,
  given: unknown,
  { environment, standIns, deadline, signal }: ModuleRun,
): Promise<string> {
  if (!requestUrl.safeParse(url).success) throw new UpstreamError("the URL must be https, or http on this computer");
  const checked = requestHeaders.safeParse(given);
  if (!checked.success) throw new UpstreamError("a header that cannot be sent");
  const headers = secrets(checked.data, environment);
  const fetched = await fetchText(url, { headers, standIns, deadline, signal });
  if (fetched === "unchanged") throw new UpstreamError("answered 304 to an unconditional request");
  return fetched.text;
}

function secrets(headers: Record<string, string>, environment: Environment): Record<string, string> {
  try {
    return secretHeaders(headers, environment);
  } catch (error) {
    throw new UpstreamError(error instanceof Error ? error.message : "a header that cannot be sent", { cause: error });
  }
}

function reasonOf({ stage, error, code, line }: ModuleFailure): string {
  const thrown = `${error ?? "Error"}${line === undefined ? "" : `, line ${line}`}`;
  if (stage === "export") return "the module has no function as its default export";
  if (stage === "answer") return `the module's answer cannot be written as JSON (${thrown})`;
  if (stage === "run") return `the module threw (${thrown})`;
  return LOAD_FAILURES.get(code ?? "") ?? `the module cannot be loaded (${thrown})`;
}

/** For a thread that crashed: an uncaught error, or its memory limit. */
function reasonOfCrash(error: unknown): string {
  if (errorCode(error) === "ERR_WORKER_OUT_OF_MEMORY")
    return `the module used more than ${MAX_MODULE_MIB} MiB of memory`;
  return "the module threw where nothing could catch it";
}
