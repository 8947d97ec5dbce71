// examples/hosting: many vendors in one process, which shares no answer, trusts no Host, and lets no vendor disturb another one.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { currentKey } from "../../snapshots/facts.ts";
import { encodeSnapshot, factOf, type Snapshot } from "../../snapshots/snapshot.ts";
import { afterTests } from "../support/clean-up.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { builtProgram } from "../support/program/built.ts";
import { isIn } from "../support/program/feature.ts";
import { launch } from "../support/program/run.ts";
import { writeSamples } from "../support/program/settings.ts";
import { oneOf, seeded } from "../support/random.ts";
import { openRawConnection } from "../support/serving/raw-connection.ts";
import { isServed } from "../support/serving/prepared-targets.ts";
import { allSnapshots, ask, isOk, pollUntil, type Reply } from "../support/serving/server.ts";
import { projectFile } from "./read.ts";

/** As it is published, beside the built edge. */
const SERVER = join(builtProgram() ?? "", "../../examples/hosting/server.mjs");
const PLANS = "/api/v1/plans";
const MCP = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
/** In ms, for a busy computer. */
const SLOW = { timeout: 120_000 };
const GET_PRICING = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_pricing"}}';

type OnFinished = (cleanUp: () => Promise<void>) => void;
type Hosting = Awaited<ReturnType<typeof startHosting>>;

/** Starts the example over a directory with these vendors. */
async function startHosting(names: readonly string[], onFinished: OnFinished, server = SERVER) {
  const outside = await temporaryDirectory(onFinished);
  const directory = join(outside, "hosts");
  await mkdir(directory);
  await Promise.all(names.map((name) => addVendor(join(directory, `${name}.example`), name)));
  const program = launch(server, [directory], {
    environment: { PORT: "0" },
    onFinished,
  });
  const [, port] = await program.printed(/^\d+ hosts, http:\/\/127\.0\.0\.1:(\d+)\n/);
  const askPort = (host: string, path = PLANS, { headers = {}, ...request }: Parameters<typeof ask>[2] = {}) =>
    ask(Number(port), path, { ...request, headers: { host, ...headers } });
  return {
    outside,
    port: Number(port),
    program,
    folder: (name: string) => join(directory, `${name}.example`),
    ask: askPort,
    status: async (name: string, path?: string) => (await askPort(`${name}.example`, path)).status,
    /** On a busy computer, the first facts may take more than the two seconds that a request waits for them. */
    until: (name: string, status: number, path?: string) =>
      pollUntil(
        async () => (await askPort(`${name}.example`, path)).status,
        (seen) => seen === status,
      ),
  };
}

/** The example with another limit. */
async function serverWith(limit: string, other: string): Promise<string> {
  const text = await readFile(SERVER, "utf8");
  expect(text).toContain(limit);
  const server = SERVER.replace("server.mjs", `server-${other.replaceAll(/\W/g, "")}.mjs`);
  await writeFile(server, text.replace(limit, other));
  return server;
}

const onFinished = afterTests();

/** Writes settings and facts that have the name of the vendor in them. */
async function addVendor(folder: string, name: string): Promise<void> {
  await mkdir(join(folder, "snapshots/data"), { recursive: true });
  for (const snapshot of factsOf(name, 1))
    await writeFile(join(folder, "snapshots/data", currentKey(snapshot.name)), encodeSnapshot(snapshot));
  await writeSettings(folder, { api: { name } });
}

function writeSettings(folder: string, settings: unknown): Promise<void> {
  const text = typeof settings === "string" ? settings : JSON.stringify(settings);
  return writeFile(join(folder, "vitrine.config.json"), text);
}

/** `revision` is the price and the version. */
function factsOf(name: string, revision: number): Snapshot[] {
  const wanted = { revision, confirmedAt: Date.now() };
  return allSnapshots(wanted).map((snapshot) => {
    const text = snapshot.text.replaceAll(/plan-0|downloads(?=\.example)/g, name);
    return { ...snapshot, ...factOf(JSON.parse(text)) };
  });
}

/** Replaces each file whole, as a collector does. */
async function publish(folder: string, snapshots: readonly Snapshot[]): Promise<void> {
  for (const snapshot of snapshots) {
    const path = join(folder, "snapshots/data", currentKey(snapshot.name));
    const temporary = `${path}.${randomUUID()}.tmp`;
    await writeFile(temporary, encodeSnapshot(snapshot));
    await rename(temporary, path);
  }
}

function revisionOf(reply: Reply): number {
  return (reply.json() as { plans: { monthlyPrice: number }[] }).plans[0]?.monthlyPrice ?? 0;
}

describe.concurrent("a client", () => {
  let hosting: Hosting;
  beforeAll(async () => {
    hosting = await startHosting(["acme"], onFinished);
  });

  test("that sends its headers slowly is refused", async ({ expect, onTestFinished }) => {
    const connection = openRawConnection(hosting.port, (close) => onTestFinished(close));
    connection.send("GET / HTTP/1.1\r\nHost: acme.example\r\n");
    connection.drip("X: y\r\n", 500);
    expect(await connection.untilEnded()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("that sends too much is told so", async ({ expect }) => {
    const request = { method: "POST", headers: MCP, body: "x".repeat(1_000_000) };
    expect((await hosting.ask("acme.example", "/mcp", request)).status).toBe(413);
  });

  test.for(["acme.example", "unknown.example"])(
    "that sends 20,000 requests for %s ahead and reads nothing is cut, and others are answered",
    async (host, { expect, onTestFinished }) => {
      const connection = openRawConnection(hosting.port, (close) => onTestFinished(close));
      await connection.connected();
      connection.pause();
      connection.send(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(20_000));
      expect((await hosting.ask("acme.example", "/healthz")).status).toBe(200);
      connection.resume();
      const answers = (await connection.untilEnded()).match(/HTTP\/1\.1 \d/g) ?? [];
      expect(answers.length).toBeLessThan(2_000);
    },
  );

  test("with a method that no Request may have disturbs no other", async ({ expect }) => {
    await expect(hosting.ask("acme.example", "/", { method: "TRACE" })).rejects.toThrow();
    expect((await hosting.ask("acme.example", "/healthz")).status).toBe(200);
  });
});

test.concurrent(
  "unknown hosts make nothing, and of many vendors those are dropped that were asked longest ago",
  SLOW,
  async ({ expect, onTestFinished }) => {
    const server = await serverWith("MAX_HANDLERS = 1_000;", "MAX_HANDLERS = 10;");
    const others = Array.from({ length: 10 }, (_, index) => `other-${index}`);
    const hosting = await startHosting(["dropped", "kept", ...others], onTestFinished, server);
    for (const name of ["dropped", "kept"]) {
      await hosting.until(name, 200);
      // From here on only the handler that was made before knows these facts.
      await rm(join(hosting.folder(name), "snapshots"), { recursive: true });
    }
    for (let index = 0; index < 100; index += 1) expect(await hosting.status(`unknown-${index}`)).toBe(421);
    expect([await hosting.status("dropped"), await hosting.status("kept")]).toEqual([200, 200]);
    expect(hosting.program.output.stderr).not.toContain("unknown");
    for (const name of others.slice(0, 5)) await hosting.status(name);
    expect(await hosting.status("kept")).toBe(200);
    for (const name of others.slice(5)) await hosting.status(name);
    expect([await hosting.status("dropped"), await hosting.status("kept")]).toEqual([502, 200]);
    expect((await hosting.program.stop("SIGTERM")).code).toBe(0);
  },
);

test.concurrent.for(["127.0.0.1", "127.0.0.2"])(
  "connections of one client leave some for the others, at %s, and none is cut while it waits for an answer",
  SLOW,
  async (localAddress, { expect, onTestFinished }) => {
    const server = await serverWith("MAX_CONNECTIONS = 2_000;", "MAX_CONNECTIONS = 20;");
    const hosting = await startHosting(["acme"], onTestFinished, server);
    await hosting.until("acme", 200);
    const sending = openRawConnection(hosting.port, (close) => onTestFinished(close));
    sending.send("POST /mcp HTTP/1.1\r\nHost: acme.example\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{");
    await sending.connected();
    const idle = Array.from({ length: 40 }, () => openRawConnection(hosting.port, (close) => onTestFinished(close)));
    await Promise.all(idle.map((one) => one.connected()));
    const agent = new Agent({ localAddress });
    for (let count = 0; count < 30; count++) {
      const { status } = await ask(hosting.port, PLANS, { headers: { host: "acme.example" }, agent });
      expect(status).toBe(200);
    }
    sending.send("}");
    expect(await sending.untilEnded()).toMatch(/^HTTP\/1\.1 415 /);
  },
);

test.concurrent(
  "no answer has anything of another vendor, in 2,000 random requests to 30 vendors while their facts change",
  SLOW,
  async ({ expect, onTestFinished }) => {
    const names = Array.from({ length: 30 }, (_, index) => `vendor-${String(index).padStart(3, "0")}`);
    const hosting = await startHosting(names, onTestFinished);
    const random = seeded(29);
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const etags = new Map<string, string>();
    let [left, revision, changesSeen] = [2_000, 1, 0];

    async function askAtRandom(): Promise<void> {
      while (left-- > 0 || changesSeen < 10) {
        const [name, other, path] = [oneOf(random, names), oneOf(random, names), oneOf(random, PATHS)];
        if (random() < 0.02) await publish(hosting.folder(other), factsOf(other, (revision += 1)));
        const message = path === "/mcp" ? { method: "POST", body: oneOf(random, MESSAGES) } : {};
        const headers = { ...MCP, "if-none-match": etags.get(other + path) ?? '"none"' };
        const reply = await hosting.ask(`${name}.example`, path, { ...message, headers, agent });
        if (reply.status === 304 && other === name) continue;
        const named = new Set((JSON.stringify(reply.headers) + reply.text).toLowerCase().match(/vendor-\d{3}/g));
        // As in `until`.
        if (reply.status === 502 && named.size === 0) {
          left += 1;
          continue;
        }
        const isOk = reply.status === 200 || reply.status === 302;
        expect({ name, path, isOk, named: [...named] }).toEqual({ name, path, isOk: true, named: [name] });
        if (reply.headers.etag !== undefined) etags.set(name + path, reply.headers.etag);
        if (path === PLANS && revisionOf(reply) > 1) changesSeen += 1;
      }
    }

    await Promise.all(Array.from({ length: 16 }, askAtRandom));
  },
);

const PATHS = [
  PLANS,
  "/api/v1/releases/latest?platform=macos",
  "/api/v1/releases/latest?platform=windows",
  "/mcp",
  "/",
  "/api/v1",
  "/llms.txt",
  "/openapi.json",
  "/server.json",
  "/faq.md",
  "/download/macos",
].filter(isServed);
const MESSAGES = [
  GET_PRICING,
  '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"product://overview"}}',
];

describe.concurrent("the vendor is chosen by the Host", () => {
  let hosting: Hosting;
  beforeAll(async () => {
    hosting = await startHosting(["acme", "other"], onFinished);
    // What a Host must not lead to: a vendor outside of the directory, and what is in it besides vendors.
    await addVendor(hosting.outside, "outside");
    await addVendor(join(hosting.outside, "outside.example"), "outside");
    await addVendor(join(hosting.folder("acme"), ".."), "inside");
    await addVendor(join(hosting.folder("acme"), "nested.example"), "nested");
    await addVendor(join(hosting.folder("acme"), "../.hidden"), "hidden");
    await addVendor(join(hosting.folder("acme"), "../[2001:db8::1]"), "address");
    if (process.platform !== "win32") {
      await symlink("nowhere", hosting.folder("dangling"));
      await symlink("vitrine.config.json", hosting.folder("file"));
    }
    for (const host of ["acme.example", "[2001:db8::1]"]) await pollUntil(() => hosting.ask(host), isOk);
  });

  test.for(["acme.example", "ACME.Example", "acme.example:443", "acme.example.", "Acme.example.:8080"])(
    "%s",
    async (host, { expect }) => {
      const reply = await hosting.ask(host);
      expect([reply.status, reply.text.match(/acme|other/)?.[0]]).toEqual([200, "acme"]);
    },
  );

  test.for(["[2001:db8::1]", "[2001:DB8::1]:3000"])("%s", async (host, { expect }) => {
    expect((await hosting.ask(host)).text).toContain("address");
  });

  test.for([
    "",
    ".",
    "..",
    "./acme.example",
    "../outside.example",
    "..%2foutside.example",
    "..\\outside.example",
    "acme.example/../other.example",
    "acme.example/nested.example",
    "nested.example",
    "dangling.example",
    "file.example",
    ".hidden",
    "vitrine.config.json",
    "snapshots/data",
    "acme.example..",
    "acme.example:http",
    "user@acme.example",
    "acme.example, other.example",
    "[2001:db8::1",
    "[acme.example]",
    "acm\u00e9.example",
    "__proto__",
  ])("%j leads nowhere", async (host, { expect }) => {
    const reply = await hosting.ask(host);
    expect(reply).toMatchObject({ status: 421, headers: { "cache-control": "no-store" } });
  });

  const rawAnswer = async (bytes: string, onFinished: OnFinished) => {
    const connection = openRawConnection(hosting.port, (close) => onFinished(async () => close()));
    connection.send(bytes);
    return (await connection.untilEnded()).split("\r\n", 1)[0];
  };

  test.for([
    ["a NUL in it", "GET / HTTP/1.1\r\nHost: acme.example\0.other\r\nConnection: close\r\n\r\n", /^HTTP\/1\.1 400 /],
    ["two of them", "GET / HTTP/1.1\r\nHost: acme.example\r\nHost: acme.example\r\nConnection: close\r\n\r\n", / 421 /],
    ["none", "GET / HTTP/1.0\r\n\r\n", / 421 /],
    [
      "another one in an absolute target, which counts",
      "GET http://ACME.example/healthz HTTP/1.1\r\nHost: unknown.example\r\nConnection: close\r\n\r\n",
      / 200 /,
    ],
    [
      "an unknown one in an absolute target",
      "GET http://unknown.example/ HTTP/1.1\r\nHost: acme.example\r\nConnection: close\r\n\r\n",
      / 421 /,
    ],
  ] as const)("%s", async ([, bytes, status], { expect, onTestFinished }) => {
    expect(await rawAnswer(bytes, onTestFinished)).toMatch(status);
  });

  test("and not by what a proxy says beside it", async ({ expect }) => {
    const headers = { "x-forwarded-host": "other.example", forwarded: "host=other.example", "x-host": "other.example" };
    expect((await hosting.ask("acme.example", "/llms.txt", { headers })).text).not.toContain("other");
    expect((await hosting.ask("unknown.example", PLANS, { headers })).status).toBe(421);
  });

  test.skipIf(process.platform === "win32" || !isIn("discovery"))("by a second name, too", async ({ expect }) => {
    await symlink(hosting.folder("acme"), hosting.folder("www.acme"));
    await hosting.until("www.acme", 200);
    expect((await hosting.ask("www.acme.example", "/llms.txt")).text).toContain("https://www.acme.example/");
  });

  test.runIf(isIn("discovery"))(
    "and is the address in its answers, unless the settings have one",
    async ({ expect }) => {
      expect((await hosting.ask("other.example", "/llms.txt")).text).toContain("https://other.example/");
      const folder = join(hosting.folder("acme"), "../named.example");
      await addVendor(folder, "named");
      await writeSettings(folder, { api: { name: "Named", baseUrl: "https://facts.named.example" } });
      const { text } = await pollUntil(() => hosting.ask("named.example", "/llms.txt"), isOk);
      expect(text).toContain("https://facts.named.example/");
      expect(text).not.toContain("https://named.example/");
    },
  );
});

const NAMES = ["removed", "bystander", "pipe"];
/** Settings, as JSON or as text. */
const BROKEN = [
  '{"api": {"name": "hush-hush',
  "",
  "null",
  "[]",
  "{}",
  { api: "A" },
  { api: { name: "A", nickname: "B" } },
  { api: { name: "A", logo: "missing.svg" } },
  { api: { name: "A", logo: 5 } },
  { api: { name: "A", faq: "snapshots" } },
];

describe.concurrent("a folder", () => {
  let hosting: Hosting;
  beforeAll(async () => {
    hosting = await startHosting([...NAMES, ...BROKEN.map((_, index) => `broken-${index}`)], onFinished);
  });

  test("counts when it is added, and no longer when it is removed", async ({ expect }) => {
    expect(await hosting.status("added")).toBe(421);
    await hosting.until("removed", 200);
    await addVendor(hosting.folder("added"), "added");
    await rm(hosting.folder("removed"), { recursive: true });
    await Promise.all([hosting.until("added", 200), hosting.until("removed", 421)]);
  });

  test("that is a link in a circle is no host, and the others go on", async ({ expect }) => {
    await symlink("circle.example", hosting.folder("circle"));
    await addVendor(hosting.folder("behind"), "behind");
    await hosting.until("behind", 200);
    expect(await hosting.status("circle")).toBe(421);
  });

  test("with broken settings is 502 alone, and heals", async ({ expect }) => {
    const check = async (settings: unknown, index: number) => {
      const name = `broken-${index}`;
      await hosting.until(name, 200);
      await writeSettings(hosting.folder(name), settings);
      await hosting.until(name, 502);
      expect(await hosting.ask(`${name}.example`, "/")).toMatchObject({ status: 502, headers: { "retry-after": "5" } });
      expect(await hosting.status("bystander", "/healthz")).toBe(200);
      await writeSettings(hosting.folder(name), { api: { name } });
      await hosting.until(name, 200);
      expect(hosting.program.output.stderr).toContain(`${name}.example: answered with 502: `);
    };
    await Promise.all(BROKEN.map(check));
    expect(hosting.program.output.stderr).not.toContain("hush");
  });

  test.skipIf(process.platform === "win32")("with pipes in place of files disturbs no other", async ({ expect }) => {
    const data = join(hosting.folder("pipe"), "snapshots/data");
    for (const name of await readdir(data)) {
      await rm(join(data, name));
      execFileSync("mkfifo", [join(data, name)]);
    }
    expect(await hosting.status("pipe")).toBe(502);
    await hosting.until("bystander", 200);
  });

  test("shows its texts, its logo, its picture and its history", async ({ expect }) => {
    const folder = hosting.folder("texts");
    await writeFile(join(await made(folder), "logo.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await writeFile(join(folder, "card.jpg"), Buffer.from("ffd8ff00", "hex"));
    await writeFile(join(folder, "faq.md"), "# Asked of texts");
    const api = { name: "texts", logo: "logo.svg", picture: "card.jpg", faq: "faq.md" };
    await writeSettings(
      folder,
      `// Comments are read as in \`vitrine serve\`.\n${JSON.stringify({ $schema: "x", api, plans: "none" })}`,
    );
    await pollUntil(
      () => hosting.ask("texts.example", "/faq.md"),
      ({ text }) => text.includes("# Asked of texts"),
    );
    if (!isIn("page")) return;
    const page = (await hosting.ask("texts.example", "/")).text;
    expect(page).toContain("data:image/svg+xml;base64,PHN2Zy");
    const [, picture = ""] = /property="og:image" content="https:\/\/texts\.example([^"]+)"/.exec(page) ?? [];
    const { headers, bytes } = await hosting.ask("texts.example", picture);
    expect([headers["content-type"], bytes.toString("hex")]).toEqual(["image/jpeg", "ffd8ff00"]);
    if (!isIn("history")) return;
    expect((await hosting.ask("texts.example", "/changes.json")).json()).toHaveProperty("items", []);
  });
});

async function made(folder: string): Promise<string> {
  await mkdir(folder);
  return folder;
}

test.concurrent.for([
  ["a PORT that no computer has", { PORT: "65536" }, "65536"],
  ["a missing folder", { PORT: "0" }, "missing"],
] as const)("%s ends the start with one line", async ([, environment, named], { expect, onTestFinished }) => {
  const directory = await temporaryDirectory(onTestFinished);
  const words = [named === "missing" ? join(directory, "missing") : directory];
  const { code, stderr } = await launch(SERVER, words, { environment, onFinished: onTestFinished }).ended;
  expect({ code, lines: stderr.trimEnd().split("\n").length }).toEqual({ code: 2, lines: 1 });
  expect(stderr).toContain(named);
  expect(stderr).toContain("PORT a free port");
});

describe("docs/hosting.md", async () => {
  const text = await projectFile("docs/hosting.md");

  test.skipIf(process.platform !== "linux" || !isIn("many"))("has a loop that collects in each folder", async () => {
    const directory = await temporaryDirectory();
    const hosts = ["a.example", "with space.example"].map((name) => join(directory, "hosts", name));
    for (const host of hosts) {
      await mkdir(host, { recursive: true });
      await writeSamples(host);
    }
    const [, loop = ""] = /^```sh collect\n(.*?)^```$/ms.exec(text) ?? [];
    const env = { PATH: process.env.PATH, DIR: join(directory, "hosts"), VITRINE: builtProgram() };
    execFileSync("sh", ["-c", loop], { env, stdio: "pipe" });
    for (const host of hosts) expect(await readdir(join(host, "snapshots/data"))).toContain("plans.json");
  });
});
