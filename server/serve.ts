// The server program: mirror, responder and sockets. Makes no outgoing requests; it reads only the store.
import type { RequestListener } from "node:http";
import type { Facts } from "../snapshots/facts.ts";
import type { Store } from "../snapshots/store.ts";
import { bugReporter } from "./answers/answer.ts";
import { Table } from "./answers/table.ts";
import { NO_FILES, type ApiSettings } from "./api-settings.ts";
import { listen, PortInUse, type ListenAddress, type ListeningSocket, type SocketHandlers } from "./door/listen.ts";
import { withRequestCheck } from "./door/request-check.ts";
import { requestListener } from "./door/request-listener.ts";
import { monitorFreshness, type ConditionChange } from "./mirror/freshness-monitor.ts";
import { Mirror } from "./mirror/mirror.ts";
import type { Posting, Responder } from "./door/responder.ts";
import { ADDRESSES, EARLY, FACT_LINKS, REMARKS } from "./early.ts";
import type { MetricsSettings } from "./settings.ts";

export interface ServerOptions {
  api: ApiSettings;
  host: string;
  port: number;
  /** Whether plain reads and messages are answered before node:http. */
  expressLane: boolean;
  metrics?: MetricsSettings;
  share?: boolean;
  /** A listening socket passed on by a supervisor, used instead of host and port. */
  descriptor?: number | undefined;
  version?: string;
  facts: Facts;
  lastCopy?: Store | undefined;
  /** Called with one line for each thing that an operator should know. */
  warn: (message: string) => void;
  /** Called when a snapshot begins to age, becomes stale or is fresh again. */
  onCondition?: (change: ConditionChange) => void;
}

export interface RunningServer extends Pick<ListeningSocket, "place" | "stop">, Pick<Mirror, "lastPayload"> {
  base: string;
  /** Of features, in lines for the operator. */
  addresses: readonly string[];
  /** The URL of the metrics, if they are on. */
  metrics: string | undefined;
  /** Resolves with the reason when a part of the server cannot be loaded: only a new process can answer everything. */
  failed: Promise<Error>;
  /** What the operator should know of the facts, a line each. */
  remarks(): string[];
  /** Reads the store now instead of within seconds. */
  refresh(): Promise<void>;
}

/** How long after the start everything else is loaded, so that the first facts are answered before it. Not at the first
 * request for it: by then an update may have replaced the files, or a store that hangs may hold all threads. With
 * metrics, which count by route, it is loaded before the server answers anything. */
const DEFERRED_START_MS = 100;

/** Listens, and answers from the store, which it follows.
 * @throws Error when an address is not available or a file named by the settings cannot be read. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { api, share, metrics = "off", version = "unknown", facts, warn, onCondition = () => {} } = options;
  const reportBug = bugReporter(warn);
  const files = EARLY.readApiFiles?.(api) ?? NO_FILES;

  const lastCopy = options.lastCopy && EARLY.openLastCopy?.(options.lastCopy, warn);
  const mirror = new Mirror(facts, { warn, share, lastCopy });
  // First, because without them the store is closed while the mirror reads.
  const sockets = await openSockets(options);
  await mirror.start();
  const base = api.baseUrl ?? urlOf(options.host, sockets.main.port);
  const table = new Table(mirror, facts.clock, { base, links: FACT_LINKS, worksInBackground: true });
  const monitor = monitorFreshness(mirror, onCondition);

  let fail: (reason: Error) => void = () => {};
  const failed = new Promise<Error>((resolve) => (fail = resolve));
  const onLoadFailure = (cause: unknown) =>
    fail(new Error(`a part of the server cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`));
  let posting: Posting | undefined;
  const load = async () => {
    try {
      const { buildDeferred } = await import("./deferred.ts");
      const isObserved = metrics !== "off";
      const given = { ...options, ...files, base, mirror, table, isObserved, reportBug, onLoadFailure };
      const built = await buildDeferred(given);
      posting = built.posting;
      return built;
    } catch (failure) {
      onLoadFailure(failure);
      throw failure;
    }
  };
  let loading: ReturnType<typeof load> | undefined;
  // Once, even if it fails: Node 20 remembers a failed import, even one that failed only for lack of a file descriptor.
  const rest = () => (loading ??= load());
  const responder: Responder = {
    read: (target, headers) => table.answer(target, headers),
    get posting() {
      return posting;
    },
  };
  const app: RequestListener = async (request, response) => (await rest()).listener(request, response);
  const lane = options.expressLane ? EARLY.openExpressLane : undefined;
  const handlers: SocketHandlers = {
    listener: withRequestCheck(requestListener(responder, app), reportBug),
    lane: lane && { open: lane, responder },
  };
  const observed =
    metrics === "off" ? handlers : (await rest()).observe(handlers, { version, socket: sockets.metrics, reportBug });
  sockets.main.serve(observed);
  const deferredStart = setTimeout(() => void rest().catch(() => {}), DEFERRED_START_MS).unref();

  return {
    base,
    addresses: ADDRESSES.flatMap((address) => address(api, base)),
    place: sockets.main.place,
    metrics: metricsUrl(metrics, sockets.metrics?.port, base),
    failed,
    remarks: () => REMARKS.flatMap((remark) => remark(mirror, base) ?? []),
    async refresh() {
      await mirror.refresh();
      await (await rest()).refresh();
      monitor.check();
    },
    lastPayload: (name) => mirror.lastPayload(name),
    async stop() {
      clearTimeout(deferredStart);
      await Promise.all([sockets.main.stop(), sockets.metrics?.stop()]);
      monitor.stop();
      mirror.stop();
      // It is not awaited: a store that hangs must not keep the server from stopping.
      void loading?.then(
        ({ stop }) => stop(),
        () => {},
      );
    },
  };
}

/** Opens the server's socket, and one for the metrics if they have an address of their own: both or none. */
async function openSockets(options: ServerOptions): Promise<{ main: ListeningSocket; metrics?: ListeningSocket }> {
  const { host, port, descriptor, metrics } = options;
  const main = await listenAt(descriptor === undefined ? { host, port } : { descriptor });
  if (typeof metrics !== "object") return { main };
  try {
    return { main, metrics: await listenAt(metrics, "metrics ") };
  } catch (failure) {
    await main.stop();
    throw failure;
  }
}

/** `purpose`: for the message. @throws Error with the address and the reason. */
async function listenAt(address: ListenAddress, purpose = ""): Promise<ListeningSocket> {
  try {
    return await listen(address);
  } catch (cause) {
    const where =
      "descriptor" in address ? `the inherited descriptor ${address.descriptor}` : `${address.host}:${address.port}`;
    const why = cause instanceof Error ? cause.message : String(cause);
    const kind = cause instanceof PortInUse && purpose === "" ? PortInUse : Error;
    throw new kind(`cannot serve ${purpose}on ${where}: ${why}`, { cause });
  }
}

/** `port`: of the metrics' own address, if they have one. */
function metricsUrl(metrics: MetricsSettings, port: number | undefined, base: string): string | undefined {
  if (metrics === "off") return undefined;
  return `${typeof metrics === "object" && port !== undefined ? urlOf(metrics.host, port) : base}/metrics`;
}

function urlOf(host: string, port: number): string {
  const isLocal = ["127.0.0.1", "0.0.0.0", "::", "::1"].includes(host);
  return `http://${isLocal ? "localhost" : host.includes(":") ? `[${host}]` : host}:${port}`;
}
