// Whose facts a store has: two products that are pointed at one store by accident never publish, serve or show each other's.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { publish, readSnapshot } from "../../snapshots/facts.ts";
import { encodeSnapshot, productOf, SNAPSHOT_NAMES, type Snapshot } from "../../snapshots/snapshot.ts";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { Conflict, type Store } from "../../snapshots/store.ts";
import { startCollector } from "../support/collecting/collector.ts";
import { json, startUpstream } from "../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../support/collecting/vendor.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { hasStore, isIn } from "../support/program/feature.ts";
import { converseInProcess, typeInProcess } from "../support/program/in-process.ts";
import { isOffered } from "../support/program/offered.ts";
import { settingsDirectory } from "../support/program/settings.ts";
import { allSnapshots, startServer } from "../support/serving/server.ts";
import { factsIn, NOW, plansSnapshot } from "../support/snapshot.ts";

/** A vendor whose plans have this currency. `settings`: besides the sources. */
async function startVendor(settings: Record<string, unknown>, currency = "EUR") {
  const upstream = await startUpstream();
  upstream.set("/plans", json({ ...vendorPlans(), currency }));
  upstream.set("/releases", json(vendorReleases()));
  const from = (path: string) => ({ from: "json", url: upstream.url(path) });
  const sources = { plans: from("/plans"), releases: from("/releases") };
  const directory = await settingsDirectory({ ...settings, ...sources });
  return {
    upstream,
    directory,
    /** Runs a command, if need be with other settings. */
    run: async (words: string[], environment = {}, other?: Record<string, unknown>) => {
      if (other) await writeFile(join(directory, "vitrine.config.json"), JSON.stringify({ ...other, ...sources }));
      return typeInProcess(words, { directory, environment });
    },
  };
}

/** Values by key of all that a collector writes. */
async function contents(store: Store): Promise<Record<string, string>> {
  const ofNames = SNAPSHOT_NAMES.flatMap((name) => [`${name}.json`, `${name}.json.prev`, `${name}.held.json`]);
  const keys = [...ofNames, "last-run.json", "upstreams.json", "check.json", ...(await store.list("history"))];
  const entries = keys.toSorted().map(async (key) => {
    const stored = await store.get(key);
    return stored && stored !== "unchanged" ? [[key, Buffer.from(stored.bytes).toString()] as const] : [];
  });
  return Object.fromEntries((await Promise.all(entries)).flat());
}

describe("two products pointed at one store (snapshots/facts.ts)", () => {
  test("the second is refused by every command, and the first is untouched byte for byte", async () => {
    const SNAPSHOTS = join(await temporaryDirectory(), "facts");
    const [environment, store] = [{ SNAPSHOTS }, openStore(SNAPSHOTS)];
    onTestFinished(() => store.close());
    const acme = await startVendor({ api: { name: "Acme Nötes" } });
    const beta = await startVendor({ api: { name: "Beta Draw" } }, "USD");
    expect(await acme.run(["collect"], environment)).toMatchObject({ code: 0 });
    const before = await contents(store);
    expect(before["plans.json"]).toContain('"product":"acme-notes"');

    const refusal = `snapshots   ${environment.SNAPSHOTS}: the store has snapshots of the product "acme-notes", not of "beta-draw": use another location, or after a rename set "product": "acme-notes"`;
    for (const words of ["collect", "collect --dry-run", "collect --accept all", "history", "diff", "check"].filter(
      isOffered,
    )) {
      const { code, stdout, stderr } = await beta.run(words.split(" "), environment);
      expect({ words, code, stderr }).toEqual({ words, code: 2, stderr: expect.stringContaining(refusal) });
      expect(stderr.split(refusal)).toHaveLength(2);
      expect(stdout).not.toMatch(/EUR|3\.1\.0/);
    }
    expect(beta.upstream.requests).toEqual([]);
    if (isIn("status")) {
      const status = await beta.run(["status"], environment);
      expect(status.code).toBe(3);
      const reason = refusal.replace(/.* has snapshots /, "");
      expect(status.stdout.split(`      ${reason}\n`)).toHaveLength(4);
      expect(status.stdout).not.toContain("damaged");
    }
    expect(await contents(store)).toEqual(before);

    const held = isIn("guard") ? 4 : 0;
    expect(await beta.run(["collect"], environment, { product: "acme-notes" })).toMatchObject({ code: held });
    expect(await acme.run(["collect"], environment)).toMatchObject({ code: 0 });
    if (isIn("check")) expect(await acme.run(["check"], environment)).toMatchObject({ code: 0 });
  });
});

describe("a collector", () => {
  test("is refused though only one snapshot, or only a previous copy, names another product", async () => {
    const { directory, run } = await startVendor({ product: "beta", snapshots: "facts" });
    const [store, source] = [openStore(join(directory, "facts")), openStore(await temporaryDirectory())];
    const other = { ...plansSnapshot({ confirmedAt: Date.now() }), product: "acme" };
    await publish(source, other, { version: undefined });
    const read = await readSnapshot(factsIn(source), "plans");
    if (read.state !== "found") throw new Error("not published");
    await store.put("plans.json.prev", read.bytes);
    expect(await run(["collect"])).toMatchObject({ code: 2, stderr: expect.stringContaining('"product": "acme"') });
    expect(Object.keys(await contents(store))).toEqual(["plans.json.prev"]);
  });

  test("writes nothing over another product's snapshot that comes into the store during a run", async () => {
    const { run, store } = await startCollector();
    await run();
    const other = Buffer.from(encodeSnapshot({ ...plansSnapshot({ confirmedAt: Date.now() }), product: "acme" }));
    const put: Store["put"] = async (key, ...rest) => {
      if (key !== "plans.json") return store.put(key, ...rest);
      await store.put(key, other);
      throw new Conflict();
    };
    const { plans } = await run({ facts: factsIn({ ...store, put }, { product: "beta" }) });
    expect(plans).toMatchObject({ result: "failed", reason: expect.stringContaining('of the product "acme"') });
    expect(await store.get("plans.json")).toMatchObject({ bytes: other });
  });

  test("takes snapshots without a product for its own, and names it from then on", async () => {
    const { directory, run } = await startVendor({ snapshots: "facts" });
    expect(await run(["collect"])).toMatchObject({ code: 0 });
    const path = join(directory, "facts", "plans.json");
    const product = async () => (JSON.parse(await readFile(path, "utf8")) as Snapshot).product;
    expect(await product()).toBeUndefined();
    const named = { snapshots: "facts", api: { name: "Acme" } };
    expect(await run(["collect"], {}, named)).toMatchObject({ code: 0 });
    expect(await product()).toBe("acme");
    if (isIn("history")) expect(await readdir(join(directory, "facts", "history"))).toHaveLength(3);
    // It may be another product, so the name is not lost by leaving it out.
    const nameless = await run(["collect"], {}, { snapshots: "facts" });
    expect(nameless).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('of the product "acme", and the settings name none'),
    });
    expect(await product()).toBe("acme");
    expect(await run(["collect"], {}, { snapshots: "facts", product: "acme" })).toMatchObject({ code: 0 });
  });

  test("without a name opens no store that several may share, and neither does check", async () => {
    const engine = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void engine.close());
    await once(engine, "listening");
    let connections = 0;
    engine.on("connection", () => connections++);
    const { port } = engine.address() as AddressInfo;
    const { directory, run } = await startVendor({});
    const problem = /^ {2}product {3}is missing: .* set "product" \(such as "acme-notes"\) or api\.name$/m;
    for (const SNAPSHOTS of [`redis://127.0.0.1:${port}/0/acme`, "s3://facts/acme"].filter(hasStore)) {
      const keys = {
        AWS_ACCESS_KEY_ID: "a",
        AWS_SECRET_ACCESS_KEY: "b",
        AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
      };
      const environment = { ...keys, AWS_REGION: "eu-1", SNAPSHOTS };
      for (const words of ["collect", "collect --dry-run", "collect --watch", "start", "check"].filter(isOffered)) {
        const { code, stderr } = await run(words.split(" "), environment);
        expect({ words, code, stderr }).toEqual({ words, code: 2, stderr: expect.stringMatching(problem) });
      }
      if (!isIn("mcp")) continue;
      const mcp = converseInProcess(["--collect", "--config", "vitrine.config.json"], { directory, environment });
      expect(await mcp.exited).toBe(2);
    }
    expect(connections).toBe(0);
  });
});

describe("a reader", () => {
  const named = (product: string, snapshots: readonly Snapshot[] = allSnapshots()) =>
    snapshots.map((snapshot) => ({ ...snapshot, product }));
  const WARNING = /^snapshot plans: of the product "acme", not of "beta": .* set "product": "acme"; /;

  /** A server of the product `beta` over a directory. */
  async function startBeta(snapshots: readonly Snapshot[]) {
    const directory = await temporaryDirectory();
    const store = openStore(directory);
    for (const snapshot of snapshots) await publish(store, snapshot, { version: undefined });
    const server = await startServer({ store: openStore(directory), product: "beta", share: true });
    return { store, ...server };
  }

  test("answers 502 instead of another product's facts, and its log says why", async () => {
    const { get, warnings } = await startBeta(named("acme"));
    for (const path of [
      "/api/v1/plans",
      "/api/v1/releases/latest",
      ...(isIn("follow") ? ["/snapshots/plans.json"] : []),
    ]) {
      expect((await get(path)).status, path).toBe(502);
    }
    expect(warnings).toContainEqual(expect.stringMatching(WARNING));
  });

  test("keeps its own facts when another product's come into the store, until they are stale", async () => {
    const { get, store, clock, refresh, warnings } = await startBeta([...named("beta")]);
    const own = (await get("/api/v1/plans")).text;
    const [other] = named("acme", [plansSnapshot({ revision: 9, confirmedAt: NOW + 1_000 })]);
    if (!other) throw new Error("none");
    await publish(store, other, await readSnapshot(factsIn(store, { now: NOW }), "plans"));
    await refresh();
    expect(await get("/api/v1/plans")).toMatchObject({ status: 200, text: own });
    expect(warnings).toEqual([expect.stringMatching(WARNING)]);
    clock.pass(24 * 60 * 60_000);
    expect((await get("/api/v1/plans")).status).toBe(502);
  });

  test.runIf(isIn("history"))("shows no change of another product, though its history has no name", async () => {
    const acme = await startVendor({ snapshots: "facts" });
    await acme.run(["collect"]);
    await acme.run(["collect"], {}, { snapshots: "facts", product: "acme" });
    const store = openStore(join(acme.directory, "facts"));
    const { get } = await startServer({ store, product: "beta" });
    expect((await get("/changes.json")).status).toBe(502);
    expect((await get("/")).text).not.toContain("studio");
  });

  test.runIf(isIn("history"))("shows no change of another product among its own", async () => {
    const beta = await startVendor({ snapshots: "facts", product: "beta" });
    await beta.run(["collect"]);
    const folder = join(beta.directory, "facts", "history");
    const name = (await readdir(folder)).find((file) => file.startsWith("plans")) ?? "";
    const entry = JSON.parse(await readFile(join(folder, name), "utf8")) as object;
    await writeFile(join(folder, name), JSON.stringify({ ...entry, product: "acme" }));
    const { stdout } = await beta.run(["history"]);
    expect(stdout).toContain("windows");
    expect(stdout).not.toContain("plans");
  });

  test("that does not know its product answers with the facts of any", async () => {
    const { get } = await startServer({ snapshots: named("acme") });
    expect((await get("/api/v1/plans")).status).toBe(200);
  });
});

test.for([
  ["Acme Notes", "acme-notes"],
  ["  Ünïcode & Söhne GmbH. ", "unicode-sohne-gmbh"],
  ["ÄÖÜ straße Œuvre", "aou-strasse-oeuvre"],
  ["ＦＵＬＬ width №5", "full-width-no5"],
  ["x".repeat(63) + " yz", expect.stringMatching(/^x{55}-[0-9a-f]{8}$/)],
  ["東京", expect.stringMatching(/^product-[0-9a-f]{8}$/)],
] as const)("the product of %j is %s", ([name, product]) => {
  expect(productOf(name)).toEqual(product);
  expect(productOf(name)).toBe(productOf(name.normalize("NFD")));
});

test("products with names in other scripts are told apart", () => {
  expect(productOf("東京")).not.toBe(productOf("大阪"));
  expect(productOf("Notes 北京")).not.toBe(productOf("Notes 上海"));
  expect(productOf("C++")).not.toBe(productOf("C#"));
  expect(productOf("C++")).toMatch(/^c-[0-9a-f]{8}$/);
});

test.for(["Acme", "a_b", "", "a".repeat(65), "ä", 5])("the product %j is refused", async (product) => {
  const { run } = await startVendor({ product });
  expect(await run(["collect"])).toMatchObject({ code: 2, stderr: expect.stringMatching(/^ {2}product {3}/m) });
});
