// Metrics are off by default. If they are on, every answer is counted on every path, clients cannot add labels, and
// Prometheus' own tool accepts them.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { putReport, writeReport } from "../../../snapshots/records.ts";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { isIn } from "../../support/program/feature.ts";
import { runInProcess } from "../../support/program/in-process.ts";
import { freePort } from "../../support/port.ts";
import { NO_PROMTOOL, promtool } from "../../support/program/promtool.ts";
import { sampleDirectory } from "../../support/program/settings.ts";
import { sendRaw } from "../../support/serving/raw-connection.ts";
import { ask, startServer } from "../../support/serving/server.ts";
import { factsIn, plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const ROOT = join(import.meta.dirname, "../../..");
const HOUR = 3_600_000;
const PLANS = "/api/v1/plans";

/** Samples by name and labels, such as `vitrine_snapshot_held{snapshot="plans"}`. */
function samples(text: string): Record<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
  );
}

const requests = (route: string, status: number) => `vitrine_http_requests_total{route="${route}",status="${status}"}`;
const calls = (method: string, tool = "") => `vitrine_mcp_calls_total{method="${method}",tool="${tool}"}`;

function call(port: number, method: string, params?: object) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return ask(port, "/mcp", { method: "POST", headers: { "content-type": "application/json" }, body });
}

describe("the address (server/features/metrics/metrics.ts)", () => {
  test("does not exist by default", async () => {
    const { get, metricsAddress } = await startServer();
    expect((await get("/metrics")).status).toBe(404);
    expect(metricsAddress).toBeUndefined();
  });

  test("answers GET and HEAD, ignores conditions, and is not cacheable", async () => {
    const { get, port, base, metricsAddress } = await startServer({ metrics: "on" });
    expect(metricsAddress).toBe(`${base}/metrics`);
    const reply = await get("/metrics", { "if-none-match": "*", "if-modified-since": new Date().toUTCString() });
    expect(reply).toMatchObject({
      status: 200,
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" },
    });
    expect(reply.headers).not.toHaveProperty("access-control-allow-origin");
    const head = await ask(port, "/metrics?x=1", { method: "HEAD" });
    expect(head).toMatchObject({ status: 200, text: "", headers: { "content-type": reply.headers["content-type"] } });
    const post = await ask(port, "/metrics", { method: "POST" });
    expect(post).toMatchObject({ status: 405, headers: { allow: "GET, HEAD, OPTIONS" } });
  });

  test("can be separate: then it has only the metrics, and they are nowhere else", async () => {
    const own = await freePort();
    const { get, metricsAddress } = await startServer({ metrics: { host: "127.0.0.1", port: own } });
    expect(metricsAddress).toBe(`http://localhost:${own}/metrics`);
    await get(PLANS);
    expect((await get("/metrics")).status).toBe(404);
    expect((await ask(own, PLANS)).status).toBe(404);
    const seen = samples((await ask(own, "/metrics")).text);
    expect(seen).toMatchObject({ [requests(PLANS, 200)]: 1, [requests("/metrics", 404)]: 1 });
  });

  test("is named in the error if it is not available, and the server does not start", async () => {
    const { port: taken } = await startServer();
    const port = await freePort();
    await expect(startServer({ port, metrics: { host: "127.0.0.1", port: taken } })).rejects.toThrow(
      `cannot serve metrics on 127.0.0.1:${taken}: the port is in use`,
    );
    // And it has released its other address.
    await startServer({ port });
  });
});

describe("counted", () => {
  test.for([true, false])("is each answer, on every path; express lane: %s", async (expressLane) => {
    const snapshots = [plansSnapshot(), releaseSnapshot("macos")];
    const { get, port } = await startServer({ metrics: "on", expressLane, snapshots });
    const { headers } = await get(PLANS);
    await get(PLANS, { "if-none-match": String(headers.etag) });
    await ask(port, PLANS, { method: "HEAD" });
    await get("/api/v1/releases/latest?platform=windows");
    await get("/api/v1/releases/latest?platform=linux");
    await get("/api/v1/releases/latest");
    await sendRaw(port, "garbage\r\n\r\n");
    await sendRaw(port, "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
    await call(port, "tools/list");
    expect(samples((await get("/metrics")).text)).toMatchObject({
      [requests(PLANS, 200)]: 2,
      [requests(PLANS, 304)]: 1,
      [requests("/api/v1/releases/latest", 200)]: 1,
      [requests("/api/v1/releases/latest", 502)]: 1,
      [requests("/api/v1/releases/latest", 400)]: 1,
      ...(isIn("page") && { [requests("/", 400)]: 1 }),
      ...(isIn("mcp") && { [requests("/mcp", 200)]: 1 }),
      [requests("other", 400)]: isIn("page") ? 1 : 2,
    });
  });

  test.runIf(isIn("mcp"))("are MCP calls, by method and tool", async () => {
    const { get, port } = await startServer({ metrics: "on" });
    await call(port, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "a", version: "1" },
    });
    await call(port, "tools/call", { name: "get_pricing" });
    await call(port, "tools/call", { name: "get_latest_version", arguments: { platform: "windows" } });
    await call(port, "tools/call", { name: "get_latest_version", arguments: { platform: "linux" } });
    expect(samples((await get("/metrics")).text)).toMatchObject({
      [calls("initialize")]: 1,
      [calls("tools/call", "get_pricing")]: 1,
      [calls("tools/call", "get_latest_version")]: 2,
    });
  });

  test("are unknown routes, methods and tools as one label: clients cannot add labels", async () => {
    const { get, port } = await startServer({ metrics: "on" });
    const before = Object.keys(samples((await get("/metrics")).text)).length;
    for (const stranger of ["a", "b", "constructor", "__proto__", "other"]) {
      await get(`/${stranger}`);
      await call(port, stranger);
      await call(port, "tools/call", { name: stranger });
    }
    const seen = samples((await get("/metrics")).text);
    const ofMessages = isIn("mcp") ? { [calls("other")]: 5, [calls("tools/call", "other")]: 5 } : {};
    expect(seen).toMatchObject({ ...ofMessages, [requests("other", 404)]: isIn("mcp") ? 5 : 15 });
    // Those, and the answers of /mcp and of /metrics.
    expect(Object.keys(seen).length - before).toBe(isIn("mcp") ? 5 : 2);
  });
});

describe("exposed", () => {
  test("is the remaining lifetime of each snapshot: negative if it is stale, absent if it is missing", async () => {
    const { get, clock } = await startServer({
      snapshots: [plansSnapshot(), { ...releaseSnapshot("macos"), freshUntil: "2026-03-01T13:00:00.000Z" }],
      metrics: "on",
    });
    clock.pass(2 * HOUR);
    const { text } = await get("/metrics");
    expect(samples(text)).toMatchObject({
      [`vitrine_build_info{version="1.2.3",node_version="${process.versions.node}"}`]: 1,
      'vitrine_snapshot_servable{snapshot="plans"}': 1,
      'vitrine_snapshot_servable{snapshot="release-macos"}': 0,
      'vitrine_snapshot_servable{snapshot="release-windows"}': 0,
      'vitrine_snapshot_fresh_seconds{snapshot="plans"}': 22 * 3600,
      'vitrine_snapshot_fresh_seconds{snapshot="release-macos"}': -3600,
      'vitrine_snapshot_lifetime_seconds{snapshot="plans"}': 24 * 3600,
      'vitrine_snapshot_collected_timestamp_seconds{snapshot="plans"}': Date.parse("2026-03-01T12:00:00.000Z") / 1000,
    });
    expect(text).not.toContain('vitrine_snapshot_fresh_seconds{snapshot="release-windows"}');
  });

  test("are collections by any process, and the counts continue after a restart of either", async () => {
    const vendor = await sampleDirectory();
    const before = await startServer({ snapshots: [], metrics: "on" });
    const collect = () => runInProcess(["collect", "--snapshots", before.directory], vendor);
    const count = (result: string) => `vitrine_collections_total{snapshot="plans",result="${result}"}`;
    await collect();
    await before.refresh();
    const seen = samples((await before.get("/metrics")).text);
    expect(seen).toMatchObject({ [count("changed")]: 1, [count("confirmed")]: 0, [count("failed")]: 0 });
    expect(seen['vitrine_last_collection_duration_seconds{snapshot="plans"}']).toBeGreaterThanOrEqual(0);
    await writeFile(join(vendor, "product/plans.json"), "{}");
    await collect();
    const report = await readFile(join(before.directory, "last-run.json"));
    const after = await startServer({
      prepare: (directory) => writeFile(join(directory, "last-run.json"), report),
      metrics: "on",
    });
    expect(samples((await after.get("/metrics")).text)).toMatchObject({ [count("changed")]: 1, [count("failed")]: 1 });
  });

  test("have a usual interval, which one run by hand does not change", async () => {
    const at = ["12:00:00", "12:15:00", "12:30:00", "12:45:00", "12:46:00", "13:00:00"];
    const collections = at.map((time) => ({ at: `2026-03-01T${time}.000Z`, result: "confirmed" }));
    const report = {
      format: 2,
      outcomes: [],
      collections: { plans: collections, "release-macos": collections.slice(0, 1) },
    };
    const { get } = await startServer({
      prepare: (directory) => writeFile(join(directory, "last-run.json"), JSON.stringify(report)),
      metrics: "on",
    });
    const { text } = await get("/metrics");
    expect(samples(text)).toMatchObject({ 'vitrine_collection_interval_seconds{snapshot="plans"}': 900 });
    expect(text).not.toContain('vitrine_collection_interval_seconds{snapshot="release-macos"}');
  });

  test("is every metric that the alerts use", async () => {
    const { get } = await startServer({ metrics: "on" });
    const { text } = await get("/metrics");
    const rules = await readFile(join(ROOT, "examples/alerts/vitrine.yml"), "utf8");
    const wanted = new Set(rules.match(/\bvitrine_\w+/g));
    expect(wanted.size).toBeGreaterThan(1);
    for (const name of wanted) expect(text).toContain(`# TYPE ${name} `);
  });
});

test("a snapshot is disputed once its cross-check has disagreed for twelve hours; /status says since when, and nothing of a witness", async () => {
  const { get, base, directory, refresh } = await startServer({ metrics: "on" });
  const store = openStore(directory);
  const report = await writeReport(factsIn(store), [{ name: "plans", result: "confirmed", milliseconds: 1 }]);
  const since = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();
  const witness = "github acme/secret";
  const check = (name: SnapshotName, hours: number) => {
    const disagreement = { since: since(hours), published: "1.2", found: "1.3" };
    return { name, fingerprint: "f", witness, askedAt: since(0), ...(hours > 0 && { disagreement }) };
  };
  const crossChecks = [check("plans", 12.1), check("release-macos", 11.9), check("release-macos", 0)];
  await putReport(store, { ...report, crossChecks });
  await refresh();
  const { text } = await get("/metrics");
  const gauge = (name: string) => samples(text)[`vitrine_cross_check_disagreement{snapshot="${name}"}`];
  expect(["plans", "release-macos", "release-windows"].map(gauge)).toEqual([1, 0, undefined]);
  if (!isIn("probes", "status")) return;
  const status = await get("/status");
  const { snapshots } = status.json() as { snapshots: { disagreements?: object[] }[] };
  expect(snapshots.map(({ disagreements }) => disagreements)).toEqual([
    [{ since: crossChecks[0]?.disagreement?.since }],
    [{ since: crossChecks[1]?.disagreement?.since }],
    undefined,
  ]);
  expect(status.text).not.toMatch(/acme|github|(?<!\d)1\.3(?!\d)/);
  const shown = await runInProcess(["status", "--url", base], directory);
  expect(shown.code).toBe(5);
  expect(shown.stdout.match(/a cross-check disagrees since .* UTC\n/g)).toHaveLength(2);
});

describe.skipIf(NO_PROMTOOL)(`promtool${NO_PROMTOOL ? ` (${NO_PROMTOOL})` : ""}`, () => {
  test("accepts the metrics", async () => {
    const { get, port } = await startServer({ metrics: "on" });
    await get(PLANS);
    await call(port, "tools/list");
    const { text } = await get("/metrics");
    expect(await promtool(["check", "metrics"], text)).toEqual({ code: 0, complaints: "" });
  });

  test("accepts the alerts, and they fire when they should", async () => {
    const alerts = join(ROOT, "examples/alerts/vitrine.yml");
    expect(await promtool(["check", "rules", "--lint-fatal", alerts])).toEqual({ code: 0, complaints: "" });
    expect(await promtool(["test", "rules", join(import.meta.dirname, "alerts.yml")])).toEqual({
      code: 0,
      complaints: "",
    });
  });
});
