// The handler of the edge on Node.js: when it reads the store, and what it answers while the store is away. That every platform
// answers as the server does is checked in test/external/edge.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { encodeSnapshot } from "../../../snapshots/snapshot.ts";
import { cardOf } from "../../../server/features/mcp/sdk-server.ts";
import { createHandler } from "../../../server/features/edge/handler.ts";
import type { HandlerOptions, PlatformStore } from "../../../server/features/edge/interface.ts";
import { body, startUpstream } from "../../support/collecting/upstream.ts";
import { isIn } from "../../support/program/feature.ts";
import { isServed } from "../../support/serving/prepared-targets.ts";
import { plansSnapshot } from "../../support/snapshot.ts";
import { allSnapshots, startServer, TestClock } from "../../support/serving/server.ts";

const BASE = "https://facts.example";
const PLANS = "/api/v1/plans";
const PACE_MS = 1_000;
const DAY_MS = 24 * 60 * 60_000;

interface Platform {
  directory: string;
  /** The keys that were asked for. */
  reads: string[];
  /** Answers in place of the file of the plans. */
  instead?: (() => Promise<Uint8Array>) | undefined;
}

/** A handler over the files of a real server. */
async function startEdge(options: Partial<HandlerOptions> = {}) {
  const server = await startServer();
  const clock = new TestClock();
  const platform: Platform = { directory: server.directory, reads: [] };
  const warnings: string[] = [];
  const get = async (key: string) => {
    platform.reads.push(key);
    if (platform.instead && key === "plans.json") return platform.instead();
    return readFile(join(server.directory, key)).catch(() => undefined);
  };
  const warn = (message: string) => void warnings.push(message);
  const handler = createHandler({ store: { get, pace: PACE_MS }, base: BASE, warn, ...options }, clock);
  const ask = (path: string, context = {}, init: RequestInit = {}) => handler(new Request(BASE + path, init), context);
  const publish = (revision: number) => server.publish(plansSnapshot({ revision }));
  return { server, publish, clock, warnings, platform, ask };
}

const REFUSED = () => Promise.reject(new Error("secret words of the platform"));
const THROWS = () => {
  throw new Error("secret words of the platform");
};
const NONE = () => Promise.resolve(null);
const SILENT = () => new Promise<never>(() => {});

describe("the store is read (server/features/edge/handler.ts)", () => {
  test("by the first request, and not again before the pace is over", async () => {
    const { publish, clock, platform, ask } = await startEdge();
    expect(platform.reads).toEqual([]);
    const first = await (await ask(PLANS)).text();
    await publish(2);
    clock.pass(PACE_MS - 1);
    expect(await (await ask(PLANS)).text()).toBe(first);
    clock.pass(1);
    expect(await (await ask(PLANS)).text()).not.toBe(first);
  });

  test("once, for all requests that arrive during the first read", async () => {
    const { platform, ask } = await startEdge();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(PLANS)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(platform.reads.filter((key) => key === "plans.json")).toHaveLength(1);
  });

  test("after the answer if the platform waits for it, unless the copy is older than two paces", async () => {
    const { publish, clock, ask } = await startEdge();
    const work: Promise<unknown>[] = [];
    const context = { waitUntil: (more: Promise<unknown>) => void work.push(more) };
    const first = await (await ask(PLANS, context)).text();
    await publish(2);
    clock.pass(PACE_MS);
    expect(await (await ask(PLANS, context)).text()).toBe(first);
    await Promise.all(work);
    const second = await (await ask(PLANS, context)).text();
    expect(second).not.toBe(first);
    await publish(3);
    clock.pass(2 * PACE_MS);
    expect(await (await ask(PLANS, context)).text()).not.toBe(second);
  });

  test("at once after the clock was set back", async () => {
    const { publish, clock, ask } = await startEdge();
    const first = await (await ask(PLANS)).text();
    await publish(2);
    clock.set(clock.wall() - 60_000);
    expect(await (await ask(PLANS)).text()).not.toBe(first);
  });
});

describe("while the store is away", () => {
  test.for([
    ["refuses", REFUSED],
    ["is silent", SILENT],
  ] as const)("and %s, facts are served until they are stale, then 502", async ([, fault]) => {
    const { clock, platform, warnings, ask } = await startEdge();
    await ask(PLANS);
    platform.instead = fault;
    clock.pass(PACE_MS);
    expect((await ask(PLANS)).status).toBe(200);
    clock.pass(PACE_MS);
    expect((await ask(PLANS)).status).toBe(200);
    clock.pass(DAY_MS);
    expect((await ask(PLANS)).status).toBe(502);
    expect(warnings.join("\n")).not.toContain("secret words");
  });

  test("a first request gets 502, and the next after the pace gets the facts", async () => {
    const { clock, platform, warnings, ask } = await startEdge();
    platform.instead = REFUSED;
    expect((await ask(PLANS)).status).toBe(502);
    platform.instead = undefined;
    expect((await ask(PLANS)).status).toBe(502);
    clock.pass(PACE_MS);
    expect((await ask(PLANS)).status).toBe(200);
    expect(warnings[0]).toContain("the platform's store does not answer: see its log and its binding");
  });
});

test("a store is seen to be back where nothing goes on after an answer", async () => {
  const { publish, clock, platform, ask } = await startEdge();
  let requests = 0;
  const askAlone = async () => {
    requests += 1;
    const answer = await ask(PLANS);
    requests -= 1;
    return answer.text();
  };
  const first = await askAlone();
  platform.instead = REFUSED;
  clock.pass(PACE_MS);
  await askAlone();
  await publish(2);
  const second = await readFile(join(platform.directory, "plans.json"));
  platform.instead = () => sleep(50).then(() => (requests > 0 ? second : REFUSED()));
  clock.pass(PACE_MS);
  expect(await askAlone()).not.toBe(first);
});

test("a first request does not wait for a history that takes long to read, nor does another meanwhile", async () => {
  const { directory } = await startServer();
  const get = (key: string) => readFile(join(directory, key)).catch(() => undefined);
  let isListed = false;
  const list = () => sleep(1_900, []).finally(() => (isListed = true));
  const handler = createHandler({ store: { get, list }, base: BASE }, new TestClock());
  const answers = await Promise.all([PLANS, PLANS].map((path) => handler(new Request(BASE + path))));
  expect(isListed).toBe(false);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test("an old copy that is read late does not replace a newer one", async () => {
  const { publish, clock, platform, ask } = await startEdge();
  const first = await (await ask(PLANS)).text();
  platform.reads = [];
  await publish(2);
  const second = await readFile(join(platform.directory, "plans.json"));
  await publish(3);
  let release: (bytes: Uint8Array) => void = () => {};
  platform.instead = () => new Promise((resolve) => (release = resolve));
  clock.pass(PACE_MS);
  const slow = ask(PLANS);
  await vi.waitUntil(() => platform.reads.length > 0);
  platform.instead = undefined;
  clock.pass(PACE_MS);
  const third = await (await ask(PLANS)).text();
  release(second);
  await slow;
  expect(third).not.toBe(first);
  expect(await (await ask(PLANS)).text()).toBe(third);
});

describe("a web host that compresses snapshots, although asked not to,", () => {
  /** `coding`: other ones than gzip are unknown to the platform. */
  const startHost = async (coding: string) => {
    const upstream = await startUpstream();
    for (const snapshot of allSnapshots()) {
      const compressed = gzipSync(encodeSnapshot(snapshot));
      upstream.set(`/snapshots/${snapshot.name}.json`, body(compressed, { "content-encoding": coding }));
    }
    return upstream.url("/snapshots/");
  };

  test("is read if the platform decompresses them", async () => {
    const { ask, warnings } = await startEdge({ store: await startHost("gzip") });
    expect([(await ask(PLANS)).status, warnings]).toEqual([200, []]);
  });

  test("is named if it does not", async () => {
    const { ask, warnings } = await startEdge({ store: await startHost("own") });
    expect((await ask(PLANS)).status).toBe(502);
    expect(warnings.join("\n")).toContain("compresses its answers (Content-Encoding)");
  });
});

describe("a wrong option is named:", () => {
  test.for([
    [{ base: "facts.example" }, "base: must be an absolute http(s) URL"],
    [{ base: `${BASE}/?x=1` }, "base: must not have a query or fragment"],
    [{ api: { baseUrl: "facts.example" } }, "api.baseUrl: must be an absolute http(s) URL"],
    [{ bse: BASE } as never, 'createHandler: Unrecognized key: "bse"'],
    [{ api: { nmae: "Acme" } as never }, 'api: Unrecognized key: "nmae"'],
    [{ texts: { faq: 5 } as never }, "texts.faq: Invalid input: expected string, received number"],
    [{ logo: "logo.svg" }, "logo: use a data: URI of an SVG or a PNG"],
    [{ warn: "console" as never }, "warn: must be a function"],
    [{ share: "yes" as never }, "share: Invalid input: expected boolean, received string"],
    [{ store: undefined as never }, "store: must be https://host/snapshots/, or an object with get and list"],
    [{ store: {} as never }, "store: must be https://host/snapshots/, or an object with get and list"],
    [{ store: { get: NONE, list: [] as never } }, "store.list: must be a function, or left out"],
    [{ store: { get: NONE, pace: "15" as never } }, "store.pace: must be a number above 0, in ms"],
    [{ store: { get: NONE, pace: 0 } }, "store.pace: must be a number above 0, in ms"],
    [{ store: { get: NONE, pace: Infinity } }, "store.pace: must be a number above 0, in ms"],
    [{ api: { logo: "logo.svg" } as never }, "api.logo: there are no files at the edge; give the contents as `logo`"],
    [{ store: "plans.json" }, "store: must be https://host/snapshots/, or an object with get and list"],
    [{ store: "http://facts.example/snapshots/" }, "store: must look like https://host/snapshots/"],
    [{ store: "https://me:secret@facts.example/?token=secret" }, "store: must look like"],
  ] as const)("%j", async ([options, words]) => {
    const create = () => createHandler({ store: "https://facts.example/snapshots/", base: BASE, ...options });
    expect(create).toThrow(words);
    expect(create).not.toThrow(/secret/);
  });

  test("all of them", () => {
    expect(() => createHandler(undefined as never)).toThrow("createHandler: Invalid input: expected object");
  });

  test("no base URL", () => {
    expect(() => createHandler({ store: "https://facts.example/snapshots/" })).toThrow(
      "base: is missing; use the public URL, such as https://facts.example",
    );
  });
});

describe("a function of the platform's store", () => {
  /** The warnings after a request for the plans, and after one for the feed. */
  async function warningsFor(store: object): Promise<string> {
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    const handler = createHandler({ store: store as PlatformStore, base: BASE, warn });
    const feed = "list" in store ? 502 : 404;
    expect((await handler(new Request(BASE + PLANS))).status).toBe(502);
    expect((await handler(new Request(`${BASE}/changes.json`))).status).toBe(feed);
    return warnings.join("\n");
  }

  test("may need its object", async () => {
    const { directory } = await startServer();
    class Files {
      readonly directory = directory;
      get(key: string): Promise<Uint8Array | undefined> {
        return readFile(join(this.directory, key)).catch(() => undefined);
      }
      async list(): Promise<string[]> {
        return this.directory === directory ? [] : ["no folder"];
      }
    }
    const handler = createHandler({ store: new Files(), base: BASE }, new TestClock());
    const past = ["/changes.json", "/history/plans", "/history/plans?at=2026-03-01T12:00Z"];
    for (const path of [PLANS, ...(isIn("history") ? past : [])])
      expect((await handler(new Request(BASE + path))).status, path).toBe(200);
  });

  test.runIf(isIn("history"))("may be unable to list: then there are no feeds, and nothing promises them", async () => {
    const { directory } = await startServer();
    const get = (key: string) => readFile(join(directory, key)).catch(() => undefined);
    const textOf = async (list: object, path: string, accept: string) => {
      const handler = createHandler({ store: { get, ...list }, base: BASE }, new TestClock());
      const answer = await handler(new Request(BASE + path, { headers: { accept } }));
      expect(answer.status, path).toBe(200);
      return answer.text();
    };
    for (const [path = "", accept = "*/*"] of [
      ["/"],
      ["/", "text/markdown"],
      ["/llms.txt"],
      ["/overview.md"],
      ["/faq.md"],
    ].filter(([path = ""]) => isServed(path))) {
      expect(await textOf({ list: async () => [] }, path, accept), path).toMatch(/\/changes\.(atom|json)/);
      expect(await textOf({}, path, accept), path).not.toMatch(/\/changes\.|feed of changes/i);
    }
    const handler = createHandler({ store: { get }, base: BASE }, new TestClock());
    for (const path of ["/changes.atom", "/changes.json", "/changes.json?since=2026-01-01", "/history/plans"])
      expect((await handler(new Request(BASE + path))).status, path).toBe(404);
  });

  test.for([["a text"], [new Response("{}")], [5]])("gives %j, no bytes", async ([value]) => {
    expect(await warningsFor({ get: (): unknown => value })).toBe(
      "the store cannot be read: store.get must give an ArrayBuffer or a Uint8Array; answered with 502 until it can",
    );
  });

  test("gives more bytes than any snapshot has, which are not read", async () => {
    const { platform, warnings, ask } = await startEdge();
    const padding = Buffer.alloc(4 * 1024 * 1024, " ");
    platform.instead = async () => Buffer.concat([encodeSnapshot(plansSnapshot()), padding]);
    expect((await ask(PLANS)).status).toBe(502);
    expect(warnings.join("\n")).toContain("over 4194304 bytes");
  });

  test
    .runIf(isIn("history"))
    .for([[{ keys: [] }], [[{ key: "history/plans/1.json" }]], [["plans/1.json"]], [undefined]])(
    "lists %j, no keys of the history, which is unknown then, not empty",
    async ([listed]) => {
      expect(await warningsFor({ get: NONE, list: async () => listed })).toBe(
        "the history cannot be read: store.list must give an array of the keys that begin with history/",
      );
    },
  );

  test.for(isIn("history") ? ["get", "list"] : ["get"])(
    "throws at once, and its words stay secret: %s",
    async (name) => {
      const warnings = await warningsFor({ get: NONE, [name]: THROWS });
      expect(warnings).toContain("cannot be read: the platform's store does not answer: see its log and its binding");
      expect(warnings).not.toContain("secret");
    },
  );
});

test.for([
  ["rejects", REFUSED],
  ["throws", THROWS],
] as const)("a request is answered if `warn` %s", async ([, warn]) => {
  const { platform, ask } = await startEdge({ warn });
  platform.instead = REFUSED;
  expect((await ask(PLANS)).status).toBe(502);
});

test.for(["/facts", "/f%C3%A4cts/v2"])("below %s, requests are answered with and without this path", async (path) => {
  const { ask } = await startEdge({ base: BASE + path });
  for (const target of [PLANS, "/api/v1/releases/latest?platform=windows", "/", "/llms.txt", "/nothing-here"]) {
    const [short, long] = [await ask(target), await ask(path + target)];
    expect([long.status, await long.text()]).toEqual([short.status, await short.text()]);
  }
  expect((await ask(path)).headers.get("content-type")).toContain("text/html");
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const headers = { "content-type": "application/json" };
  const answer = await ask(`${path}/mcp`, {}, { method: "POST", headers, body });
  expect(await answer.json()).toHaveProperty("result.tools");
  expect((await ask(`${path}/mcp`)).headers.get("allow")).toBe("POST, OPTIONS");
  expect((await ask(`${path}x${PLANS}`)).status).toBe(404);
});

test("the tools name the card, which is read as from a server", async () => {
  const { ask } = await startEdge();
  const headers = { "content-type": "application/json" };
  const use = async (method: string, params = {}) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return (await ask("/mcp", {}, { method: "POST", headers, body })).json();
  };
  const { uri, text } = cardOf({ title: "Product information" });
  const tool = { _meta: { ui: { resourceUri: uri } } };
  expect(await use("tools/list")).toMatchObject({ result: { tools: [tool, tool] } });
  expect(await use("resources/read", { uri })).toMatchObject({ result: { contents: [{ uri, text }] } });
});

test("a target that is too long is refused", async () => {
  const { ask } = await startEdge();
  const answer = await ask(`${PLANS}?${"a".repeat(2_048)}`);
  expect([answer.status, answer.statusText]).toEqual([414, "URI Too Long"]);
  expect(await answer.json()).toEqual({ error: "The request target is longer than 2048 characters." });
});

test("a message that is too long is refused, and its rest is not read", async () => {
  const { ask } = await startEdge();
  const headers = { "content-type": "application/json" };
  let pulls = 0;
  const body = new ReadableStream({ pull: (controller) => (pulls++, controller.enqueue(new Uint8Array(16 * 1024))) });
  const answer = await ask("/mcp", {}, { method: "POST", headers, body, duplex: "half" } as RequestInit);
  expect(answer.status).toBe(413);
  expect(pulls).toBeLessThan(10);
});

test.for([
  [{ product: "beta" }, 502],
  [{ api: { name: "Beta" } }, 502],
  [{ api: { name: "Acme" } }, 200],
  [{ product: "acme", api: { name: "Beta" } }, 200],
  [{ api: { description: "Facts." } }, 200],
] as const)("with the options %j, the facts of the product acme are %i", async ([options, expected]) => {
  const { ask, warnings, server } = await startEdge(options);
  // The second replaces the previous copy, too.
  for (const revision of [2, 3]) await server.publish({ ...plansSnapshot({ revision }), product: "acme" });
  expect((await ask(PLANS)).status).toBe(expected);
  expect(warnings.filter((warning) => warning.includes('of the product "acme", not of "beta"'))).toHaveLength(
    expected === 502 ? 1 : 0,
  );
});

test("a product that is none is refused", async () => {
  await expect(startEdge({ product: "Acme Notes" })).rejects.toThrow(/^product: use lowercase letters, /);
});
