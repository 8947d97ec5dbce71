// What a server publishes of signed facts: a proof beside each, the public keys, and the way from one to the other. A common library
// verifies them, with nothing but the answers.
import { createHash } from "node:crypto";
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from "jose";
import { describe, expect, test } from "vitest";
import { createHandler } from "../../../server/features/edge/handler.ts";
import { encodeSnapshot } from "../../../snapshots/snapshot.ts";
import { freePort } from "../../support/port.ts";
import { isIn } from "../../support/program/feature.ts";
import { call, callStateless } from "../../support/serving/mcp.ts";
import { allSnapshots, ask, startServer, TestClock } from "../../support/serving/server.ts";
import { ISSUER, newSigning, signedBy, type TestSigning } from "../../support/signing.ts";
import { NOW, plansSnapshot } from "../../support/snapshot.ts";

const FACTS = [
  ["/api/v1/plans", "plans"],
  ["/api/v1/releases/latest", "releases/macos"],
  ["/api/v1/releases/latest?platform=macos", "releases/macos"],
  ["/api/v1/releases/latest?platform=windows", "releases/windows"],
] as const;
const PROOFS = [...new Set(FACTS.map(([, subject]) => `/proofs/${subject}.jwt`))];
const JWKS = "/.well-known/jwks.json";
const NONE = { status: 404, headers: { "content-type": "application/json" } };
const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const signedSnapshots = (signing: TestSigning) => allSnapshots().map((one) => signedBy(signing, one));

describe("a signed fact (server/features/signatures/proofs.ts)", () => {
  test.for([
    ["", ISSUER],
    ["/facts", `${ISSUER}/facts`],
  ] as const)(
    "links to its proof, which verifies with the keys of the server, below %j",
    async ([path, base], { expect }) => {
      const signing = newSigning({ issuer: base });
      const { get } = await startServer({
        snapshots: signedSnapshots(signing),
        api: { baseUrl: base },
        port: await freePort(),
      });
      const { headers, json } = await get(JWKS);
      expect(headers).toMatchObject({
        "content-type": "application/jwk-set+json",
        "cache-control": "public, max-age=60",
      });
      const keys = createLocalJWKSet(json() as JSONWebKeySet);
      for (const [target, subject] of FACTS) {
        const fact = await get(target);
        const digest = digestOf(fact.bytes);
        const address = `/proofs/${subject}.jwt?sha256=${digest}`;
        expect(fact.headers.link).toBe(
          `<${path}/status>; rel="status", <${path}${address}>; rel="describedby"; type="application/jwt"`,
        );
        const proof = await get(address);
        expect(proof).toMatchObject({ status: 200, headers: { "content-type": "application/jwt" } });
        expect(proof.headers["cache-control"]).toBe(fact.headers["cache-control"]);
        const options = { issuer: base, subject, typ: "vitrine-fact+jwt", currentDate: new Date(NOW) };
        const { payload } = await jwtVerify(proof.text, keys, { ...options, algorithms: ["EdDSA"] });
        expect(payload).toMatchObject({ sha256: digest, rev: 1 });
        expect((await get(target, { "if-none-match": fact.headers.etag ?? "" })).headers.link).toBe(fact.headers.link);
      }
    },
  );

  test("has no proof any more once it is stale, and its last second is not served", async () => {
    const snapshots = signedSnapshots(newSigning()).map((one) => {
      const freshUntil = new Date(NOW + 10_900).toISOString();
      return signedBy(newSigning(), { ...one, freshUntil });
    });
    const { get, clock } = await startServer({ snapshots });
    clock.pass(9_999);
    for (const target of PROOFS) expect((await get(target)).status).toBe(200);
    clock.pass(1);
    for (const target of [...FACTS.map(([target]) => target), ...PROOFS]) {
      const { status, headers } = await get(target);
      expect({ status, ...headers }, target).toMatchObject({ status: 502, "cache-control": "no-store" });
      expect(headers.link ?? "").not.toContain("proofs");
    }
    // Caches and verifiers may still have facts of before.
    expect((await get(JWKS)).status).toBe(200);
  });

  test("has its present proof in the answers of MCP, recorded or not", async () => {
    const [signing, { get, port, refresh, publish }] = [newSigning(), await startServer()];
    const tool = { name: "get_pricing", arguments: {} };
    interface Response {
      result: { _meta: Record<string, unknown> };
    }
    const metaOf = async () => {
      const { _meta: meta } = ((await call(port, "tools/call", tool)) as Response).result;
      const { _meta: stateless } = ((await callStateless(port, "tools/call", tool)).json() as Response).result;
      expect(stateless).toMatchObject(meta);
      return meta;
    };
    expect(await metaOf()).not.toHaveProperty("proof");
    for (const confirmedAt of [NOW, NOW + 5_000, NOW + 10_000]) {
      await publish(signedBy(signing, plansSnapshot({ confirmedAt })));
      await refresh();
      const { proof, ...dates } = await metaOf();
      expect(dates).toMatchObject({ confirmedAt: new Date(confirmedAt).toISOString() });
      expect(proof).toBe((await get(PROOFS[0] ?? "")).text);
    }
    await publish(plansSnapshot({ confirmedAt: NOW + 15_000 }));
    await refresh();
    expect(await metaOf()).not.toHaveProperty("proof");
  });
});

test("a fact that is signed later has the same body, and then a link", async () => {
  const { get, publish, refresh } = await startServer();
  const [before, link] = [await get("/api/v1/plans"), '</status>; rel="status"'];
  expect(before.headers.link).toBe(link);
  await publish(signedBy(newSigning(), plansSnapshot({ confirmedAt: NOW + 1 })));
  await refresh();
  const after = await get("/api/v1/plans");
  expect(after.headers.link).toMatch(/^<\/status>; rel="status", <\/proofs\/plans\.jwt\?sha256=/);
  const { date, "last-modified": changed } = after.headers;
  expect({ ...after.headers, link }).toEqual({ ...before.headers, date, "last-modified": changed });
  expect(after.bytes).toEqual(before.bytes);
  await publish(plansSnapshot({ confirmedAt: NOW + 2 }));
  await refresh();
  expect((await get("/api/v1/plans")).headers.link).toBe(link);
});

test("without signatures there are no proofs and no keys, and 502 while the fact is unknown", async () => {
  const { get } = await startServer({ snapshots: [plansSnapshot()] });
  const [plans = "", ...releases] = PROOFS;
  for (const target of [plans, `${plans}?sha256=0`, JWKS]) expect(await get(target)).toMatchObject(NONE);
  for (const target of releases) expect((await get(target)).status).toBe(502);
});

test("the keys are those of all signed facts: the next one is published before it signs", async () => {
  const [old, next] = [newSigning(), newSigning()];
  const both = { ...old, keys: [old.key.publicKey, next.key.publicKey] };
  const { get, publish, refresh } = await startServer({ snapshots: signedSnapshots(both) });
  const keysOf = async () => ((await get(JWKS)).json() as JSONWebKeySet).keys.map(({ x }) => x);
  expect(await keysOf()).toEqual([old.key.publicKey, next.key.publicKey]);
  for (const snapshot of allSnapshots()) {
    const later = { ...snapshot, confirmedAt: new Date(NOW + 1_000).toISOString() };
    await publish(signedBy({ ...next, keys: [next.key.publicKey, old.key.publicKey] }, later));
  }
  await refresh();
  expect(await keysOf()).toEqual([next.key.publicKey, old.key.publicKey]);
});

const HISTORY = isIn("history") ? ["/history/plans", "/history/plans?at=2026-11-01"] : [];

test("all addresses of a proof answer the preflight of a page that asks past caches", async ({ expect }) => {
  const { port } = await startServer({ snapshots: signedSnapshots(newSigning()) });
  const requested = { "access-control-request-method": "GET", "access-control-request-headers": "cache-control" };
  for (const target of [JWKS, ...PROOFS, ...HISTORY, "/api/v1/plans"]) {
    expect(await ask(port, target, { method: "OPTIONS", headers: requested }), target).toMatchObject({
      status: 204,
      headers: {
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET, HEAD, OPTIONS",
        "access-control-allow-headers": "cache-control",
      },
    });
  }
});

test("neither the index nor OpenAPI knows of proofs", async () => {
  const { get } = await startServer({ snapshots: signedSnapshots(newSigning()) });
  for (const target of ["/api/v1", "/openapi.json"]) expect((await get(target)).text).not.toMatch(/proofs|jwks/);
});

test("published keys are no sign of a login: the paths of OAuth and OpenID Connect stay 404", async () => {
  const { get } = await startServer({ snapshots: signedSnapshots(newSigning()) });
  expect((await get(JWKS)).status).toBe(200);
  for (const path of ["oauth-authorization-server", "oauth-protected-resource", "openid-configuration"])
    for (const end of ["", "/mcp"]) expect((await get(`/.well-known/${path}${end}`)).status, path + end).toBe(404);
});

test("the edge publishes the same", async () => {
  const snapshots = signedSnapshots(newSigning());
  const { get } = await startServer({ snapshots, api: { baseUrl: ISSUER }, port: await freePort() });
  const stored = new Map(snapshots.map((snapshot) => [`${snapshot.name}.json`, encodeSnapshot(snapshot)]));
  const edge = createHandler({ base: ISSUER, store: { get: async (key) => stored.get(key) } }, new TestClock());
  for (const target of [...FACTS.map(([fact]) => fact), ...PROOFS, `${PROOFS[0]}?sha256=0`, JWKS]) {
    const [{ status, text, headers }, answer] = [await get(target), await edge(new Request(ISSUER + target))];
    expect([answer.status, await answer.text()]).toEqual([status, text]);
    for (const name of ["link", "content-type", "cache-control"])
      expect(answer.headers.get(name)).toBe(headers[name] ?? null);
  }
});
