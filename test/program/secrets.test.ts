// One table of secrets: wherever one stands, and whatever an upstream, a chat or a store repeats of it, it comes out nowhere: of no
// command, log, answer, error, file or process title.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { openReader, openStore } from "../../snapshots/stores/open-store.ts";
import { json, startUpstream, status } from "../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../support/collecting/vendor.ts";
import { startEchoingEngine } from "../support/echoing-engine.ts";
import { hasStore, isIn } from "../support/program/feature.ts";
import { startInProcess, typeInProcess } from "../support/program/in-process.ts";
import { isOffered } from "../support/program/offered.ts";
import { PROGRAM, startProgram } from "../support/program/program.ts";
import { launch } from "../support/program/run.ts";
import { settingsDirectory, startVendor } from "../support/program/settings.ts";
import { NO_REDIS, startRedis } from "../support/redis.ts";
import { ask, pollUntil } from "../support/serving/server.ts";

const USER = "0perator-q7";
const PASSWORD = "T0XYZ/hunter2+q7";
const ENCODED = encodeURIComponent(PASSWORD);
const BASIC = btoa(`${USER}:${PASSWORD}`);
/** As a debugger prints bytes. */
const HEX = Array.from(Buffer.from("hunter2"), (byte) => byte.toString(16)).join(" ");
/** Part of everything that is private. */
const MARK = "hunter2";
const SPELLINGS = [USER, PASSWORD, ENCODED, MARK, BASIC, BASIC.slice(0, -4), HEX];

type Environment = Record<string, string>;
type Shown = [name: string, text: string];

const secretsIn = (shown: readonly Shown[]) =>
  shown.filter(([, text]) => SPELLINGS.some((secret) => text.includes(secret)));

/** An environment with secrets for each kind of store. */
const STORES: Record<string, (host: string) => Environment> = {
  "redis, in its location": (host) => ({ SNAPSHOTS: `redis://${USER}:${ENCODED}@${host}/0/acme` }),
  "redis, in its variables": (host) => ({
    SNAPSHOTS: `redis://${host}/0/acme`,
    REDIS_USERNAME: USER,
    REDIS_PASSWORD: PASSWORD,
  }),
  "S3, in its variables": (host) => ({
    SNAPSHOTS: "s3://bucket/acme",
    AWS_ENDPOINT_URL_S3: `http://${host}`,
    AWS_ACCESS_KEY_ID: USER,
    AWS_SECRET_ACCESS_KEY: PASSWORD,
    AWS_SESSION_TOKEN: `${MARK}-session`,
  }),
  "another server, in its location": (host) => ({ SNAPSHOTS: `http://${USER}:${ENCODED}@${host}/snapshots/` }),
  "another server, in its path": (host) => ({ SNAPSHOTS: `http://${host}/${ENCODED}/snapshots/` }),
};
const KNOWN = Object.entries(STORES).filter(([, environmentOf]) => hasStore(environmentOf("a").SNAPSHOTS ?? ""));

interface Place {
  directory: string;
  environment: Environment;
  /** All that the secret was sent to has received. */
  received: () => string;
  publishes?: boolean;
  /** Its store refuses everything, so nothing changes what a command shows. */
  isRefused?: boolean;
}

/** The ETag of the upstream's documents. */
const ETAG = `"${MARK}"`;

let planted = 0;
/** The value with private fields in each of its objects, `prices` excepted: any number there is a price. */
function plant(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => plant(item));
  if (typeof value !== "object" || value === null || key === "prices") return value;
  const own = Object.entries(value).map(([name, part]) => [name, plant(part, name)]);
  const [first, last] = [`${MARK}-key-${++planted}`, `${MARK}_key_${++planted}`];
  const inside = { [`${MARK}-inside`]: [`${MARK}-item-${planted}`, { id: `${MARK}-id-${planted}` }] };
  return Object.fromEntries([[first, `${MARK}-value-${planted}`], ...own, [last, inside]]);
}

/** In headers, in the address, and at every level of the answers. */
async function inSources(): Promise<Place> {
  const upstream = await startUpstream();
  const headers = { "x-api-key": "$SECRET", authorization: "Bearer $SECRET", cookie: `session=${MARK}-cookie` };
  const sourceOf = (path: string, facts: object, more: Environment) => {
    upstream.set(path, json({ [`${MARK}-data`]: plant(facts) }, more));
    return { from: "json", url: upstream.url(path), headers, pick: `/${MARK}-data` };
  };
  const directory = await settingsDirectory({
    plans: sourceOf(`/${MARK}-plans?token=${MARK}`, vendorPlans(), { "x-trace": `${MARK}-trace`, etag: ETAG }),
    releases: sourceOf(`/${MARK}-releases`, vendorReleases(), { "set-cookie": `${MARK}=1` }),
  });
  const sent = { "x-api-key": PASSWORD, authorization: `Bearer ${PASSWORD}` };
  const received = () => {
    for (const request of upstream.requests) expect(request.headers).toMatchObject(sent);
    return JSON.stringify(upstream.requests);
  };
  return { directory, environment: { SECRET: PASSWORD }, received, publishes: true };
}

/** In the address of a chat that refuses the message about a fact. */
async function inAddressOfChat(): Promise<Place> {
  const { upstream, directory } = await startVendor();
  const [path, settings] = [
    `/hooks/${ENCODED}`,
    JSON.parse(await readFile(join(directory, "vitrine.config.json"), "utf8")),
  ];
  upstream.set(path, status(500, { "x-echo": MARK }, path));
  upstream.set("/plans", status(403));
  const told = await settingsDirectory({ ...settings, notify: "$NOTIFY_URL" });
  return {
    directory: told,
    environment: { NOTIFY_URL: upstream.url(path) },
    received: () => JSON.stringify(upstream.requests),
  };
}

const PLACES: Record<string, () => Promise<Place>> = {
  sources: inSources,
  ...(isIn("notify") && { "the address of a chat": inAddressOfChat }),
  ...Object.fromEntries(
    KNOWN.map(([where, environmentOf]) => [
      where,
      async (): Promise<Place> => {
        const { host, received } = await startEchoingEngine();
        const { directory } = await startVendor();
        return { directory, environment: environmentOf(host), received, isRefused: true };
      },
    ]),
  ),
};

const COMMANDS = [
  "check",
  "check --all",
  "check --json",
  "status",
  "status --json",
  "history",
  "history --json",
  "diff",
  "diff --json",
  "collect --dry-run",
  "collect --dry-run --json",
  "collect",
].filter(isOffered);

const rpc = (method: string, params: object = {}) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
});
const RELEASE = "/api/v1/releases/latest";
const FILES = ["last-run.json", "upstreams.json", "plans.held.json"].map((name) => `/${name}`);
const ADDRESSES = [
  "/",
  "/status",
  "/metrics",
  "/readyz",
  "/startupz",
  "/healthz",
  "/openapi.json",
  "/api/v1",
  "/api/v1/plans",
  "/nowhere",
];
const DERIVED = ["/changes.atom", "/changes.json", "/badge/plans.svg", ...FILES];
const RELEASES = ["macos", "windows", "linux"].map((platform) => `${RELEASE}?platform=${platform}`);
const ASKED: [path: string, init?: ReturnType<typeof rpc>][] = [
  ...[...ADDRESSES, ...DERIVED, RELEASE, ...RELEASES].map((path): [string] => [path]),
  ["/mcp", rpc("tools/list")],
  ["/mcp", rpc("tools/call", { name: "get_pricing" })],
  ["/mcp", rpc("tools/call", { name: "get_latest_version", arguments: { platform: "macos" } })],
  ["/mcp", rpc("resources/list")],
  ["/mcp", rpc("resources/read", { uri: "product://overview" })],
  ["/mcp", rpc("nothing/like/it")],
];

const answersOf = (port: number) =>
  Promise.all(
    ASKED.map(async ([path, init]): Promise<Shown> => {
      const { headers, text } = await ask(port, path, init);
      return [`${path} ${init?.body ?? ""}`, JSON.stringify(headers) + text];
    }),
  );

/** Everything that the commands print, a server answers and logs, and the collector writes. */
async function everythingShown({ directory, environment, isRefused = false }: Place): Promise<Shown[]> {
  const run = async (words: string): Promise<Shown> => {
    const { code, stdout, stderr } = await typeInProcess(words.split(" "), { directory, environment });
    return [words, withoutDropped(words, `exit ${code} ${stdout} ${stderr}`)];
  };
  const before = await Promise.all(COMMANDS.map(run));
  const server = await startInProcess(["serve"], { directory, environment: { ...environment, METRICS: "on" } });
  const answers = await answersOf(server.port);
  // The collection has changed what the others show.
  const again = isRefused ? [] : COMMANDS;
  const status = isIn("status") ? [`status --url ${server.base}`] : [];
  const after = await Promise.all([...again, ...status].map(run));
  await server.stop();
  const facts = join(directory, "facts");
  const names = await readdir(facts, { recursive: true }).catch((): string[] => []);
  const files = names.map(async (name): Promise<Shown> => {
    return [name, withoutEtag(name, await readFile(join(facts, name), "utf8").catch(() => "swept"))];
  });
  return [...before, ...answers, ...after, ["log", server.output() + server.errors()], ...(await Promise.all(files))];
}

/** A dry run names the fields that it drops, and none of their values. */
const withoutDropped = (words: string, text: string) =>
  words.includes("--dry-run") ? text.replaceAll(/\bhunter2([-_]key[-_]\d+|-inside)\b/g, "…") : text;

/** The only upstream text that is stored is the ETag, in one field of a file that is not served: a conditional request
 * after a restart has to send it back. */
function withoutEtag(name: string, text: string): string {
  if (name !== "upstreams.json") return text;
  const { sources, ...more } = JSON.parse(text) as { sources: { etag?: string }[] };
  return JSON.stringify([more, sources.map(({ etag, ...rest }) => (etag === ETAG ? rest : { etag, ...rest }))]);
}

test.for(Object.entries(PLACES))("a secret in %s comes out nowhere", async ([, start]) => {
  const place = await start();
  const shown = await everythingShown(place);
  expect(secretsIn(shown)).toEqual([]);
  expect(SPELLINGS.some((secret) => place.received().includes(secret))).toBe(true);
  if (!place.publishes) return;
  const plans = shown.find(([name]) => name.startsWith("/api/v1/plans"))?.[1];
  expect(plans).toContain(JSON.stringify(vendorPlans()));
  expect(planted).toBeGreaterThan(15);
});

describe("the errors of a store have no secret", () => {
  const errorText = (error: unknown) => inspect(error, { depth: Infinity, showHidden: true });

  /** The error of every operation, with its causes. */
  async function errorsOf({ SNAPSHOTS = "", ...environment }: Environment): Promise<string> {
    const reader = openReader(SNAPSHOTS, environment);
    const attempts = [reader.get("plans.json"), reader.list("history"), write(SNAPSHOTS, environment)];
    const errors = await Promise.all(attempts.map((attempt) => attempt.then(() => "", errorText)));
    await reader.close();
    return errors.join("\n");
  }

  /** @throws AggregateError of every operation that failed, or the error of opening */
  async function write(location: string, environment: Environment): Promise<void> {
    const store = openStore(location, environment);
    const attempts = [store.put("plans.json", Buffer.from("{}")), store.remove("plans.json"), store.claim()];
    const results = await Promise.allSettled<unknown>(attempts);
    await store.close();
    throw new AggregateError(results.map((result) => (result.status === "rejected" ? (result.reason as unknown) : "")));
  }

  test.for(KNOWN)("%s, whether it repeats them or is away", async ([where, environmentOf]) => {
    for (const host of [(await startEchoingEngine()).host, "127.0.0.1:1"]) {
      expect(secretsIn([[where, await errorsOf(environmentOf(host))]])).toEqual([]);
    }
  });
});

test.skipIf(NO_REDIS !== undefined || !isIn("redis"))(
  "no line of a service, no answer and no process title shows one",
  async () => {
    const redis = await startRedis(onTestFinished);
    const allow = ["ACL", "SETUSER", USER, "on", `>${PASSWORD}`, "~*", "&*", "+@all"];
    expect(await redis.command(...allow)).toBe("+OK");
    const environment = {
      SNAPSHOTS: redis.location("acme").replace("//", `//${USER}:${ENCODED}@`),
      SCHEDULE: "* * * * * *",
      METRICS: "on",
      PORT: "0",
      // ioredis would print the words of every command.
      DEBUG: "*",
    };
    const { directory } = await startVendor();
    const text = await startProgram(["start"], { directory, environment });
    const service = launch("vitrine", ["start", "--log", "json"], { directory, environment });
    const [, base = ""] = await service.printed(/"base":"([^"]+)"/);
    const logs = () => [text.output() + text.errors(), service.output.stdout + service.output.stderr];
    const logged = (words: string) =>
      pollUntil(
        () => Promise.resolve(logs()),
        (texts) => texts.every((log) => log.includes(words)),
      );
    await redis.kill();
    await logged("cannot be read");
    await logged("failed: Redis");
    const back = await startRedis(onTestFinished, redis);
    expect(await back.command(...allow)).toBe("+OK");
    await logged("can be read again");

    const answers = await Promise.all([text.port, Number(new URL(base).port)].map(answersOf));
    const words = isIn("mcp") ? ["mcp", "--collect"] : ["collect"];
    const { stdout, stderr } = await launch("vitrine", words, { directory, environment }).ended;
    if (isIn("mcp")) expect(stderr).toContain("MCP on stdin and stdout");
    const title = await readFile(`/proc/${text.pid}/cmdline`, "utf8").catch(() => "");
    expect(secretsIn([...answers.flat(), ["rest", [...logs(), stdout, stderr, title].join("\n")]])).toEqual([]);
  },
);

test("a server forgets the sources of its settings, which it never asks", async () => {
  const canary = (what: string) => `${what}-of-the-collector-alone`;
  const url = `https://billing.acme.example/${canary("path")}`;
  const directory = await settingsDirectory({
    plans: { from: "json", url, headers: { authorization: `Bearer ${canary("token")}` } },
    releases: { from: "file", path: `${canary("file")}.json` },
    standIns: { [`https://${canary("host")}.example`]: "http://127.0.0.1:4010" },
    api: { name: "Acme Notes for everybody", description: "Plans, prices and releases of Acme Notes." },
    ...(isIn("witnesses") && {
      crossChecks: [{ facts: ["plans"], from: "json", url: `https://acme.example/${canary("witness")}` }],
    }),
  });
  const program = ["--heapsnapshot-signal=SIGUSR2", ...PROGRAM];
  const { get, signal } = await startProgram(["serve"], { directory, program });
  const written = () => readdir(directory).then((names) => names.find((name) => name.endsWith(".heapsnapshot")));
  signal("SIGUSR2");
  const name = await pollUntil(written, (file) => file !== undefined);
  // The process answers nothing while it writes.
  await get("/healthz");
  const heap = await readFile(join(directory, name ?? ""), "utf8");
  expect(heap.includes(directory)).toBe(true);
  expect(["path", "token", "file", "host", "witness"].filter((what) => heap.includes(canary(what)))).toEqual([]);
});
