// The settings of signatures: the key is in the environment only, and whatever is wrong with it stops the collector.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { signingKey } from "../../../snapshots/features/signatures/proof.ts";
import { vendorPlans } from "../../support/collecting/vendor.ts";
import { isIn } from "../../support/program/feature.ts";
import { converseInProcess, runInProcess, startInProcess, typeInProcess } from "../../support/program/in-process.ts";
import { isOffered } from "../../support/program/offered.ts";
import { settingsDirectory } from "../../support/program/settings.ts";
import { pollUntil } from "../../support/serving/server.ts";
import { forged, newSigning } from "../../support/signing.ts";

const BASE = "https://api.acme.com";
const FACTS = { plans: "none", releases: "none", product: "acme" };
const SIGNED = { ...FACTS, api: { baseUrl: BASE }, signing: { key: "$SIGNING_KEY" } };
const [OTHER = "", ...FURTHER] = Array.from({ length: 6 }, () => newSigning().key.publicKey);

async function keygen() {
  const { stdout, code } = await runInProcess(["keygen"], ".");
  const { publicKey = "", key = "" } =
    /^# public key: (?<publicKey>[\w-]{43})\nSIGNING_KEY=(?<key>[\w+/=]+)\n$/.exec(stdout)?.groups ?? {};
  return { code, publicKey, key };
}

async function collect(settings: object, environment: Record<string, string>, words = ["collect"]) {
  const directory = await settingsDirectory(settings);
  const run = await typeInProcess(words, { directory, environment });
  return { ...run, plans: () => readFile(join(directory, "facts/plans.json"), "utf8") };
}

test("keygen prints an environment file with a key that signs, another one each time", async () => {
  const [one, another] = [await keygen(), await keygen()];
  expect(one.code).toBe(0);
  expect(signingKey(one.key, "").publicKey).toBe(one.publicKey);
  expect(another.publicKey).not.toBe(one.publicKey);
});

test("a collector with that line in its environment publishes signed facts", async () => {
  const { key, publicKey } = await keygen();
  // As after a change of keys, when the new one is still in the list.
  const signing = { key: "$SIGNING_KEY", also: [OTHER, publicKey] };
  const api = { name: "Acme", baseUrl: BASE };
  const { plans, ...run } = await collect({ ...SIGNED, api, signing }, { SIGNING_KEY: key });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(await plans()).keys).toEqual([publicKey, OTHER]);
  expect(await plans()).not.toContain(key);
});

describe("nothing is published (collector/features/signatures/signing.ts)", () => {
  test.for([
    ["without the variable", SIGNED, {}, "signing   the environment variable SIGNING_KEY is not set"],
    ["with no key in it", SIGNED, { SIGNING_KEY: "hunter2secret" }, "SIGNING_KEY is no private key"],
    ["without a base URL", { ...SIGNED, api: {} }, { SIGNING_KEY: "x" }, "signing   needs api.baseUrl"],
    [
      "with a base URL for which a proof could be too long",
      { ...SIGNED, api: { baseUrl: `${BASE}/${"a".repeat(256)}` } },
      { SIGNING_KEY: "x" },
      "signing   needs an api.baseUrl of at most 128 characters",
    ],
    ["with six further keys", { ...SIGNED, signing: { key: "$K", also: [OTHER, ...FURTHER] } }, {}, "at most 5 keys"],
    ["with trust and no signature", { ...SIGNED, signing: undefined, trust: [OTHER] }, {}, "signing   is missing"],
  ] as const)("%s", async ([, settings, environment, problem], { expect }) => {
    for (const words of ["collect", "collect --dry-run", "check"].filter(isOffered)) {
      const { code, stderr, plans } = await collect(settings, environment, words.split(" "));
      expect(code).toBe(2);
      expect(stderr).toContain(problem);
      expect(stderr).not.toContain("hunter2");
      await expect(plans()).rejects.toThrow("ENOENT");
    }
  });

  test.for<[mistake: string, written: (key: string) => string]>([
    ["has a name before the key: leave that out", (key) => `SIGNING_KEY=${key}`],
    ["is in Base64 twice: decode it once", (key) => Buffer.from(key).toString("base64")],
    ["is in PEM: leave out its first and its last line", (key) => `-----BEGIN KEY-----\n${key}\n-----END KEY-----\n`],
    ["is no whole key: give it as vitrine keygen has written it", (key) => key.slice(0, -4)],
    ["is a path: give what is in that file", () => "/etc/vitrine/hunter2.pem"],
  ])("with a key that %s", async ([mistake, written]) => {
    const { key } = await keygen();
    const SIGNING_KEY = written(key);
    const { code, stderr } = await collect(SIGNED, { SIGNING_KEY });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`SIGNING_KEY ${mistake}`)]);
    expect(stderr).not.toMatch(new RegExp(`hunter2|${key.slice(20, 40).replaceAll("+", "\\+")}`));
  });

  test("with the key in the settings, in any place, and it is not printed", async () => {
    const { key } = await keygen();
    const places = [key, { key }, { key: "$SIGNING_KEY", also: [key] }].map((signing) => ({ ...SIGNED, signing }));
    for (const settings of [...places, { ...SIGNED, trust: [key] }, { ...SIGNED, trust: key }]) {
      const { code, stdout, stderr } = await collect(settings, { SIGNING_KEY: key });
      expect(code).toBe(2);
      expect(stdout + stderr).not.toContain(key.slice(20, 40));
    }
  });

  test("with a key that readers with the same settings do not trust", async () => {
    const { key, publicKey } = await keygen();
    const { code, stderr } = await collect({ ...SIGNED, trust: [OTHER] }, { SIGNING_KEY: key });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(`add ${publicKey} there`) });
  });

  test("for another issuer than those that readers with the same settings trust", async () => {
    const { key, publicKey } = await keygen();
    const trusting = (issuer: string | string[]) =>
      collect({ ...SIGNED, trust: { issuer, keys: [publicKey] } }, { SIGNING_KEY: key });
    const { code, stderr } = await trusting("https://facts.acme.com");
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(`signs: write ${BASE} there`) });
    expect((await trusting(["https://facts.acme.com", BASE])).code).toBe(0);
  });
});

describe("trust is refused", () => {
  test.for([
    ["without a key", { trust: [] }, "must have a public key"],
    ["with what is no key", { trust: ["A".repeat(44)] }, "must be a public key of 43 characters"],
    ["with a text", { trust: OTHER }, "has 1 problem\n  trust   must be a list of public keys"],
    ["with seven keys", { trust: [OTHER, ...FURTHER, OTHER] }, "at most 6 keys"],
    ["without keys", { trust: { issuer: BASE } }, "trust.keys"],
    ["with an issuer that is no URL", { trust: { issuer: "api.acme.com", keys: [OTHER] } }, "must be the base URL"],
    ["with keys alone and no base URL", { trust: [OTHER] }, 'set api.baseUrl, or write { "issuer"'],
  ] as const)("%s", async ([, settings, problem], { expect }) => {
    for (const command of ["status", "serve", "history", "mcp"].filter(isOffered)) {
      const { code, stderr } = await collect({ ...FACTS, ...settings }, {}, [command]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) });
    }
  });
});

test.runIf(isIn("mcp"))("settings that were only found get no key", async () => {
  const { code, stderr } = await collect(SIGNED, { SIGNING_KEY: "x" }, ["mcp", "--collect"]);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("variable SIGNING_KEY") });
});

describe("with trust", () => {
  /** Signed facts in a directory, whose price was edited later, and settings that trust the key. */
  async function startForged() {
    const { key, publicKey } = await keygen();
    const directory = await settingsDirectory({ ...SIGNED, plans: { from: "file", path: "plans.json" } });
    await writeFile(join(directory, "plans.json"), JSON.stringify(vendorPlans()));
    await writeFile(
      join(directory, "trust.json"),
      JSON.stringify({ ...FACTS, ...trustFrom(publicKey), snapshots: "facts" }),
    );
    const run = (words: string[]) => typeInProcess(words, { directory, environment: { SIGNING_KEY: key } });
    expect((await run(["collect"])).code).toBe(0);
    const path = join(directory, "facts/plans.json");
    const edited = forged(await readFile(path), "plans", ({ payload }) => ({
      payload: { ...payload, currency: "XXX" },
    }));
    const before = await run(["status", "--config", "trust.json"]);
    await writeFile(path, edited);
    return { run, directory, before };
  }
  const trustFrom = (key: string) => ({ trust: { issuer: "HTTPS://API.acme.com/", keys: [key] } });

  test.runIf(isIn("status", "mcp"))("status, history and an agent get nothing false, and status says why", async () => {
    const { run, directory, before } = await startForged();
    expect(before).toMatchObject({ code: 0, stdout: expect.not.stringContaining("damaged") });
    const { code, stdout } = await run(["status", "--config", "trust.json"]);
    expect({ code, stdout }).toEqual({
      code: 3,
      stdout: expect.stringContaining("damaged: its proof is of other facts"),
    });
    expect((await run(["status"])).code).toBe(0);
    const mcp = converseInProcess(["--config", "trust.json"], { directory });
    mcp.stdin.end(
      `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_pricing" } })}\n`,
    );
    const answer = await text(mcp.stdout);
    expect(JSON.parse(answer).result).toMatchObject({ isError: true });
    expect(answer).not.toContain("XXX");
  });

  test("the collector replaces a forgery by what its source says", async () => {
    const { run } = await startForged();
    if (isIn("dry-run")) expect((await run(["collect", "--dry-run"])).stdout).not.toContain("XXX");
    expect((await run(["collect"])).stdout).toContain("replaced a damaged snapshot (its proof is of other facts");
    if (isIn("status")) expect(await run(["status", "--config", "trust.json"])).toMatchObject({ code: 0 });
  });

  test("serve warns if the facts are signed for another API than its own", async () => {
    const { directory, run } = await startForged();
    await run(["collect"]);
    const other = await startInProcess(["serve"], { directory, environment: { BASE_URL: "https://other.acme.com" } });
    await pollUntil(
      async () => other.errors(),
      (lines) => lines.includes(`signed for ${BASE}, and this server is https://other`),
    );
    const own = await startInProcess(["serve", "--config", "trust.json"], { directory });
    expect((await own.get("/api/v1/plans")).status).toBe(200);
    expect(own.errors()).not.toContain("signed for");
  });
});
