// The server program, put together: mirror, app and socket. Makes no outgoing calls; the store is all it reads.
import type { RequestListener } from "node:http";
import type { Store } from "../snapshots/store.ts";
import type { ApiSettings, MetricsSettings } from "./settings.ts";
import type { ExpressAnswers } from "./http/express-lane/express-lane.ts";
import { frontDoor } from "./http/request-listener.ts";
import { guarded } from "./http/request-check.ts";
import { lazy } from "./lazy.ts";
import { listen, type Answering, type Listening, type Place } from "./http/listen.ts";
import { answerMcpAtOnce, type McpEdge } from "./mcp/http.ts";
import { Mirror, type Clock } from "./mirror/mirror.ts";
import { originPolicy } from "./mcp/origin.ts";
import { readLogo } from "./page/logo.ts";
import { readResources } from "./mcp/resources.ts";
import { Table } from "./answers/table.ts";
import { Vigil, type Told } from "./mirror/freshness-monitor.ts";

export interface ServerOptions {
  api: ApiSettings;
  host: string;
  port: number;
  /** Whether plain reads and messages may be answered before node:http. */
  expressLane: boolean;
  /** Where metrics are told, if anywhere. */
  metrics?: MetricsSettings;
  /** A listening socket that a supervisor handed over; it is used instead of host and port. */
  descriptor?: number | undefined;
  /** Of the program, for metrics. */
  version?: string;
  store: Store;
  clock: Clock;
  /** Gets one line for each thing an operator should know. */
  warn: (message: string) => void;
  /** Told when a snapshot begins to age, goes stale or is fresh again. */
  onCondition?: Told;
}

export interface RunningServer {
  /** Public base URL, without a slash at its end. */
  base: string;
  /** Where metrics are told, if they are. */
  metrics: string | undefined;
  /** Takes over at once what is new in the store, which otherwise happens a moment later. */
  refresh(): Promise<void>;
  /** Finishes the requests under way; resolves when the last socket is closed. */
  stop(): Promise<void>;
}

/** From the first answers until what stands around the facts is made, milliseconds. With metrics, which count by route, it
 * is made before anything is answered. */
const PAUSE = 100;

/** Listens, and answers from whatever the store holds now and later.
 * @throws Error when an address cannot be listened on or a text of the settings cannot be read. */
export async function startServer({
  api,
  host,
  port,
  expressLane,
  metrics = "off",
  descriptor,
  version = "unknown",
  store,
  clock,
  warn,
  onCondition = () => {},
}: ServerOptions): Promise<RunningServer> {
  const resources = readResources(api);
  const logo = readLogo(api.logo);
  const mirror = new Mirror(store, clock, warn);
  const { observe } = metrics === "off" ? {} : await import("./metrics/setup.ts");
  const place = descriptor === undefined ? { host, port } : { descriptor };
  const [listening] = await Promise.all([listenAt(place), mirror.start()]);
  // An address of their own is had before anything is answered, or nothing is.
  const aside = typeof metrics === "object" ? await listenAt(metrics, "metrics ").catch(giveUp(listening)) : undefined;
  const base = api.baseUrl ?? urlOf(host, listening.port);
  const onBug = (bug: unknown) => warn(`a bug: ${bug instanceof Error ? (bug.stack ?? bug.message) : String(bug)}`);
  // The SDK takes longer to load than all the rest, and 18 MB: it waits for the first message.
  const answers = lazy(async () => {
    const { createMcpAnswers } = await import("./mcp/answers.ts");
    const answers = await createMcpAnswers(mirror, resources(base), { name: api.name, onBug });
    return observation ? observation.traffic.watchCalls(answers) : answers;
  });
  const mcp: McpEdge = { answers, isAllowed: originPolicy(api.origins, base), onBug };
  const table = new Table(mirror, clock, onBug);
  table.start();
  const vigil = new Vigil(mirror, onCondition);
  vigil.start();
  const surroundings = lazy(async () => {
    const { surround } = await import("./deferred.ts");
    return surround({ api, base, logo, store, mirror, table, mcp, onBug });
  });
  const app = async () => (await surroundings.get()).app.get();
  const throughApp: RequestListener = async (request, response) => (await app()).listener(request, response);
  const express: ExpressAnswers = {
    read: (target, wishes) => table.answer(target, wishes),
    message: (headers, body) => answerMcpAtOnce(mcp, { get: (name) => headers[name] ?? null }, body),
  };
  const plain: Answering = {
    listener: guarded(frontDoor(table, mcp, throughApp), onBug),
    express: expressLane ? express : undefined,
  };
  const observation = observe?.({
    vitals: (await surroundings.get()).vitals,
    paths: (await app()).paths,
    version,
    onBug,
  });
  listening.serve(observation?.around(plain, { withPath: !aside }) ?? plain);
  if (observation) aside?.serve(observation);
  const soon = setTimeout(() => void surroundings.get().catch(onBug), PAUSE).unref();
  return {
    base,
    metrics: observation && `${typeof metrics === "object" && aside ? urlOf(metrics.host, aside.port) : base}/metrics`,
    async refresh() {
      await mirror.refresh();
      await (await surroundings.get()).refresh();
      vigil.look();
    },
    async stop() {
      clearTimeout(soon);
      await Promise.all([listening.stop(), aside?.stop()]);
      vigil.stop();
      mirror.stop();
      // Not waited for: a store that hangs keeps nobody.
      void surroundings.asked()?.then(
        (made) => made.stop(),
        () => {},
      );
    },
  };
}

/** `what`: is to be served there, for the message. @throws Error that says where and why not. */
async function listenAt(place: Place, what = ""): Promise<Listening> {
  try {
    return await listen(place);
  } catch (cause) {
    const where =
      "descriptor" in place ? `the inherited descriptor ${place.descriptor}` : `${place.host}:${place.port}`;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`cannot serve ${what}on ${where}: ${why}`, { cause });
  }
}

/** Lets go of what is listened on already, and fails all the same. */
function giveUp(listening: Listening): (failure: unknown) => Promise<never> {
  return async (failure) => {
    await listening.stop();
    throw failure;
  };
}

function urlOf(host: string, port: number): string {
  const isLocal = ["127.0.0.1", "0.0.0.0", "::", "::1"].includes(host);
  return `http://${isLocal ? "localhost" : host.includes(":") ? `[${host}]` : host}:${port}`;
}
