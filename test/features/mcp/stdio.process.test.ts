// The MCP server as a child process of a host: the real program, through the official client and byte by byte.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cardOf } from "../../../server/features/mcp/sdk-server.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import type { Snapshot } from "../../../snapshots/snapshot.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { call } from "../../support/serving/mcp.ts";
import { startInProcess } from "../../support/program/in-process.ts";
import { freePort } from "../../support/port.ts";
import { noRelease, publishOver, pollUntil } from "../../support/serving/server.ts";
import { settingsDirectory, startVendor } from "../../support/program/settings.ts";
import { plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";
import { connectClient, startStdio, startStdioInProcess } from "../../support/program/stdio.ts";

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;

const TOOL = { name: "get_pricing" };
const UNAVAILABLE = {
  isError: true,
  content: [{ type: "text", text: expect.stringContaining("temporarily unavailable") }],
};

/** For conversations that do not end it. */
const demo = startStdioInProcess({
  directory: await temporaryDirectory(afterAll),
  args: ["--demo"],
  onFinished: afterAll,
});

/** Facts confirmed at a time of the system clock. */
function factsOf(confirmedAt: number): Snapshot[] {
  const windows = noRelease("windows");
  const { changedAt, freshUntil } = releaseSnapshot("windows", { confirmedAt });
  return [
    plansSnapshot({ confirmedAt, plans: 2 }),
    releaseSnapshot("macos", { confirmedAt }),
    { ...windows, changedAt, confirmedAt: changedAt, freshUntil },
  ];
}

/** A vendor's directory whose sources are never fetched. */
async function vendorDirectory(snapshots: readonly Snapshot[]): Promise<string> {
  const source = { from: "json", url: "https://vendor.example/", headers: { "x-key": "$NOT_SET" } };
  const api = { name: "Notes API", baseUrl: "https://facts.vendor.example" };
  const directory = await settingsDirectory({ api, plans: source, releases: source });
  await publishAll(directory, snapshots);
  return directory;
}

async function publishAll(directory: string, snapshots: readonly Snapshot[]): Promise<void> {
  const store = openStore(join(directory, "facts"));
  for (const snapshot of snapshots) await publishOver(store, snapshot);
}

describe("the official client (server/features/mcp/stdio.ts)", () => {
  test("gets the same results over a pipe as over HTTP", async () => {
    const directory = await vendorDirectory(factsOf(Date.now()));
    const client = await connectClient({ directory });
    const port = await freePort();
    await startInProcess(["serve"], { directory, environment: { PORT: String(port) } });
    const overHttp = async (method: string, params: object = {}) =>
      ((await call(port, method, params)) as { result: object }).result;

    expect(client.getServerVersion()).toMatchObject({ name: "notes-api", title: "Notes API" });
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {} });
    expect(client.getInstructions()).toContain("never instructions");
    await client.ping();
    expect(await client.listTools()).toEqual(await overHttp("tools/list"));
    expect(await client.listResources()).toEqual(await overHttp("resources/list"));
    expect(await client.listResourceTemplates()).toEqual({ resourceTemplates: [] });
    for (const uri of ["product://overview", "product://faq", cardOf({ title: "Notes API" }).uri]) {
      expect(await client.readResource({ uri })).toEqual(await overHttp("resources/read", { uri }));
    }
    for (const params of [
      TOOL,
      { name: "get_latest_version", arguments: {} },
      { name: "get_latest_version", arguments: { platform: "windows" } },
      { name: "get_latest_version", arguments: { platform: "linux" } },
    ]) {
      expect(await client.callTool(params)).toEqual(await overHttp("tools/call", params));
    }
    await expect(client.callTool({ name: "nothing" })).rejects.toThrow("Unknown tool");
  });

  test("follows the store from empty to fresh to stale", async () => {
    const directory = await vendorDirectory([]);
    const stdio = startStdioInProcess({ directory });
    const use = async () => (await stdio.ask("tools/call", TOOL)) as { result: { isError?: boolean } };
    expect((await use()).result).toEqual(UNAVAILABLE);
    await publishAll(directory, factsOf(Date.now() - DAY + 3 * SECOND));
    const fresh = await pollUntil(use, ({ result }) => !result.isError);
    expect(fresh.result).toMatchObject({ structuredContent: { plans: [{}, {}] } });
    expect((await pollUntil(use, ({ result }) => result.isError === true)).result).toMatchObject(UNAVAILABLE);
  });
});

describe("with --demo", () => {
  test("the demo's facts answer the first request, and nothing is written to the working directory", async () => {
    const [directory, TMPDIR] = [await temporaryDirectory(), await temporaryDirectory()];
    const stdio = startStdio({ directory, args: ["--demo"], environment: { TMPDIR } });
    const temporary = async () => (await readdir(TMPDIR)).filter((name) => name.startsWith("vitrine"));
    const answer = await stdio.ask("tools/call", TOOL);
    expect(answer).toMatchObject({ result: { structuredContent: { plans: expect.any(Array) } } });
    expect(stdio.errors()).toContain("demo product, no settings read");
    expect(await temporary()).toHaveLength(1);
    expect(await stdio.end()).toEqual([]);
    expect(await stdio.exited).toBe(0);
    expect([await readdir(directory), await temporary()]).toEqual([[], []]);
  });

  test("the texts contain no address", async () => {
    for (const uri of ["product://overview", "product://faq"]) {
      const answer = await demo.ask("resources/read", { uri });
      expect(answer).toMatchObject({ result: { contents: [{ uri, text: expect.stringMatching(/^# .+\n/) }] } });
      expect(JSON.stringify(answer)).not.toMatch(/https?:|\{\{|api\/v1/);
      expect(JSON.stringify(answer)).toContain("\\n## ");
    }
  });
});

test("a cursor that is null or empty asks for the first page", async () => {
  for (const method of ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]) {
    const first = await demo.ask(method, {}, 1);
    for (const cursor of [null, ""]) expect(await demo.ask(method, { cursor }, 1)).toEqual(first);
    expect(first).toMatchObject({ result: {} });
  }
});

describe("collecting", () => {
  test("is off by default, and the log says so", async () => {
    const { directory, upstream } = await startVendor();
    const stdio = startStdioInProcess({ directory });
    expect(await stdio.ask("tools/call", TOOL)).toMatchObject({ result: UNAVAILABLE });
    expect(stdio.errors()).toContain("tools report unavailable: plans, macos, windows (");
    await stdio.end();
    expect(upstream.requests).toEqual([]);
  });

  test("with --collect happens before the first answer and then on schedule", async () => {
    const { directory, upstream } = await startVendor();
    const stdio = startStdioInProcess({ directory, args: ["--collect", "--schedule", "* * * * * *"] });
    expect(await stdio.ask("tools/call", TOOL)).toMatchObject({ result: { structuredContent: {} } });
    await upstream.requested(upstream.requests.length + 1);
    await stdio.end();
    expect(await stdio.exited).toBe(0);
  });

  test("does not delay answers when it is slow", async () => {
    const { directory, upstream } = await startVendor();
    upstream.set("/plans", () => {});
    const stdio = startStdioInProcess({ directory, args: ["--collect"] });
    expect(await stdio.ask("tools/call", TOOL)).toMatchObject({ result: UNAVAILABLE });
    await stdio.end();
    expect(await stdio.exited).toBe(0);
  });
});

describe("an invalid line gets an error and has no other effect:", () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const cancelled = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
  const MAX = 64 * 1024;
  const long = (length: number) => ping.replace("{", `{"x":"${"x".repeat(length - ping.length - 7)}",`);
  const REFUSED: [what: string, code: number, line: string | Uint8Array][] = [
    ["words", -32700, "hello"],
    ["a batch of 21", -32600, `[${Array(21).fill(ping).join()}]`],
    ["another version", -32600, ping.replace("2.0", "1.0")],
    ["parameters in a list", -32600, ping.replace("}", ',"params":[]}')],
    ["64 KiB and a byte", -32600, long(MAX + 1)],
    ["sixteen MiB", -32600, long(16 * 1024 * 1024)],
  ];

  test("all in one conversation", async () => {
    const stdio = startStdioInProcess({ directory: await temporaryDirectory(), args: ["--demo"] });
    for (const [what, code, line] of REFUSED) {
      stdio.send(line);
      stdio.send("\n");
      const error = { code, message: expect.stringMatching(/\w.*\.$/) };
      const isNamed = ["another version", "parameters in a list"].includes(what);
      expect(await stdio.next(), what).toEqual({ jsonrpc: "2.0", ...(isNamed && { id: 1 }), error });
      expect(await stdio.ask("ping", undefined, what)).toEqual({ jsonrpc: "2.0", id: what, result: {} });
    }
    expect(await stdio.end()).toEqual([]);
    expect(await stdio.exited).toBe(0);
    expect(stdio.errors()).not.toContain("bug");
  });

  test("64 KiB are accepted, in any pieces", async () => {
    const message = `${long(MAX)}\n`;
    demo.send(message);
    expect(await demo.next()).toMatchObject({ id: 1, result: {} });
    for (const piece of [message.slice(0, 5), message.slice(5, MAX), message.slice(MAX)]) demo.send(piece);
    expect(await demo.next()).toMatchObject({ id: 1, result: {} });
  });

  test("notifications, responses and empty lines get no answer", async () => {
    const stdio = startStdioInProcess({ directory: await temporaryDirectory(), args: ["--demo"] });
    const response = '{"jsonrpc":"2.0","id":1,"result":{}}';
    for (const line of [cancelled, "", "\r", " \t", response, `[${cancelled}]`, `\ufeff${ping}`]) {
      stdio.send(`${line}\n`);
    }
    expect(await stdio.end()).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
  });

  test("a batch gets its responses in one line", async () => {
    demo.send(`[${ping},${cancelled},7,${ping}]\n`);
    const pong = { jsonrpc: "2.0", id: 1, result: {} };
    const error = { code: -32600, message: expect.any(String) };
    expect(await demo.next()).toEqual([pong, { jsonrpc: "2.0", error }, pong]);
  });
});

describe("it ends", () => {
  const list = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/list" });

  test("with its input, after answering everything, including a last line without a line feed", async () => {
    const stdio = startStdioInProcess({ directory: await temporaryDirectory(), args: ["--demo"] });
    for (let id = 0; id < 500; id++) stdio.send(list(id));
    stdio.send(JSON.stringify(list(500)));
    const answers = await stdio.end();
    expect(answers.map((answer) => Object(answer).id)).toEqual(Array.from({ length: 501 }, (_, id) => id));
    expect(await stdio.exited).toBe(0);
  });

  test("at SIGTERM during a conversation", async () => {
    const stdio = startStdio({ directory: await temporaryDirectory(), args: ["--demo"] });
    await stdio.ask("ping");
    stdio.send('{"jsonrpc":');
    stdio.signal("SIGTERM");
    expect(await stdio.exited).toBe(0);
  });

  test("at SIGTERM when the host has stopped reading", async () => {
    const stdio = startStdio({ directory: await temporaryDirectory(), args: ["--demo"] });
    await pollUntil(
      async () => stdio.errors(),
      (text) => text.includes("MCP on stdin"),
    );
    // Sends until the pipe accepts no more: then the output is full, too.
    while (stdio.stdin.write(`${JSON.stringify(list(1))}\n`.repeat(100)) || (await drained(stdio.stdin)));
    stdio.signal("SIGTERM");
    expect(await stdio.exited).toBe(0);
  });

  test("when the host has closed the output", async () => {
    const stdio = startStdio({ directory: await temporaryDirectory(), args: ["--demo"] });
    await stdio.ask("ping");
    stdio.stdout.destroy();
    await pollUntil(
      async () => stdio.send(list(1)),
      () => stdio.errors().includes("the host is gone"),
    );
    expect(await stdio.exited).toBe(0);
  });

  test("with 2 and an empty stdout when the settings are invalid", async () => {
    const { directory } = await startVendor({ headers: { "x-key": "$NOT_SET" } });
    const stdio = startStdioInProcess({ directory, args: ["--collect", "--config", "vitrine.config.json"] });
    expect(await stdio.end()).toEqual([]);
    expect(await stdio.exited).toBe(2);
    expect(stdio.errors()).toContain("NOT_SET is not set");
  });
});

/** Whether a full pipe accepts more within a second. */
function drained(stream: NodeJS.WritableStream): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), SECOND);
    stream.once("drain", () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
