// Private values stay private: markers are planted at every level of the upstream's answers, in a secret header and in
// the upstream's URL, and searched for in everything that the running program outputs.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { typeInProcess } from "../support/program/in-process.ts";
import { launch } from "../support/program/run.ts";
import { settingsDirectory } from "../support/program/settings.ts";
import { json, startUpstream, type Upstream } from "../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../support/collecting/vendor.ts";

/** The beginning of every marker: keys, values and anything else that is private. */
const MARK = "xyzzy";
const SECRET = `${MARK}-secret`;
/** The ETag of the upstream's documents. */
const STATE = `"${MARK}"`;

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

/** A vendor's upstream and settings, all with private values. */
async function startVendor() {
  const upstream = await startUpstream();
  const headers = { "x-api-key": "$SECRET", authorization: "Bearer $SECRET", cookie: `session=${MARK}-cookie` };
  const source = (path: string) => ({ from: "json", url: upstream.url(path), headers, pick: `/${MARK}-data` });
  const directory = await settingsDirectory({
    plans: source(`/${MARK}-plans?token=${MARK}`),
    releases: source(`/${MARK}-releases`),
    schedule: "* * * * * *",
  });
  const answer = (plans: unknown, releases: unknown) => {
    upstream.set(
      `/${MARK}-plans?token=${MARK}`,
      json({ [`${MARK}-data`]: plans }, { "x-trace": `${MARK}-trace`, etag: STATE }),
    );
    upstream.set(`/${MARK}-releases`, json({ [`${MARK}-data`]: releases }, { "set-cookie": `${MARK}=1` }));
  };
  return { upstream, directory, answer };
}

const rpc = (method: string, params: object = {}) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
});
const ASKED: [path: string, init?: RequestInit][] = [
  ["/"],
  ["/api/v1"],
  ["/api/v1/plans"],
  ["/api/v1/releases/latest"],
  ["/api/v1/releases/latest?platform=macos"],
  ["/api/v1/releases/latest?platform=windows"],
  ["/api/v1/releases/latest?platform=linux"],
  ["/nowhere"],
  ["/openapi.json"],
  ["/healthz"],
  ["/readyz"],
  ["/status"],
  ["/last-run.json"],
  ["/changes.atom"],
  ["/changes.json"],
  ["/badge/plans.svg"],
  ["/upstreams.json"],
  ["/plans.held.json"],
  ["/mcp", rpc("tools/list")],
  ["/mcp", rpc("tools/call", { name: "get_pricing" })],
  ["/mcp", rpc("tools/call", { name: "get_latest_version", arguments: { platform: "macos" } })],
  ["/mcp", rpc("tools/call", { name: "get_latest_version", arguments: { platform: "windows" } })],
  ["/mcp", rpc("resources/list")],
  ["/mcp", rpc("resources/read", { uri: "product://overview" })],
  ["/mcp", rpc("resources/read", { uri: "product://faq" })],
  ["/mcp", rpc("nothing/like/it")],
];

/** All outputs of the program that runs with these settings: name and text. */
async function outputsOf(
  base: string,
  directory: string,
  commandLines: string[][],
): Promise<[name: string, text: string][]> {
  const environment = { SECRET };
  const answers = ASKED.map(async ([path, init]): Promise<[string, string]> => {
    const response = await fetch(base + path, init);
    return [`${path} ${String(init?.body ?? "")}`, `${JSON.stringify([...response.headers])} ${await response.text()}`];
  });
  const commands = commandLines.map(async (words): Promise<[string, string]> => {
    const { code, stdout, stderr } = await typeInProcess(words, { directory, environment });
    return [words.join(" "), `exit ${code} ${stdout} ${stderr}`];
  });
  const facts = join(directory, "facts");
  const files = (await readdir(facts, { recursive: true })).map(async (name): Promise<[string, string]> => [
    name,
    withoutState(name, await readFile(join(facts, name), "utf8").catch(() => "swept")),
  ]);
  return Promise.all([...answers, ...commands, ...files]);
}

/** The only upstream text that is stored is the ETag, in one field of a file that is not served: a conditional request
 * after a restart has to send it back. */
function withoutState(name: string, text: string): string {
  if (name !== "upstreams.json") return text;
  const memory = JSON.parse(text) as { sources: { etag?: string }[] };
  const kept = memory.sources.map(({ etag, ...rest }) => (etag === STATE ? rest : { etag, ...rest }));
  return JSON.stringify({ ...memory, sources: kept });
}

function expectNothingPrivate(shown: [name: string, text: string][]): void {
  expect(shown.filter(([, text]) => text.includes(MARK))).toEqual([]);
}

function expectSecretSent({ requests }: Upstream): void {
  expect(requests.length).toBeGreaterThan(0);
  for (const { headers } of requests) {
    expect(headers).toMatchObject({ "x-api-key": SECRET, authorization: `Bearer ${SECRET}` });
  }
}

async function start(directory: string) {
  const program = launch("vitrine", ["start"], { directory, environment: { SECRET, PORT: "0" } });
  const [, port] = await program.printed(/^ +API +http:\/\/\S+:(\d+)\/api\/v1$/m);
  return { ...program, base: `http://127.0.0.1:${port}` };
}

test("private fields at every level and the secret header appear nowhere", async () => {
  const { upstream, directory, answer } = await startVendor();
  answer(plant(vendorPlans()), plant(vendorReleases()));
  const program = await start(directory);
  await program.printed(/(.* changed .*\n){3}/);
  expectSecretSent(upstream);
  expect(planted).toBeGreaterThan(15);

  const shown = await outputsOf(program.base, directory, [
    ["check"],
    ["check", "--json"],
    ["status"],
    ["status", "--json"],
    ["status", "--url", program.base],
    ["history", "--json"],
    ["diff", "--json"],
  ]);
  const plans = shown.find(([name]) => name.startsWith("/api/v1/plans"))?.[1];
  expect(plans).toContain(JSON.stringify(vendorPlans()));
  expectNothingPrivate(shown);

  const { code, stdout, stderr } = await program.stop("SIGTERM");
  expect(code).toBe(0);
  expect(stdout).toMatch(/plans .* \d+ unlisted fields dropped$/m);
  expectNothingPrivate([["log", stdout + stderr]]);
});
