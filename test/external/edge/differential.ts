// The same requests to a server and to the handler on every runtime: status, headers and bytes must be equal, except for the
// differences that the table lists.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { appendHistory } from "../../../snapshots/features/history/history.ts";
import type { Snapshot } from "../../../snapshots/snapshot.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { body, json, startUpstream, status } from "../../support/collecting/upstream.ts";
import { MCP_MESSAGES } from "../../support/serving/hostile-requests/mcp-messages.ts";
import { JSON_TYPE, STATELESS, statelessHeaders, statelessMessage } from "../../support/serving/mcp.ts";
import { BADGES, DOWNLOADS, FACTS, PREPARED, SHARED } from "../../support/serving/prepared-targets.ts";
import { allSnapshots, ask, startServer, type Reply } from "../../support/serving/server.ts";
import { factsIn, NOW } from "../../support/snapshot.ts";
import { freePort } from "../../support/port.ts";
import { DIFFERENCES, HEADERS_OF_THE_PLATFORM, type Difference } from "./differences.ts";
import type { Running, RuntimeName } from "./runtimes.ts";

interface Asked {
  method: string;
  target: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

const RELEASE = "/api/v1/releases/latest";
const LONG = `/api/v1/plans?${"x".repeat(2_048 - "/api/v1/plans?".length)}`;
const RELEASES = [
  "?platform=linux",
  "?platform=",
  "?platform",
  "?platform=macos&platform=windows",
  "?Platform=macos&x=%00",
]
  .concat("?platform=mac%6Fs")
  .map((query) => RELEASE + query);
const OTHERS =
  "/healthz /readyz /startupz /status /nothing /api/v1/nothing /api/v1/ // /mcp /mcp/ /metrics /%61pi/v1/plans /api/v1/plans/ " +
  "/api/v1/plans?x=1 /a/../api/v1/plans /changes.json?platform=macos /changes.json?limit=1 /changes.json?x /download/linux " +
  "/download/windows?x=1 /%zz /%00 /%ff /%E2%82%AC /api%2Fv1%2Fplans /;/?; /nowhere?<b> /snapshots/ " +
  "/snapshots/..%2fplans.json.prev";
const TARGETS = [...PREPARED, ...DOWNLOADS, ...SHARED, ...OTHERS.split(" "), ...RELEASES, LONG, `${LONG}x`];
const HTML = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const METHODS = ["HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH"];

const rpc = (method: string, params?: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
const CALL = rpc("tools/call", { name: "get_pricing" });
const LIST = rpc("tools/list");
const GREETING = { capabilities: {}, clientInfo: { name: "check", version: "1" } };
const MCP_TYPES = { ...JSON_TYPE, accept: "application/json, text/event-stream" };
const MESSAGES: Asked[] = [
  { body: CALL },
  { body: LIST },
  { body: JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }) },
  { body: "{" },
  { body: "" },
  { body: "[]" },
  { body: "x".repeat(65_537) },
  { body: `[${CALL},${LIST},${CALL}]` },
  { body: `[${Array.from({ length: 20 }, () => LIST).join()}]` },
  ...["2024-11-05", "2025-06-18", "2025-11-25", STATELESS, "soon"].map((protocolVersion) => ({
    body: rpc("initialize", { ...GREETING, protocolVersion }),
  })),
  ...["ping", "resources/list", "prompts/list", "nothing"].map((method) => ({ body: rpc(method) })),
  ...["product://overview", "product://faq", "product://nothing"].map((uri) => ({
    body: rpc("resources/read", { uri }),
  })),
  { body: rpc("tools/call", { name: "get_latest_version", arguments: { platform: "windows" } }) },
  { body: rpc("tools/call", { name: "get_latest_version", arguments: { os: "linux" } }) },
  ...["server/discover", "tools/list"].map((method) => ({
    body: statelessMessage({ method }),
    headers: { ...MCP_TYPES, ...statelessHeaders({ method }) },
  })),
  { body: CALL, headers: { "content-type": "text/plain" } },
  { body: CALL, headers: { ...MCP_TYPES, accept: "text/html" } },
  { body: CALL, headers: { ...MCP_TYPES, origin: "https://elsewhere.example" } },
  { body: CALL, headers: { ...MCP_TYPES, origin: "https://www.facts.example" } },
  { body: CALL, headers: { ...MCP_TYPES, "mcp-protocol-version": "1999-01-01" } },
  ...MCP_MESSAGES.map(([, , request]) => ({
    body: Buffer.from(request.slice(request.indexOf("\r\n\r\n") + 4), "latin1"),
  })),
].map(({ body, headers = MCP_TYPES }: { body: string | Uint8Array; headers?: Record<string, string> }) => ({
  method: "POST",
  target: "/mcp",
  headers,
  body,
}));

/** For a target with these headers of its plain answer. */
function requestsFor(target: string, { etag = "", "last-modified": date = "" }: Reply["headers"]): Asked[] {
  const reads: Record<string, string>[] = [
    ...["text/markdown", HTML, "application/json", "text/html;q=0"].map((accept) => ({ accept })),
    ...[etag, `W/${etag}`, `"other", ${etag.replace(/"$/, '-br"')}`, "*", '"other"'].map((tag) => ({
      "if-none-match": tag,
    })),
    ...[date, "Thu, 01 Jan 1970 00:00:00 GMT", "yesterday"].map((time) => ({ "if-modified-since": time })),
    { "if-none-match": '"other"', "if-modified-since": date },
    { range: "bytes=0-3" },
    { origin: "https://elsewhere.example" },
    { cookie: "a=b", authorization: "Bearer x" },
  ];
  const preflight = {
    origin: "https://a.example",
    "access-control-request-method": "GET",
    "access-control-request-headers": "x-a",
  };
  return [
    { method: "GET", target },
    ...reads.map((headers) => ({ method: "GET", target, headers })),
    ...METHODS.map((method) => ({ method, target })),
    { method: "OPTIONS", target, headers: preflight },
    ...["HEAD", "POST"].map((method) => ({ method, target, headers: { accept: HTML } })),
    { method: "HEAD", target, headers: { "if-none-match": etag } },
  ];
}

const ended = { freshUntil: new Date(NOW).toISOString() };
const IN_ALL_STATES = [...FACTS, ...DOWNLOADS, ...SHARED, ...BADGES, "/", "/status", "/readyz", "/startupz"];
const STATES: Readonly<Record<string, { snapshots: Snapshot[]; targets: readonly string[] }>> = {
  fresh: { snapshots: allSnapshots(), targets: TARGETS },
  stale: { snapshots: allSnapshots().map((snapshot) => ({ ...snapshot, ...ended })), targets: IN_ALL_STATES },
  missing: { snapshots: [], targets: IN_ALL_STATES },
};
/** For a runtime to read the whole history, on a busy machine. */
const READ_MS = 20_000;

export interface Comparison {
  /** To the server, and to each runtime. */
  requests: number;
  /** One line for each difference that the table does not list, and for each of the table that was not seen. */
  unlisted: string[];
}

export async function compare(
  runtimes: readonly Running[],
  onFinished: (cleanUp: () => Promise<void>) => void,
): Promise<Comparison> {
  const unlisted: string[] = [];
  const seen = new Set<Difference>();
  let count = 0;
  for (const [state, { snapshots, targets }] of Object.entries(STATES)) {
    const { server, headers } = await startBoth(snapshots, onFinished);
    await Promise.all(runtimes.map(({ port }) => untilRead(server, port, headers)));
    const requests = [...MESSAGES];
    for (const target of targets) requests.push(...requestsFor(target, (await ask(server, target)).headers));
    for (const { method, target, ...rest } of requests) {
      count += 1;
      const ours = ask(server, target, { method, ...rest });
      const answers = runtimes.map(async ({ name, port }) => {
        const theirs = ask(port, target, { method, ...rest, headers: { ...rest.headers, ...headers } });
        for (const [part, difference] of differencesOf(await ours, await theirs)) {
          const listed = DIFFERENCES.find((entry) => allows(entry, { name, target, part }));
          if (listed) seen.add(listed);
          else unlisted.push(`${name}, ${state}: ${method} ${short(target)} ${short(rest)}: ${part} ${difference}`);
        }
      });
      await Promise.all(answers);
    }
  }
  for (const entry of DIFFERENCES) if (!seen.has(entry)) unlisted.push(`listed, but not seen: ${entry.says}`);
  return { requests: count, unlisted };
}

/** Starts a server, and offers its store to the runtimes, which the headers tell. */
async function startBoth(snapshots: readonly Snapshot[], onFinished: (cleanUp: () => Promise<void>) => void) {
  const api = {
    baseUrl: "https://facts.example",
    contact: "hello@facts.example",
    origins: ["https://www.facts.example"],
  };
  const port = await freePort();
  const { directory } = await startServer({
    port,
    snapshots,
    api,
    share: true,
    prepare: async (directory) => {
      for (const snapshot of snapshots) await appendHistory(factsIn(openStore(directory)), snapshot);
    },
    onFinished,
  });
  const store = openStore(directory);
  const door = await startUpstream({ onFinished });
  const keys = ["plans", "release-macos", "release-windows"].map((name) => `${name}.json`);
  const entries = snapshots.length > 0 ? await store.list("history") : [];
  door.set("/", json(entries));
  for (const key of [...keys, ...entries]) {
    const value = await store.get(key);
    door.set(`/${key}`, typeof value === "object" ? body(value.bytes) : status(404));
  }
  const headers = { "x-vitrine-store": door.url("/"), "x-vitrine-pace": "1000000", "x-vitrine-now": String(NOW) };
  return { server: port, headers };
}

/** Until a runtime has the history, for which its first requests do not wait. */
async function untilRead(server: number, runtime: number, headers: Record<string, string>): Promise<void> {
  const latest = performance.now() + READ_MS;
  const target = "/changes.json";
  const { text } = await ask(server, target);
  while ((await ask(runtime, target, { headers })).text !== text && performance.now() < latest) await sleep(20);
}

function allows({ on, targets, parts }: Difference, { name, target, part }: Seen): boolean {
  return on.includes(name) && targets.includes(target) && (parts?.includes(part) ?? true);
}

interface Seen {
  name: RuntimeName;
  target: string;
  part: string;
}

function short(value: unknown): string {
  return JSON.stringify(value).slice(0, 120);
}

/** Each differing part, with both of its values. */
function differencesOf(ours: Reply, theirs: Reply): [part: string, values: string][] {
  const parts = (reply: Reply): Record<string, unknown> => ({
    status: reply.status,
    body: summary(reply),
    ...reply.headers,
  });
  const [our, their] = [parts(ours), parts(theirs)];
  const names = [...new Set([...Object.keys(our), ...Object.keys(their)])].filter(
    (name) => !HEADERS_OF_THE_PLATFORM.includes(name),
  );
  return names
    .filter((name) => String(our[name]) !== String(their[name]))
    .map((name) => [name, `${String(our[name] ?? "–")}, ${String(their[name] ?? "–")}`]);
}

function summary({ bytes }: Reply): string {
  return `${bytes.byteLength} bytes ${createHash("sha256").update(bytes).digest("hex").slice(0, 8)}`;
}
