// Every door that reads facts, over every store that it must not believe. A new door is one row of DOORS.
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createHandler } from "../../server/features/edge/handler.ts";
import { publish, readSnapshot } from "../../snapshots/facts.ts";
import { appendHistory } from "../../snapshots/features/history/history.ts";
import type { Snapshot } from "../../snapshots/snapshot.ts";
import { openReader, openStore } from "../../snapshots/stores/open-store.ts";
import { afterTests } from "../support/clean-up.ts";
import { body, startUpstream } from "../support/collecting/upstream.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { builtProgram } from "../support/program/built.ts";
import { isIn } from "../support/program/feature.ts";
import { startInProcess, typeInProcess } from "../support/program/in-process.ts";
import { isOffered } from "../support/program/offered.ts";
import { launch } from "../support/program/run.ts";
import { freePort } from "../support/port.ts";
import { startStdioInProcess } from "../support/program/stdio.ts";
import { BADGES, DOWNLOADS, FACTS, SHARED } from "../support/serving/prepared-targets.ts";
import { ask, pollUntil, startServer } from "../support/serving/server.ts";
import { newSigning, signedBy, trustIn } from "../support/signing.ts";
import { cycleOf, factsIn, planOf, plansSnapshot, releaseSnapshot, resealed } from "../support/snapshot.ts";

const HOUR = 3_600_000;
/** By the system's clock, as commands and examples have no other. */
const NOW = Date.now();
const BASE = "https://facts.acme.example";
const [OURS, STRANGER] = [newSigning({ issuer: BASE }), newSigning({ issuer: BASE })];
/** In each fact in the stores, and nowhere else. */
const MARK = "xyzzy";
/** Of a store that is away. */
const AWAY = "http://127.0.0.1:9/snapshots/";

/** How a store differs from one of our product that we have signed an hour ago. `edit`: of each stored value. */
interface Wrong {
  product?: string;
  time?: number;
  sign?: (snapshot: Snapshot) => Snapshot;
  edit?: (text: string) => string;
  /** For the operator. */
  why?: RegExp;
}

const STORES: Record<string, Wrong> = {
  right: {},
  unsigned: { sign: (snapshot) => snapshot, why: /it is not signed/ },
  "signed by another key": {
    sign: (snapshot) => signedBy(STRANGER, snapshot),
    why: /signed by a key that is not trusted/,
  },
  "of another product": { product: "beta", why: /of the product "beta", not of "acme"/ },
  "dated in the future": { time: NOW + 3 * HOUR, why: /confirmed in the future by \d+ min/ },
  damaged: { edit: (text) => text.replaceAll(MARK, `${MARK}-`), why: /checksum does not match/ },
};

/** What a door does: what its client sees, and what its operator reads. */
interface Seen {
  did: string;
  said: string;
}

/** Lets a client in by this door to the facts in a directory, which has settings, too. */
type Door = (directory: string) => Promise<Seen>;

/** `facts`: a client sees some. `why`: the operator reads what is wrong with the store. */
const DOORS: [name: string, door: Door, right: string, otherProduct: string, otherwise: string][] = [
  ["vitrine serve", serve, "200 facts", "502 why", "502 why"],
  ["a follower", follow, "200 facts", "502 why", "502 why"],
  ["the last copy", startFromCopy, "200 facts", "502 why", "502 why"],
  ["the edge", answerAtEdge, "200 facts", "502 why", "502 why"],
  ["examples/hosting", host, "200 facts", "502 why", "502 why"],
  ["vitrine mcp", converse, "answers facts", "unavailable why", "unavailable why"],
  ["vitrine status", command("status"), "exit 0", "exit 3 why", "exit 3 why"],
  ["vitrine history", command("history"), "exit 0 facts", "exit 2 why", "exit 0"],
  ["vitrine diff", command("diff"), "exit 0 facts", "exit 2 why", "exit 3"],
  ["vitrine collect", collect(), "confirmed", "exit 2 why", "changed why"],
  ["vitrine collect --dry-run", collect("--dry-run"), "confirmed", "exit 2 why", "change"],
];
const BY: Readonly<Record<string, string>> = {
  "a follower": "follow",
  "the last copy": "follow",
  "the edge": "edge",
  "examples/hosting": "hosting",
};
const OPEN = DOORS.filter(([name]) => (BY[name] ? isIn(BY[name]) : isOffered(name.replace("vitrine ", ""))));

const onFinished = afterTests();
let hosts: string;
let hosting: ReturnType<typeof launch>;
let hostingPort: number;
beforeAll(async () => {
  hosts = await temporaryDirectory(onFinished);
  for (const [name, wrong] of Object.entries(STORES)) await fill(directoryOf(name), wrong);
  if (!isIn("hosting")) return;
  const server = join(builtProgram() ?? "", "../../examples/hosting/server.mjs");
  hosting = launch(server, [hosts], { environment: { PORT: "0" }, onFinished });
  hostingPort = Number((await hosting.printed(/:(\d+)\n/))[1]);
}, 60_000);

describe.for(OPEN)("%s (snapshots/facts.ts)", ([, door, right, otherProduct, otherwise]) => {
  test.for(Object.entries(STORES))("over a store that is %s", async ([name, { why = /(?!)/ }]) => {
    const { did, said } = await door(directoryOf(name));
    const expected = name === "right" ? right : name === "of another product" ? otherProduct : otherwise;
    // Long lines are wrapped on a terminal.
    expect(`${did}${why.test(said.replaceAll(/\s+/g, " ")) ? " why" : ""}`, said).toBe(expected);
  });
});

/** A host's folder, for examples/hosting. */
function directoryOf(store: string): string {
  return join(hosts, `${store.replaceAll(" ", "-")}.example`);
}

/** Makes a vendor's directory with two revisions of each fact, their previous copies and their history in the store, and settings
 * that collect the second ones again. */
async function fill(directory: string, { product = "acme", time = NOW - HOUR, sign, edit }: Wrong): Promise<void> {
  const data = join(directory, "snapshots/data");
  const facts = factsIn(openStore(data), { product, now: Infinity });
  const [first, second] = [factsAt(1, time), factsAt(2, time + 1_000)];
  for (const fact of [first, second].flatMap((one) => Object.values(one))) {
    const snapshot = (sign ?? ((one) => signedBy(OURS, one)))({ ...fact, product });
    await publish(facts.store, snapshot, await readSnapshot(facts, snapshot.name));
    await appendHistory(facts, snapshot);
  }
  if (edit) {
    const files = (await readdir(data, { recursive: true })).filter((file) => /\.json(\.prev)?$/.test(file));
    for (const path of files.map((file) => join(data, file))) await writeFile(path, edit(await readFile(path, "utf8")));
  }
  const latest = ({ payload }: Snapshot) => ("latest" in payload ? payload.latest : undefined);
  const documents = {
    "vitrine.config.json": SETTINGS,
    "plans.json": second.plans.payload,
    "releases.json": { macos: latest(second.macos), windows: latest(second.windows) },
  };
  for (const [file, document] of Object.entries(documents))
    await writeFile(join(directory, file), JSON.stringify(document));
}

const SETTINGS = {
  product: "acme",
  trust: [OURS.key.publicKey],
  signing: { key: "$SIGNING_KEY" },
  share: true,
  api: { name: "Acme", baseUrl: BASE },
  plans: { from: "file", path: "plans.json" },
  releases: { from: "file", path: "releases.json" },
};
const environment = { SIGNING_KEY: OURS.key.privateKey.export({ format: "der", type: "pkcs8" }).toString("base64") };

function factsAt(revision: number, confirmedAt: number): Record<"plans" | "macos" | "windows", Snapshot> {
  const wanted = { revision, confirmedAt };
  const plans = { currency: "EUR", cycles: [cycleOf("monthly", 1)], plans: [planOf(MARK, { monthly: revision })] };
  const release = { version: `1.${revision}.0-${MARK}`, downloadURL: `https://acme.example/${MARK}.zip` };
  return {
    plans: resealed(plansSnapshot(wanted), plans),
    macos: releaseSnapshot("macos", wanted, release),
    windows: releaseSnapshot("windows", wanted, release),
  };
}

interface Answered {
  status: number;
  text: string;
  headers: object;
}

/** The status of the facts, and whether any answer has something of them. */
async function tour(get: (path: string) => Promise<Answered>): Promise<string> {
  const statuses = new Set<number>();
  for (const path of FACTS) statuses.add((await get(path)).status);
  const shown: string[] = [];
  for (const path of [...FACTS, ...OTHERS]) shown.push(JSON.stringify(await get(path)));
  return withFacts([...statuses].join(), shown.join());
}

function withFacts(did: string, shown: string): string {
  return `${did}${shown.includes(MARK) ? " facts" : ""}`;
}

const OTHERS = [
  ...SHARED,
  ...DOWNLOADS,
  "/",
  "/embed.json",
  ...BADGES,
  "/llms.txt",
  "/changes.json",
  "/history/plans",
  "/proofs/plans.jwt",
  "/status",
];

async function serve(directory: string, settings = {}): Promise<Seen> {
  const port = await freePort();
  const all = { ...environment, PORT: String(port), ...settings };
  const { errors } = await startInProcess(["serve"], { directory, environment: all });
  return { did: await tour((path) => ask(port, path)), said: errors() };
}

/** Of a host that has the store as files. */
async function follow(directory: string): Promise<Seen> {
  const origin = await startUpstream();
  for (const path of SHARED)
    origin.set(path, body(await readFile(join(directory, path.replace("/snapshots", "/snapshots/data")))));
  return serve(directory, { SNAPSHOTS: origin.url("/snapshots/") });
}

async function startFromCopy(directory: string): Promise<Seen> {
  const [store, lastCopy] = [openReader(AWAY), openStore(join(directory, "snapshots/data"))];
  onTestFinished(() => store.close());
  const belief = { product: SETTINGS.product, trust: trustIn(OURS), now: NOW };
  const { get, warnings } = await startServer({ ...belief, store, lastCopy, share: true });
  return { did: await tour(get), said: warnings.join() };
}

async function answerAtEdge(directory: string): Promise<Seen> {
  const warnings: string[] = [];
  const store = openStore(join(directory, "snapshots/data"));
  const get = async (key: string) => {
    const stored = await store.get(key);
    return typeof stored === "object" ? stored.bytes : undefined;
  };
  const { product, trust, share, api } = SETTINGS;
  const platform = { get, list: (folder: string) => store.list(folder) };
  const warn = (line: string) => void warnings.push(line);
  const handler = createHandler({ product, trust, share, api, store: platform, warn });
  const did = await tour(async (path) => {
    const answer = await handler(new Request(BASE + path));
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
  });
  return { did, said: warnings.join() };
}

async function host(directory: string): Promise<Seen> {
  const name = directory.slice(hosts.length + 1);
  const get = (path: string) => ask(hostingPort, path, { headers: { host: name } });
  const linesOf = () => hosting.output.stderr.split("\n").filter((line) => line.startsWith(`${name}: `));
  // A busy computer may answer the first requests with 502.
  await pollUntil(
    () => get(FACTS[0]),
    ({ status }) => status === 200 || linesOf().length > 0,
  );
  return { did: await tour(get), said: linesOf().join() };
}

async function converse(directory: string): Promise<Seen> {
  const { ask: askTool, errors, end } = startStdioInProcess({ directory, environment });
  const answers: unknown[] = [];
  for (const [name, words] of TOOLS) answers.push(await askTool("tools/call", { name, arguments: words }));
  await end();
  const text = JSON.stringify(answers);
  return { did: withFacts(text.includes('"isError":true') ? "unavailable" : "answers", text), said: errors() };
}

const TOOLS = [
  ["get_pricing", {}],
  ["get_latest_version", { platform: "macos" }],
] as const;

function command(...words: string[]): Door {
  return async (directory) => {
    const { code, stdout, stderr } = await typeInProcess(words, { directory, environment });
    return { did: withFacts(`exit ${code}`, stdout), said: stdout + stderr };
  };
}

/** The upstreams have what the right store has. */
function collect(...flags: string[]): Door {
  return async (given) => {
    const directory = await temporaryDirectory();
    await cp(given, directory, { recursive: true });
    const { code, stdout, stderr } = await typeInProcess(["collect", ...flags], { directory, environment });
    const results = new Set(stdout.match(/(confirmed|changed?)(?= {2,}| \()/g));
    return { did: code === 0 ? [...results].join() : `exit ${code}`, said: stdout + stderr };
  };
}
