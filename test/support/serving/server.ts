// A real server on a free port, with a real store in a temporary directory and a clock under the test's control.
import { request, type Agent, type IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { serverSettings, type MetricsSettings } from "../../../server/settings.ts";
import { startServer as start } from "../../../server/serve.ts";
import type { Platform } from "../../../snapshots/schema.ts";
import { openFacts, publish, readSnapshot, type Trust } from "../../../snapshots/facts.ts";
import { type Snapshot } from "../../../snapshots/snapshot.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import type { Reader, Store } from "../../../snapshots/store.ts";
import { temporaryDirectory } from "../directory.ts";
import { factsIn, NOW, plansSnapshot, releaseSnapshot, resealed, type SnapshotOptions } from "../snapshot.ts";

// It is loaded late, and a test that ends meanwhile would take it from all that come after it in the same process.
await import("../../../server/deferred.ts");

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
  /** The body, parsed. @throws SyntaxError */
  json: () => unknown;
}

interface TestServerOptions {
  /** Published before the server starts; by default one snapshot of each name. */
  snapshots?: readonly Snapshot[];
  /** Called with the store's directory before the server starts. */
  prepare?: (directory: string) => unknown;
  api?: Record<string, unknown>;
  port?: number;
  expressLane?: boolean;
  metrics?: MetricsSettings;
  share?: boolean;
  /** By default a new directory of its own. */
  store?: Reader;
  product?: string | undefined;
  trust?: Trust | undefined;
  lastCopy?: Store;
  /** In ms since the epoch. */
  now?: number;
  /** Registers clean-up for the end of the test; `afterAll` for a server that many tests share. */
  onFinished?: (cleanUp: () => Promise<void>) => void;
}

export type TestServer = Awaited<ReturnType<typeof startServer>>;

/** Starts Vitrine's server, and stops it after the test. */
export async function startServer({
  snapshots = allSnapshots(),
  prepare,
  api,
  port: wantedPort = 0,
  expressLane = true,
  metrics = "off",
  share = false,
  store: followed,
  product,
  trust,
  lastCopy,
  now = NOW,
  onFinished = onTestFinished,
}: TestServerOptions = {}) {
  const directory = await temporaryDirectory(onFinished);
  const store = openStore(directory);
  for (const snapshot of snapshots) await publishOver(store, snapshot);
  await prepare?.(directory);
  const clock = new TestClock();
  clock.set(now);
  const warnings: string[] = [];
  const conditions: string[] = [];
  const server = await start({
    api: serverSettings.api.parse(api ?? {}),
    host: "127.0.0.1",
    port: wantedPort,
    expressLane,
    metrics,
    share,
    version: "1.2.3",
    facts: openFacts(followed ?? store, { product, trust, clock }),
    lastCopy,
    warn: (message) => void warnings.push(message),
    onCondition: ({ name, condition }) => void conditions.push(`${name} ${condition}`),
  });
  onFinished(() => server.stop());
  const port = wantedPort || Number(new URL(server.base).port);
  return {
    ...server,
    port,
    directory,
    clock,
    warnings,
    conditions,
    metricsAddress: server.metrics,
    get: (path: string, headers: Record<string, string> = {}) => ask(port, path, { headers }),
    publish: (snapshot: Snapshot) => publishOver(store, snapshot),
  };
}

/** A clock that shows NOW until the test moves it. */
export class TestClock {
  #wall = NOW;
  #steady = 0;
  wall = () => this.#wall;
  steady = () => this.#steady;

  /** Time passes. */
  pass(milliseconds: number): void {
    this.#wall += milliseconds;
    this.#steady += milliseconds;
  }

  /** Sets the wall clock, as an operator does; no time passes. */
  set(milliseconds: number): void {
    this.#wall = milliseconds;
  }
}

/** One snapshot of each name. */
export function allSnapshots(wanted: SnapshotOptions = {}): Snapshot[] {
  return [plansSnapshot(wanted), releaseSnapshot("macos", wanted), releaseSnapshot("windows", wanted)];
}

/** A snapshot without a release for the platform. */
export function noRelease(platform: Platform): Snapshot {
  return resealed(releaseSnapshot(platform), { hasUpdate: false });
}

/** Publishes over the stored snapshot, if any, however old. */
export async function publishOver(store: Store, snapshot: Snapshot): Promise<void> {
  const last = await readSnapshot(factsIn(store, { now: Infinity }), snapshot.name);
  await publish(store, snapshot, last);
}

interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  agent?: Agent | false;
}

/** Sends one request, on a new connection unless an agent keeps some. */
export function ask(
  port: number,
  path: string,
  { method = "GET", headers = {}, body, agent = false }: RequestOptions = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", port, path, method, headers, agent }, async (incoming) => {
      try {
        const bytes = Buffer.concat(await incoming.toArray());
        const text = bytes.toString();
        const { statusCode: status = 0, headers } = incoming;
        resolve({ status, headers, bytes, text, json: () => JSON.parse(text) });
      } catch (error) {
        reject(error);
      }
    });
    outgoing.on("error", reject).end(body);
  });
}

/** Whether an answer is 200. */
export const isOk = (reply: { status: number } | undefined): boolean => reply?.status === 200;

/** Polls until the condition holds. Limited by the test's own timeout. */
export async function pollUntil<T>(look: () => Promise<T>, isSo: (seen: T) => boolean): Promise<T> {
  for (;;) {
    const seen = await look();
    if (isSo(seen)) return seen;
    await sleep(20);
  }
}
