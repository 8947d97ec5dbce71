// A collector that signs believes its store no more than a reader does: whatever lies there, it signs what its source says.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPublicKey } from "node:crypto";
import { decodeProtectedHeader, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";
import { anotherMillisecond, startCollector } from "../../support/collecting/collector.ts";
import { jsonWithEtag, status } from "../../support/collecting/upstream.ts";
import { vendorPlans } from "../../support/collecting/vendor.ts";
import { isIn } from "../../support/program/feature.ts";
import { forged, ISSUER, newSigning, type Stored } from "../../support/signing.ts";
import { factsIn } from "../../support/snapshot.ts";

const claimsIn = async (token: string | undefined, publicKey: string) => {
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" });
  return (await jwtVerify(token ?? "", key, { issuer: ISSUER, algorithms: ["EdDSA"], typ: "vitrine-fact+jwt" }))
    .payload;
};

async function startSigning() {
  const signing = newSigning();
  const collector = await startCollector();
  const { upstream, directory, run } = collector;
  upstream.set("/plans", jsonWithEtag('"a"', vendorPlans()));
  const path = (name: string) => join(directory, name);
  return {
    ...collector,
    signing,
    run: (changes: Parameters<typeof run>[0] = {}) => run({ signing, ...changes }),
    claims: async (name: SnapshotName) => claimsIn((await collector.stored(name)).proof, signing.key.publicKey),
    bytes: (name: string) => readFile(path(name)),
    write: (name: string, bytes: Uint8Array) => writeFile(path(name), bytes),
    /** What one who may write there makes of a snapshot. */
    forge: async (name: SnapshotName, change: (stored: Stored) => object) =>
      writeFile(path(`${name}.json`), forged(await readFile(path(`${name}.json`)), name, change)),
    wasConditional: () =>
      upstream.requests.findLast(({ path }) => path === "/plans")?.headers["if-none-match"] === '"a"',
  };
}

describe("a confirmed fact (collector/features/signatures/signing.ts)", () => {
  test("has a proof that a common library verifies, and the public keys beside it", async () => {
    const next = newSigning().key.publicKey;
    const signing = newSigning({ also: [next] });
    const { run, stored } = await startCollector();
    await run({ signing });
    for (const name of ["plans", "release-macos", "release-windows"] as const) {
      const { proof, keys, ...snapshot } = await stored(name);
      const seconds = (time: string) => Math.floor(Date.parse(time) / 1000);
      const { latest } = "hasUpdate" in snapshot.payload && snapshot.payload.hasUpdate ? snapshot.payload : {};
      const files = latest && [{ url: latest.downloadURL, ...(latest.size !== "" && { size: Number(latest.size) }) }];
      expect(await claimsIn(proof, signing.key.publicKey)).toEqual({
        iss: ISSUER,
        sub: name.replace("release-", "releases/"),
        iat: seconds(snapshot.confirmedAt),
        exp: seconds(snapshot.freshUntil),
        changed: seconds(snapshot.changedAt),
        rev: 1,
        sha256: snapshot.sha256,
        ...(files && { files: snapshot.files ?? files }),
      });
      expect(decodeProtectedHeader(proof ?? "")).toMatchObject({ alg: "EdDSA", typ: "vitrine-fact+jwt" });
      expect(keys).toEqual([signing.key.publicKey, next]);
    }
  });

  test.runIf(isIn("upstream-state"))(
    "is confirmed by 304, and keeps revision and time of change, while the store has the collector's own",
    async () => {
      const { run, stored, claims, wasConditional } = await startSigning();
      await run();
      const { changedAt } = await stored("plans");
      await anotherMillisecond();
      expect((await run()).plans.result).toBe("confirmed");
      expect(wasConditional()).toBe(true);
      expect(await claims("plans")).toMatchObject({ rev: 1 });
      expect(await stored("plans")).toMatchObject({ changedAt, revision: 1 });
    },
  );

  test("is still the same after a change of keys, if the old one stays in also", async () => {
    const { run, stored, signing } = await startSigning();
    await run();
    const { changedAt } = await stored("plans");
    const next = newSigning({ also: [signing.key.publicKey] });
    await anotherMillisecond();
    expect((await run({ signing: next })).plans.result).toBe("confirmed");
    const { proof, ...snapshot } = await stored("plans");
    expect(snapshot).toMatchObject({ changedAt, revision: 1, keys: [next.key.publicKey, signing.key.publicKey] });
    expect(await claimsIn(proof, next.key.publicKey)).toMatchObject({ rev: 1 });
  });
});

describe("between two confirmations, a hostile store", () => {
  const cheap = ({ payload }: Stored) => {
    for (const plan of payload.plans) plan.monthlyPrice = 1;
    return { payload };
  };

  test.runIf(isIn("upstream-state")).for([
    ["edits a price", cheap],
    ["edits the time of the last change", () => ({ changedAt: "2020-01-01T00:00:00.000Z" })],
    ["edits the revision", () => ({ revision: 41 })],
    ["adds a name with a link", () => ({ names: { studio: { buy: "https://evil.example/" } } })],
    ["removes the proof", (stored: Stored) => ({ ...cheap(stored), proof: undefined, keys: undefined })],
  ] as const)("that %s gets nothing of it signed: the source is asked anew", async ([, change], { expect }) => {
    const { run, forge, stored, claims, directory, wasConditional } = await startSigning();
    await run();
    await forge("plans", change);
    // The sums that would notice lie in the same store.
    const [state, { sha256 }] = [await readFile(join(directory, "upstreams.json"), "utf8"), await stored("plans")];
    await writeFile(
      join(directory, "upstreams.json"),
      state.replace(/"sums":\["[0-9a-f]{64}"\]/, `"sums":["${sha256}"]`),
    );
    await anotherMillisecond();
    await run();
    expect(wasConditional()).toBe(false);
    const snapshot = await stored("plans");
    expect(snapshot).toMatchObject({ payload: vendorPlans(), revision: 1, changedAt: snapshot.confirmedAt });
    expect(snapshot.names).toBeUndefined();
    expect(await claims("plans")).toMatchObject({ sha256: snapshot.sha256, rev: 1 });
  });

  test.runIf(isIn("upstream-state"))(
    "that edits the present snapshot is not confirmed by the ETag of the previous one",
    async () => {
      const { run, forge, stored, wasConditional } = await startSigning();
      await run();
      await anotherMillisecond();
      await run();
      expect(wasConditional()).toBe(true);
      await forge("plans", cheap);
      await anotherMillisecond();
      expect((await run()).plans).toMatchObject({ notes: [expect.stringContaining("replaced a damaged snapshot")] });
      expect(wasConditional()).toBe(false);
      expect((await stored("plans")).payload).toEqual(vendorPlans());
    },
  );

  test("that edits the link of an installer gets nothing of it signed", async () => {
    const { run, forge, stored, claims } = await startSigning();
    await run();
    await forge("release-macos", ({ files }) => ({
      files: [...files, { url: "https://evil.example/a.dmg", arch: "x64" }],
    }));
    await run();
    const { files } = await stored("release-macos");
    expect(JSON.stringify([files, await claims("release-macos")])).not.toContain("evil");
  });

  test.runIf(isIn("upstream-state")).for(["with", "without"])(
    "that puts back a genuine old price is not confirmed by the ETag of the new one, %s its sums",
    async (how, { expect }) => {
      const { run, upstream, bytes, write, stored, wasConditional } = await startSigning();
      const old = { ...vendorPlans(), currency: "CHF" };
      upstream.set("/plans", jsonWithEtag('"old"', old));
      await run();
      const [plans, state] = [await bytes("plans.json"), (await bytes("upstreams.json")).toString()];
      upstream.set("/plans", jsonWithEtag('"a"', vendorPlans()));
      await anotherMillisecond();
      await run();
      await write("plans.json", plans);
      if (how === "with") await write("upstreams.json", Buffer.from(state.replaceAll('\\"old\\"', '\\"a\\"')));
      await anotherMillisecond();
      await run();
      expect(wasConditional()).toBe(false);
      expect((await stored("plans")).payload).toEqual(vendorPlans());
    },
  );

  test.runIf(isIn("names"))(
    "that puts back genuine facts with the names of then is not confirmed by the ETag of now",
    async () => {
      const { named, run, bytes, write, stored, wasConditional } = await startSigning();
      const same = { fingerprints: named({}).fingerprints };
      await run({ ...named({ studio: { buy: "https://acme.com/sold-since" } }), ...same });
      const plans = await bytes("plans.json");
      await anotherMillisecond();
      // Another ETag, because the document is asked without validators only then.
      await write("upstreams.json", Buffer.from("{}"));
      await run({ ...named({ studio: { buy: "https://acme.com/pro" } }), ...same });
      await write("plans.json", plans);
      await anotherMillisecond();
      await run({ ...named({ studio: { buy: "https://acme.com/pro" } }), ...same });
      expect(wasConditional()).toBe(false);
      expect((await stored("plans")).names).toEqual({ studio: { buy: "https://acme.com/pro" } });
    },
  );

  test.runIf(isIn("upstream-state"))("cannot have its validators signed by a run that fails", async () => {
    const { run, upstream, bytes, write } = await startSigning();
    await run();
    const text = (await bytes("upstreams.json")).toString();
    await write("upstreams.json", Buffer.from(text.replaceAll('\\"a\\"', '\\"forged\\"')));
    upstream.set("/plans", status(404));
    await run();
    expect((await bytes("upstreams.json")).toString()).not.toMatch(/forged.*signature/);
  });

  test("that has another product's snapshots keeps them", async () => {
    const { run, store, bytes } = await startSigning();
    await run({ facts: factsIn(store, { product: "other" }), signing: newSigning() });
    const theirs = await bytes("plans.json");
    await expect(run({ facts: factsIn(store, { product: "acme" }) })).rejects.toThrow('of the product "other"');
    expect(await bytes("plans.json")).toEqual(theirs);
  });
});

test("snapshots from before the key are signed once their source has said the same again", async () => {
  const { run, claims, wasConditional } = await startSigning();
  await run({ signing: undefined });
  await run();
  expect(wasConditional()).toBe(false);
  expect(await claims("plans")).toMatchObject({ rev: 1 });
});
