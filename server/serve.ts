// The server program, put together: mirror, app and socket. Makes no outgoing calls; the store is all it reads.
import type { RequestListener } from "node:http";
import type { Store } from "../snapshots/store.ts";
import { Changes } from "./changes.ts";
import { LastCollections } from "./collections.ts";
import type { ApiSettings } from "./config.ts";
import { documents } from "./documents.ts";
import type { ExpressAnswers } from "./express-lane.ts";
import { frontDoor } from "./front-door.ts";
import { guarded } from "./guard.ts";
import { Holdings } from "./holdings.ts";
import { lazy } from "./lazy.ts";
import { listen } from "./listen.ts";
import { answerMcpAtOnce, type McpEdge } from "./mcp-edge.ts";
import { Mirror, type Clock } from "./mirror.ts";
import { originPolicy } from "./origin.ts";
import { pageOf } from "./page.ts";
import { readLogo } from "./page/logo.ts";
import { readResources } from "./resources.ts";
import { Table } from "./table.ts";

export interface ServerOptions {
  api: ApiSettings;
  host: string;
  port: number;
  /** Whether plain reads may be answered before node:http. */
  expressLane: boolean;
  /** A listening socket that a supervisor handed over; it is used instead of host and port. */
  descriptor?: number | undefined;
  store: Store;
  clock: Clock;
  /** Gets one line for each thing an operator should know. */
  warn: (message: string) => void;
}

export interface RunningServer {
  /** Public base URL, without a slash at its end. */
  base: string;
  /** Takes over at once what is new in the store, which otherwise happens a moment later. */
  refresh(): Promise<void>;
  /** Finishes the requests under way; resolves when the last socket is closed. */
  stop(): Promise<void>;
}

/** Listens, and answers from whatever the store holds now and later.
 * @throws Error when the address cannot be listened on or a text of the settings cannot be read. */
export async function startServer({
  api,
  host,
  port,
  expressLane,
  descriptor,
  store,
  clock,
  warn,
}: ServerOptions): Promise<RunningServer> {
  const resources = readResources(api);
  const mirror = new Mirror(store, clock, warn);
  const holdings = new Holdings(store);
  const changes = new Changes(store);
  const collections = new LastCollections(store);
  const logo = readLogo(api.logo);
  await Promise.all([mirror.start(), holdings.start(), changes.start(), collections.start()]);
  const listening = await listen(descriptor === undefined ? { host, port } : { descriptor });
  const base = api.baseUrl ?? `http://${displayHost(host)}:${listening.port}`;
  const onBug = (bug: unknown) => warn(`a bug: ${bug instanceof Error ? (bug.stack ?? bug.message) : String(bug)}`);
  // The SDK takes longer to load than all the rest, and 18 MB: it waits for the first message.
  const answers = lazy(async () => {
    const { createMcpAnswers } = await import("./mcp-answers.ts");
    return createMcpAnswers(mirror, resources(base), { name: api.name, onBug });
  });
  const mcp: McpEdge = { answers, isAllowed: originPolicy(api.origins, base), onBug };
  const documentsAt = documents(api, base);
  const renderPage = pageOf(api, base, logo);
  const page = () =>
    renderPage({
      look: (name) => mirror.look(name),
      changes: changes.latest(),
      collections: collections.latest(),
    });
  const table = new Table({
    mirror,
    clock,
    documentsAt: (now) => documentsAt(now, changes.latest()),
    page,
    onBug,
  });
  table.start();
  changes.onChange(() => table.renew());
  collections.onChange(() => table.renew());
  // Plain reads need no h3; it makes Node load its fetch, too, and waits for the first request that is neither.
  const app = lazy(async () => {
    const [{ createApp }, { toNodeHandler }] = await Promise.all([import("./app.ts"), import("h3/node")]);
    return toNodeHandler(createApp({ mirror, holdings, table, mcp, onBug }));
  });
  const throughApp: RequestListener = async (request, response) => (await app.get())(request, response);
  const listener = guarded(frontDoor(table, mcp, throughApp), onBug);
  const express: ExpressAnswers = {
    read: (target, wishes) => table.answer(target, wishes),
    message: (headers, body) => answerMcpAtOnce(mcp, { get: (name) => headers[name] ?? null }, body),
  };
  listening.serve(listener, expressLane ? express : undefined);
  return {
    base,
    async refresh() {
      await Promise.all([mirror.refresh(), holdings.refresh()]);
      await Promise.all([changes.refresh(), collections.refresh()]);
    },
    async stop() {
      await listening.stop();
      changes.stop();
      collections.stop();
      mirror.stop();
      holdings.stop();
    },
  };
}

function displayHost(host: string): string {
  if (["127.0.0.1", "0.0.0.0", "::", "::1"].includes(host)) return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
