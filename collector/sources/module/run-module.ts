// Runs a vendor's module once, in a thread of its own that is ended afterwards, whatever it does: an answer as JSON, or an
// UpstreamError in our words. Requests are made here, with the limits that every source has.
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";
import { errorCode } from "../../../snapshots/error-code.ts";
import { fetchText, MAX_BYTES } from "../../http/fetch.ts";
import { requestHeaders, upstreamUrl } from "../../http/request-settings.ts";
import { secretHeaders, type Environment } from "../../http/secrets.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import type { StandIns } from "../../http/stand-ins.ts";
import { FromThread, type Failed, type Task, type ToThread } from "./messages.ts";

const isBuilt = import.meta.url.endsWith(".mjs");
const THREAD = new URL(isBuilt ? "./module-thread.mjs" : "./module-thread.dev.mjs", import.meta.url);

/** MiB. */
const MEMORY = 256;
/** How long a module has to tidy up once its signal is aborted, milliseconds. */
const GRACE = 2_000;

/** Why Node would not load a module, by its code. It takes types away and no more: what is left must be JavaScript. */
const LOADING = new Map([
  ["ERR_MODULE_NOT_FOUND", "something that the module imports is not there (whole names, such as ./prices.ts)"],
  [
    "ERR_UNKNOWN_FILE_EXTENSION",
    `the module is TypeScript, which Node runs from 22.18 on, and this is ${process.versions.node}: write it as .mjs`,
  ],
  [
    "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX",
    "the module is TypeScript with more than types, such as an enum, which Node does not run",
  ],
  [
    "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING",
    "the module is TypeScript within node_modules, which Node does not run",
  ],
]);

export interface ModuleRun {
  names: readonly SnapshotName[];
  /** What it finds in process.env, and what `$NAME` stands for in its headers. */
  environment: Environment;
  standIns?: StandIns | undefined;
  /** Milliseconds for each request. */
  deadline: number;
  /** Ends the run. */
  signal: AbortSignal;
  log: (line: string) => void;
}

/** Resolves to the answer's JSON text. @throws UpstreamError */
export function runModule(path: string, run: ModuleRun): Promise<string> {
  const task: Task = { url: pathToFileURL(path).href, names: run.names };
  const worker = new Worker(THREAD, {
    workerData: task,
    env: { ...run.environment },
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY },
  });
  for (const stream of [worker.stdout, worker.stderr]) stream.resume();
  const requests = new Requests(run);
  const answer = new Promise<string>((resolve, reject) => {
    const fail = (reason: string, cause?: unknown) => reject(new UpstreamError(reason, { cause }));
    worker.on("error", (error) => fail(reasonOfDeath(error), error));
    worker.on("exit", () => fail("the module ended its thread without an answer"));
    run.signal.addEventListener("abort", () => fail("the run was stopped"), { once: true });
    worker.on("message", (received: unknown) => {
      const message = FromThread.safeParse(received).data;
      if (message?.kind === "log") run.log(message.line);
      if (message?.kind === "failed") reject(requests.failureOf(message) ?? new UpstreamError(reasonOf(message)));
      if (message?.kind === "answer") resolve(message.text);
      if (message?.kind === "fetch") void requests.make(message).then((reply) => worker.postMessage(reply));
    });
  });
  return answer.then(sized).finally(() => {
    requests.end();
    end(worker, run.signal.aborted);
  });
}

/** Lets it tidy up when its time is over, and no longer than GRACE. */
function end(worker: Worker, isInTheMiddle: boolean): void {
  const terminate = () => void worker.terminate();
  if (!isInTheMiddle) return terminate();
  const farewell: ToThread = { kind: "end" };
  worker.postMessage(farewell);
  const timer = setTimeout(terminate, GRACE);
  worker.once("exit", () => clearTimeout(timer));
}

function sized(text: string): string {
  if (text.length > MAX_BYTES) throw new UpstreamError(`more than ${MAX_BYTES / 1024 / 1024} MiB`);
  return text;
}

/** The requests of one run, and why some of them failed. */
class Requests {
  readonly #run: ModuleRun;
  readonly #ending = new AbortController();
  readonly #failures = new Map<number, UpstreamError>();

  constructor(run: ModuleRun) {
    this.#run = run;
  }

  /** Never rejects: a refusal is the module's to deal with. */
  async make({ request, url, headers }: Extract<FromThread, { kind: "fetch" }>): Promise<ToThread> {
    try {
      return { kind: "fetched", request, text: await this.#text(url, headers) };
    } catch (error) {
      const failure =
        error instanceof UpstreamError ? error : new UpstreamError("a bug in the request", { cause: error });
      this.#failures.set(request, failure);
      return { kind: "refused", request, reason: failure.message };
    }
  }

  /** The failed request that a module did not deal with, if that is what ended it. */
  failureOf({ stage, request }: Failed): UpstreamError | undefined {
    return stage === "run" && request !== undefined ? this.#failures.get(request) : undefined;
  }

  end(): void {
    this.#ending.abort();
  }

  async #text(url: string, given: unknown): Promise<string> {
    if (!upstreamUrl.safeParse(url).success)
      throw new UpstreamError("the address is neither https nor on this computer");
    const checked = requestHeaders.safeParse(given);
    if (!checked.success) throw new UpstreamError("a header that cannot be sent");
    const { environment, standIns, deadline } = this.#run;
    const headers = secrets(checked.data, environment);
    const fetched = await fetchText(url, { headers, standIns, deadline, signal: this.#ending.signal });
    if (fetched === "unchanged") throw new UpstreamError("answered 304 to a request without conditions");
    return fetched.text;
  }
}

function secrets(headers: Record<string, string>, environment: Environment): Record<string, string> {
  try {
    return secretHeaders(headers, environment);
  } catch (error) {
    throw new UpstreamError(error instanceof Error ? error.message : "a header that cannot be sent", { cause: error });
  }
}

function reasonOf({ stage, error, code, line }: Failed): string {
  const what = `${error ?? "Error"}${line === undefined ? "" : `, line ${line}`}`;
  if (stage === "export") return "the module has no function as its default export";
  if (stage === "answer") return `the module's answer cannot be written as JSON (${what})`;
  if (stage === "run") return `the module threw (${what})`;
  return LOADING.get(code ?? "") ?? `the module cannot be loaded (${what})`;
}

/** For what ends the thread from below: an error that nobody caught, or its limit of memory. */
function reasonOfDeath(error: unknown): string {
  if (errorCode(error) === "ERR_WORKER_OUT_OF_MEMORY") return `the module used more than ${MEMORY} MiB of memory`;
  return "the module threw where nothing could catch it";
}
