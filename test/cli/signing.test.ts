// The settings of signatures: the key is in the environment only, and whatever is wrong with it stops the collector.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { signingKey } from "../../snapshots/proof.ts";
import { runInProcess, typeInProcess } from "../support/program/in-process.ts";
import { settingsDirectory } from "../support/program/settings.ts";
import { newSigning } from "../support/signing.ts";

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
  const { plans, ...run } = await collect({ ...SIGNED, signing }, { SIGNING_KEY: key });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(await plans()).keys).toEqual([publicKey, OTHER]);
  expect(await plans()).not.toContain(key);
});

describe("nothing is published", () => {
  test.for([
    ["without the variable", SIGNED, {}, "signing   the environment variable SIGNING_KEY is not set"],
    ["with no key in it", SIGNED, { SIGNING_KEY: "hunter2secret" }, "SIGNING_KEY is no private key"],
    ["without a base URL", { ...SIGNED, api: {} }, { SIGNING_KEY: "x" }, "signing   needs api.baseUrl"],
    [
      "with a base URL for which a proof could be too long",
      { ...SIGNED, api: { baseUrl: `${BASE}/${"a".repeat(256)}` } },
      { SIGNING_KEY: "x" },
      "signing   needs an api.baseUrl of at most 256 characters",
    ],
    ["with six further keys", { ...SIGNED, signing: { key: "$K", also: [OTHER, ...FURTHER] } }, {}, "at most 5 keys"],
    ["with trust and no signature", { ...SIGNED, signing: undefined, trust: [OTHER] }, {}, "signing   is missing"],
  ] as const)("%s", async ([, settings, environment, problem], { expect }) => {
    for (const words of [["collect"], ["collect", "--dry-run"], ["check"]]) {
      const { code, stderr, plans } = await collect(settings, environment, words);
      expect(code).toBe(2);
      expect(stderr).toContain(problem);
      expect(stderr).not.toContain("hunter2");
      await expect(plans()).rejects.toThrow("ENOENT");
    }
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
});

describe("trust is refused", () => {
  test.for([
    ["without a key", { trust: [] }, "must have a public key"],
    ["with what is no key", { trust: ["A".repeat(44)] }, "must be a public key of 43 characters"],
    ["without keys", { trust: { issuer: BASE } }, "trust.keys"],
    ["with an issuer that is no URL", { trust: { issuer: "api.acme.com", keys: [OTHER] } }, "must be the base URL"],
    ["with keys alone and no base URL", { trust: [OTHER] }, 'set api.baseUrl, or write { "issuer"'],
  ] as const)("%s", async ([, settings, problem], { expect }) => {
    for (const command of ["status", "serve", "history", "mcp"]) {
      const { code, stderr } = await collect({ ...FACTS, ...settings }, {}, [command]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) });
    }
  });
});

test("settings that were only found get no key", async () => {
  const { code, stderr } = await collect(SIGNED, { SIGNING_KEY: "x" }, ["mcp", "--collect"]);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("variable SIGNING_KEY") });
});
