// Compares Vitrine's MCP endpoint with servers built as their libraries' documentation shows, with the same tools and facts,
// and with a bare route that only reads and parses the message. In both protocol eras, where a server supports both.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { USUAL_PLANS } from "./catalogue.ts";
import { askOnce, post, request, textOf, type Received } from "./connection.ts";
import { startLoad, type Load } from "./load.ts";
import { startNodeServer, startVitrine, type BenchServer, type NodeServer } from "./server-process.ts";
import { perCpu, ratios, takeTurns, type Contender, type Sample, type Task, type Turns } from "./slices.ts";
import { median, print, printTable, spread } from "./statistics.ts";

const TURNS: Turns = { rounds: 12, slice: 70, warmUp: 1_500, connections: 16 };

/** The methods with their parameters. */
const METHODS = { "tools/list": undefined, "tools/call": { name: "get_pricing", arguments: {} } };
const ERAS = ["2025-06-18", "2026-07-28"] as const;
const BARE = "h3, reads and parses";
/** Number of messages for the measurement of the heap. */
const HEAP_MESSAGES = 100_000;
/** The `_meta` of every message in the newer era. */
const CLIENT = {
  "io.modelcontextprotocol/protocolVersion": ERAS[1],
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const TEXTS = ["product://overview", "product://faq"];

/** `plans`: a store with plans in it. `scratch`: a directory. */
export async function compareMcp(plans: string, scratch: string): Promise<void> {
  const load = startLoad();
  const servers: NodeServer[] = [];
  try {
    for await (const server of startAll(plans, scratch)) servers.push(server);
    const contenders = await Promise.all(servers.map(prepare));
    await takeTurns(load, contenders, TURNS);
    for (const task of tasks().keys()) report(contenders, task);
    if (servers[0]) await measureHeap(load, servers[0]);
  } finally {
    load.stop();
    for (const server of servers) server.stop();
  }
}

/** Prints the size of Vitrine's heap after many messages. */
async function measureHeap(load: Load, server: NodeServer): Promise<void> {
  const rows: string[][] = [];
  for (let seen = 0, wanted = 0; wanted <= HEAP_MESSAGES; wanted += HEAP_MESSAGES / 4) {
    for (const task of cycle([...tasks().values()])) {
      if (seen >= wanted) break;
      const slice = { port: server.port, ...task, connections: TURNS.connections, milliseconds: 250 };
      seen += (await load.run(slice)).requests;
    }
    rows.push([String(seen), ((await server.heap()) / 1e6).toFixed(2)]);
  }
  print("\nHeap of Vitrine in use, by number of messages, MB");
  printTable([["messages", "heap"], ...rows]);
}

function* cycle<T>(values: readonly T[]): Generator<T> {
  for (;;) yield* values;
}

/** Starts Vitrine first. The peers get its facts, the bare route its answers. */
async function* startAll(plans: string, scratch: string): AsyncGenerator<NodeServer> {
  const vitrine = await startVitrine(plans);
  yield vitrine;
  const file = join(scratch, "mcp.json");
  const answers: Record<string, string> = {};
  for (const [name, task] of tasks()) {
    const answer = await askOnce(vitrine.port, task.request);
    if (isGood(answer, name)) answers[name] = textOf(answer);
  }
  await writeFile(file, JSON.stringify({ ...(await factsOf(vitrine.port)), answers }));
  yield startNodeServer("SDK 1, its example", "mcp-sdk-1.mjs", [file]);
  yield startNodeServer("SDK 2, its handler", "mcp-sdk-2.mjs", [file]);
  yield startNodeServer("mcp-lite", "mcp-lite.mjs", [file]);
  yield startNodeServer(BARE, "mcp-h3.mjs", [file]);
}

/** Finds the tasks that a server supports by trying each once. */
async function prepare(server: BenchServer): Promise<Contender> {
  const able = new Map<string, Task>();
  for (const [name, task] of tasks()) {
    if (isGood(await askOnce(server.port, task.request), name)) able.set(name, task);
  }
  return { server, tasks: able, samples: new Map() };
}

/** All tasks by "method revision". */
function tasks(): Map<string, Task> {
  const pairs = ERAS.flatMap((era) =>
    Object.entries(METHODS).map(
      ([method, params]) => [`${method} ${era}`, { request: ask(method, params, era), status: 200 }] as const,
    ),
  );
  return new Map(pairs);
}

/** The request as the official clients write it. */
function ask(method: string, params: { name: string } | undefined, era: (typeof ERAS)[number]): string {
  const isOlder = era === ERAS[0];
  const given = isOlder ? params : { ...params, _meta: CLIENT };
  const headers = {
    "MCP-Protocol-Version": era,
    ...(!isOlder && { "Mcp-Method": method }),
    ...(!isOlder && params && { "Mcp-Name": params.name }),
  };
  return post("/mcp", JSON.stringify({ method, params: given, jsonrpc: "2.0", id: 1 }), headers);
}

/** Whether the answer has the tools or facts of Vitrine. */
function isGood(answer: Received, task: string): boolean {
  if (answer.status !== 200) return false;
  const { result } = messageIn(answer);
  if (task.endsWith(ERAS[1]) && result?.resultType !== "complete") return false;
  return task.startsWith("tools/list")
    ? result?.tools?.length === 2
    : result?.structuredContent?.plans?.length === USUAL_PLANS;
}

interface McpResult {
  result?: { resultType?: string; tools?: unknown[]; structuredContent?: { plans?: unknown[] } };
}

/** The message in an answer; some servers send it as an event. */
function messageIn(answer: Received): McpResult {
  const text = textOf(answer);
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as McpResult;
}

/** The facts and texts for the peers' tools and resources. */
async function factsOf(port: number): Promise<object> {
  const get = async (target: string) => JSON.parse((await askOnce(port, request(target))).body.toString()) as unknown;
  const read = async (uri: string) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } });
    const answer = JSON.parse(textOf(await askOnce(port, post("/mcp", body)))) as {
      result: { contents: { text: string }[] };
    };
    return [uri, answer.result.contents[0]?.text] as const;
  };
  const texts = Object.fromEntries(await Promise.all(TEXTS.map(read)));
  return { plans: await get("/api/v1/plans"), release: await get("/api/v1/releases/latest"), texts };
}

/** Prints the table of a task. The first peer with an SDK that supports it is the stock server. */
function report(contenders: readonly Contender[], task: string): void {
  const able = contenders.filter(({ tasks }) => tasks.has(task));
  if (able[0] !== contenders[0]) {
    print(`\nMCP ${task}: not supported by Vitrine, omitted`);
    return;
  }
  const samplesOf = (contender?: Contender): Sample[] => contender?.samples.get(task) ?? [];
  const stock = able.find(({ server }) => server.name.startsWith("SDK"));
  const bare = able.find(({ server }) => server.name === BARE);
  print(
    `\nMCP ${task}, ${TURNS.connections} connections, ${TURNS.rounds} slices of ${TURNS.slice} ms each; ratios above 1 are better than ${stock?.server.name} and than the bare route`,
  );
  const rows = able.map((contender) => {
    const own = samplesOf(contender);
    return [
      contender.server.name,
      median(own.map(({ cpu }) => cpu)).toFixed(1),
      spread(ratios(own, samplesOf(stock), perCpu), 2),
      spread(ratios(own, samplesOf(bare), perCpu), 2),
    ];
  });
  printTable([["server", "CPU µs", "× stock SDK [quartiles]", "× bare route [quartiles]"], ...rows]);
}
