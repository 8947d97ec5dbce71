// Trust follows the key, not the place: a server with `trust` answers nothing false, even if others can write its snapshots.
import { createPublicKey } from "node:crypto";
import { SignJWT, UnsecuredJWT, type JWTHeaderParameters } from "jose";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHandler } from "../../../server/features/edge/handler.ts";
import { claimsOf, thumbprint } from "../../../snapshots/features/signatures/proof.ts";
import { currentKey, previousKey, type Trust } from "../../../snapshots/facts.ts";
import { encodeSnapshot, type Snapshot, type SnapshotName } from "../../../snapshots/snapshot.ts";
import type { Reader, Store } from "../../../snapshots/store.ts";
import { openReader, openStore } from "../../../snapshots/stores/open-store.ts";
import { body, startUpstream } from "../../support/collecting/upstream.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { isIn } from "../../support/program/feature.ts";
import { NO_REDIS, startRedis } from "../../support/redis.ts";
import { startS3Double } from "../../support/s3-double.ts";
import { allSnapshots, startServer, TestClock } from "../../support/serving/server.ts";
import { forged, ISSUER, newSigning, signedBy, trustIn, type Stored } from "../../support/signing.ts";
import { NOW, plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const HOUR = 3_600_000;
const PLANS = "/api/v1/plans";
const MACOS = "/api/v1/releases/latest";
const VENDOR = newSigning();
const STRANGER = newSigning();

/** The published facts, of which those of macOS name two files. */
const PUBLISHED = allSnapshots().map((snapshot) => {
  const { name } = snapshot;
  const files = [
    { url: "https://acme.com/notes-arm64.dmg", arch: "arm64" as const },
    { url: "https://acme.com/notes-x64.dmg", arch: "x64" as const },
  ];
  const names = { "plan-0": { title: "Plus", buy: "https://acme.com/plus" } };
  return signedBy(VENDOR, {
    ...snapshot,
    revision: 2,
    ...(name === "release-macos" && { files }),
    ...(name === "plans" && { names }),
  });
});
const publishedAs = (name: SnapshotName) => PUBLISHED.find((one) => one.name === name) ?? plansSnapshot();
const genuine = (name: SnapshotName) => Buffer.from(encodeSnapshot(publishedAs(name)));

/** Where snapshots lie, for one who may write there. */
interface Place {
  reader: Reader;
  put(key: string, bytes: Uint8Array): Promise<unknown>;
}

const inStore = (store: Store): Place => {
  onTestFinished(() => store.close());
  return { reader: store, put: (key, bytes) => store.put(key, bytes) };
};

const PLACES: Record<string, () => Promise<Place>> = {
  "a directory": async () => inStore(openStore(await temporaryDirectory())),
  ...(NO_REDIS === undefined &&
    isIn("redis") && {
      Redis: async () => inStore(openStore((await startRedis(onTestFinished)).location())),
    }),
  ...(isIn("s3") && { S3: async () => inStore((await startS3Double()).open()) }),
  ...(isIn("follow") && {
    "a followed server": async () => {
      const origin = await startUpstream();
      const reader = openReader(`${origin.origin}/snapshots/`);
      onTestFinished(() => reader.close());
      return { reader, put: async (key: string, bytes: Uint8Array) => origin.set(`/snapshots/${key}`, body(bytes)) };
    },
  }),
};

/** A server, or the handler of the edge, that has read the genuine snapshots if it `hasSeen` them. */
async function startReader(
  where: string,
  { hasSeen = true, trust = trustIn(VENDOR) }: { hasSeen?: boolean; trust?: Trust } = {},
) {
  const isEdge = where === "the edge";
  const { reader, put } = await (PLACES[where] ?? PLACES["a directory"]!)();
  if (hasSeen) for (const { name } of PUBLISHED) await put(currentKey(name), genuine(name));
  if (!isEdge) {
    const { get, refresh, warnings, clock } = await startServer({ store: reader, trust });
    await refresh();
    return { put, refresh, warnings, clock, get };
  }
  const [clock, warnings]: [TestClock, string[]] = [new TestClock(), []];
  const { keys, issuers } = trust;
  const get = async (key: string) => {
    const stored = await reader.get(key);
    return typeof stored === "object" ? stored.bytes : undefined;
  };
  const options = { trust: { issuer: issuers, keys }, warn: (line: string) => void warnings.push(line) };
  const handler = createHandler({ base: "https://edge.example", store: { get, pace: 1 }, ...options }, clock);
  const ask = async (path: string) => {
    const answer = await handler(new Request(`https://edge.example${path}`));
    return { status: answer.status, text: await answer.text() };
  };
  await ask(PLANS);
  return { put, refresh: async () => clock.pass(2), warnings, clock, get: ask };
}

const edited = (name: SnapshotName, change: (stored: Stored) => object) => forged(genuine(name), name, change);
const signedAs = (snapshot: Snapshot, name: SnapshotName = snapshot.name) =>
  forged(encodeSnapshot({ ...snapshot, name }), name, () => ({}));
const cheap = ({ payload }: Stored) => ({
  payload: { ...payload, plans: payload.plans.map((plan) => ({ ...plan, monthlyPrice: 0 })) },
});
/** The price of the forger with a token of his own making. */
async function withToken(sign: (claims: Record<string, unknown>) => string | Promise<string>) {
  const snapshot = plansSnapshot({ revision: 66, confirmedAt: NOW + 1 });
  return encodeSnapshot({ ...snapshot, proof: await sign({ ...claimsOf(snapshot, ISSUER) }) });
}
const HEADER = { alg: "EdDSA", typ: "vitrine-fact+jwt", kid: thumbprint(VENDOR.key.publicKey) };
const publicJwk = (x: string) => ({ kty: "OKP", crv: "Ed25519", x });
const byStranger = (header: object) =>
  withToken((claims) =>
    new SignJWT(claims)
      .setProtectedHeader({ ...HEADER, ...header } as JWTHeaderParameters)
      .sign(STRANGER.key.privateKey),
  );
const byVendor = (header: object) =>
  withToken((claims) =>
    new SignJWT(claims).setProtectedHeader({ ...HEADER, ...header } as JWTHeaderParameters).sign(VENDOR.key.privateKey),
  );

/** What one who may write there can put in place of a snapshot, and what is said of it. */
const FORGERIES: Record<string, [name: SnapshotName, bytes: () => Uint8Array | Promise<Uint8Array>, why: RegExp]> = {
  "an edited price": ["plans", () => edited("plans", cheap), /proof is of other facts/],
  "an edited price without its proof": [
    "plans",
    () => edited("plans", (stored) => ({ ...cheap(stored), proof: undefined })),
    /not signed/,
  ],
  "an edited link to buy": [
    "plans",
    () => edited("plans", () => ({ names: { "plan-0": { title: "Plus", buy: "https://evil.example" } } })),
    /proof is of other facts/,
  ],
  "an added field of a name": [
    "plans",
    () => edited("plans", () => ({ names: { "plan-0": { title: "Plus", buy: "https://acme.com/plus", more: 1 } } })),
    /proof is of other facts/,
  ],
  "a removed name": ["plans", () => edited("plans", () => ({ names: undefined })), /proof is of other facts/],
  "another end": [
    "plans",
    () => edited("plans", () => ({ freshUntil: new Date(NOW + 99 * HOUR).toISOString() })),
    /proof is of other facts/,
  ],
  "another confirmation": [
    "plans",
    () => edited("plans", () => ({ confirmedAt: new Date(NOW + 1_000).toISOString() })),
    /proof is of other facts/,
  ],
  "another revision": ["plans", () => edited("plans", () => ({ revision: 3 })), /proof is of other facts/],
  "another time of the change": [
    "plans",
    () => edited("plans", () => ({ changedAt: "2020-01-01T00:00:00.000Z" })),
    /proof is of other facts/,
  ],
  "an edited link of another processor": [
    "release-macos",
    () =>
      edited("release-macos", ({ files: [first] }) => ({
        files: [first, { url: "https://evil.example/x64.dmg", arch: "x64" }],
      })),
    /proof is of other facts/,
  ],
  "no files": ["release-macos", () => edited("release-macos", () => ({ files: undefined })), /proof is of other facts/],
  "another vendor's": [
    "plans",
    () => signedAs(signedBy(STRANGER, plansSnapshot({ revision: 9 }))),
    /key that is not trusted/,
  ],
  "the same key's for another API": [
    "plans",
    () => signedAs(signedBy({ ...VENDOR, issuer: "https://api.other.com" }, plansSnapshot({ revision: 9 }))),
    /another issuer/,
  ],
  "the signature of another subject": [
    "plans",
    () => edited("plans", () => ({ proof: publishedAs("release-macos").proof })),
    /another subject/,
  ],
  "the signature of another price": [
    "plans",
    () => edited("plans", () => ({ proof: signedBy(VENDOR, plansSnapshot({ revision: 7 })).proof })),
    /proof is of other facts/,
  ],
  "a date in the future": [
    "plans",
    () => signedAs(signedBy(VENDOR, plansSnapshot({ revision: 9, confirmedAt: NOW + 6 * 60_000 }))),
    /in the future/,
  ],
  "a token in another form": ["plans", () => edited("plans", () => ({ proof: "a.b" })), /not a token/],
  "a token without algorithm": [
    "plans",
    () => withToken((claims) => new UnsecuredJWT(claims).encode()),
    /not a token of type/,
  ],
  "a token whose secret is the public key": [
    "plans",
    () => {
      const secret = createPublicKey({ key: publicJwk(VENDOR.key.publicKey), format: "jwk" }).export({
        format: "der",
        type: "spki",
      });
      return withToken((claims) => new SignJWT(claims).setProtectedHeader({ ...HEADER, alg: "HS256" }).sign(secret));
    },
    /not a token of type/,
  ],
  "a token of another type": ["plans", () => byVendor({ typ: "JWT" }), /not a token of type/],
  "a token that brings its key": [
    "plans",
    () => byStranger({ jwk: publicJwk(STRANGER.key.publicKey) }),
    /not a token of type/,
  ],
  "a token that says where its keys are": [
    "plans",
    () => byStranger({ jku: "https://evil.example/jwks.json" }),
    /not a token of type/,
  ],
  "a token that says where its certificate is": [
    "plans",
    () => byStranger({ x5u: "https://evil.example" }),
    /not a token of type/,
  ],
  "a token that is critical": ["plans", () => byVendor({ crit: ["b64"], b64: true }), /not a token of type/],
  "a token under the id of a trusted key": ["plans", () => byStranger({}), /signature is not valid/],
  "a token of a removed key": [
    "plans",
    () => byStranger({ kid: thumbprint(STRANGER.key.publicKey) }),
    /key that is not trusted/,
  ],
};

describe.for([...Object.keys(PLACES), "the edge"])("from %s (snapshots/facts.ts)", (where) => {
  test("a server takes what a trusted key has signed, and nothing that is forged", async ({ expect }) => {
    const { put, get, refresh, warnings } = await startReader(where);
    const facts = [PLANS, MACOS, "/download/macos/x64", "/"];
    const before = await Promise.all(facts.slice(0, 2).map(async (path) => (await get(path)).text));
    expect(before).toEqual([publishedAs("plans").text, publishedAs("release-macos").text]);
    for (const [what, [name, bytes, why]] of Object.entries(FORGERIES)) {
      for (const key of [currentKey(name), previousKey(name)]) await put(key, await bytes());
      await refresh();
      const answers = await Promise.all(facts.map((path) => get(path)));
      expect(
        answers.slice(0, 2).map(({ text }) => text),
        what,
      ).toEqual(before);
      expect(answers.map(({ text }) => text).join(), what).not.toContain("evil");
      expect(warnings.at(-1), what).toMatch(why);
      expect(warnings.at(-1), what).toContain(`snapshot ${name}`);
      await put(currentKey(name), genuine(name));
      await refresh();
    }
    // What was refused has not moved the mark.
    const next = signedBy(VENDOR, plansSnapshot({ revision: 3, confirmedAt: NOW + 1_000 }));
    await put("plans.json", encodeSnapshot(next));
    await refresh();
    expect((await get(PLANS)).text).toBe(next.text);
  });

  test("a server that starts with a forgery answers 502", async ({ expect }) => {
    for (const [what, [name, bytes]] of Object.entries(FORGERIES)) {
      if (where !== "a directory" && where !== "the edge" && what !== "an edited price") continue;
      const { put, get, refresh } = await startReader(where, { hasSeen: false });
      for (const key of [currentKey(name), previousKey(name)]) await put(key, await bytes());
      await refresh();
      expect((await get(name === "plans" ? PLANS : MACOS)).status, what).toBe(502);
    }
  });

  test("an old price that was put back is refused, and the log and /status say so", async ({ expect }) => {
    const { put, get, refresh, warnings } = await startReader(where);
    const refused = async () => JSON.parse((await get("/status")).text).snapshots[0].refused;
    const why = /in the store was confirmed at .*, before the one in memory/;
    const old = signedBy(VENDOR, plansSnapshot({ revision: 1, confirmedAt: NOW - HOUR }));
    const sameSecond = signedBy(VENDOR, { ...plansSnapshot(), confirmedAt: new Date(NOW + 999).toISOString() });
    for (const snapshot of [old, sameSecond]) {
      await put("plans.json", encodeSnapshot(snapshot));
      await refresh();
      expect((await get(PLANS)).text).toBe(publishedAs("plans").text);
      if (isIn("probes")) expect(await refused()).toEqual(snapshot === old ? expect.stringMatching(why) : undefined);
    }
    expect(warnings.join()).toMatch(why);
  });

  test("a rotation of keys is no moment without facts", async ({ expect }) => {
    const next = newSigning({ also: [VENDOR.key.publicKey] });
    const { put, get, refresh } = await startReader(where, { trust: trustIn(VENDOR, next) });
    const later = signedBy(next, plansSnapshot({ revision: 3, confirmedAt: NOW + 1_000 }));
    expect((await get(PLANS)).text).toBe(publishedAs("plans").text);
    await put("plans.json", encodeSnapshot(later));
    await refresh();
    expect((await get(PLANS)).text).toBe(later.text);
    const jwks = JSON.parse((await get("/.well-known/jwks.json")).text);
    expect(jwks.keys.map(({ x }: { x: string }) => x)).toEqual([VENDOR.key.publicKey, next.key.publicKey]);
  });
});

test("both issuers are believed during a move, and another one never", async () => {
  const trust = trustIn(VENDOR, { ...VENDOR, issuer: "https://new.acme.com" });
  const { put, get, refresh } = await startReader("a directory", { trust });
  const moved = signedBy(
    { ...VENDOR, issuer: "https://new.acme.com" },
    plansSnapshot({ revision: 5, confirmedAt: NOW + 1_000 }),
  );
  await put("plans.json", encodeSnapshot(moved));
  await refresh();
  expect((await get(PLANS)).text).toBe(moved.text);
});

test("the edge refuses to trust nobody, or what is no key", () => {
  const create = (trust: readonly string[]) => () =>
    createHandler({ base: ISSUER, store: { get: async () => null }, trust });
  for (const wrong of [[], ["a key"], [VENDOR.key.publicKey, ""]])
    expect(create(wrong)).toThrow(/^trust(\.\d)?: must /);
  expect(create([VENDOR.key.publicKey])).not.toThrow();
});

test("the keys of a server with trust are those that it trusts, whatever lies beside the facts", async () => {
  const { get } = await startReader("a directory", { hasSeen: false });
  expect(JSON.parse((await get("/.well-known/jwks.json")).text)).toMatchObject({ keys: [{ x: VENDOR.key.publicKey }] });
});

test("a last copy is believed no more than the store", async () => {
  const directory = openStore(await temporaryDirectory());
  await directory.put("plans.json", edited("plans", cheap));
  await directory.put("release-macos.json", genuine("release-macos"));
  const trust = trustIn(VENDOR);
  const store = openStore(await temporaryDirectory());
  const { get, warnings } = await startServer({ store, trust, lastCopy: directory });
  expect([(await get(PLANS)).status, (await get(MACOS)).status]).toEqual([502, 200]);
  expect(warnings.join()).toContain("plans in lastCopy is ignored: its proof is of other facts than it shows");
});

test("a follower of a follower verifies what the vendor signed", async () => {
  const [trust, { put, reader }] = [trustIn(VENDOR), await PLACES["a directory"]!()];
  for (const { name } of PUBLISHED) await put(currentKey(name), genuine(name));
  const first = await startServer({ store: reader, trust, share: true });
  await first.refresh();
  const followed = openReader(`http://127.0.0.1:${first.port}/snapshots/`);
  onTestFinished(() => followed.close());
  const second = await startServer({ store: followed, trust });
  await second.refresh();
  for (const path of [PLANS, MACOS, "/proofs/plans.jwt"])
    expect(await second.get(path)).toMatchObject({ status: 200, text: (await first.get(path)).text });
  expect(releaseSnapshot("macos").text).toBe((await second.get(MACOS)).text);
});
