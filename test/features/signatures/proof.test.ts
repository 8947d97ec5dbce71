// Tokens and keys, against another implementation: what one signs, the other verifies.
import { calculateJwkThumbprint, importJWK, jwtVerify, SignJWT, type JWK } from "jose";
import { describe, expect, test } from "vitest";
import { subjectOf } from "../../../snapshots/snapshot.ts";
import {
  claimsOf,
  keySet,
  MAX_ISSUER,
  signClaims,
  thumbprint,
  trustOf,
  verified,
} from "../../../snapshots/features/signatures/proof.ts";
import { MAX_FILES_BYTES, MAX_PROOF, PublicKey } from "../../../snapshots/schema.ts";
import { StoreError } from "../../../snapshots/store.ts";
import { ISSUER, newSigning, trustIn } from "../../support/signing.ts";
import { NOW, plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const SIGNING = newSigning();
const { key } = SIGNING;
const PLANS = claimsOf(plansSnapshot(), ISSUER);
const wanted = { ...trustIn(SIGNING), subject: "plans" };
const [jwk] = (keySet([key.publicKey]) as { keys: [JWK] }).keys;

describe("another implementation (snapshots/features/signatures/proof.ts)", () => {
  test("verifies our tokens, and has the same id for the key", async () => {
    const { payload, protectedHeader } = await jwtVerify(signClaims(PLANS, key), await importJWK(jwk), {
      currentDate: new Date(NOW),
    });
    expect(payload).toEqual(PLANS);
    expect(protectedHeader.kid).toBe(await calculateJwkThumbprint(jwk));
    expect(jwk).toMatchObject({ kid: protectedHeader.kid, alg: "EdDSA", use: "sig" });
  });

  test("signs tokens that we verify, with claims of a newer version, too", async () => {
    const header = { alg: "EdDSA", typ: "vitrine-fact+jwt", kid: thumbprint(key.publicKey) };
    const token = await new SignJWT({ ...PLANS, later: 1 }).setProtectedHeader(header).sign(key.privateKey);
    expect(verified(token, wanted)).toEqual({ claims: PLANS, key: key.publicKey });
    const long = new SignJWT({ ...PLANS, later: "x".repeat(MAX_PROOF) }).setProtectedHeader(header);
    const tooLong = await long.sign(key.privateKey);
    expect(() => verified(tooLong, wanted)).toThrow("not a token");
  });
});

test("a token has one spelling only, and each of its characters counts", () => {
  const token = signClaims(PLANS, key);
  expect(verified(token, wanted)).toEqual({ claims: PLANS, key: key.publicKey });
  const spellings = [
    `${token}=`,
    `${token}A`,
    ` ${token}`,
    `${token}.`,
    token.replaceAll("-", "+"),
    token.slice(0, -1),
  ];
  const last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const changed = [...token].map((character, at) => {
    const other = last[(last.indexOf(character) + 1) % 64] ?? "";
    return token.slice(0, at) + other + token.slice(at + 1);
  });
  for (const wrong of [...spellings, ...changed].filter((one) => one !== token)) {
    expect(() => verified(wrong, wanted), wrong).toThrow(/^not a token|^its|^signed/);
  }
});

test("the longest list of files, with the longest base URL, has room in a proof; more is refused, not left out", () => {
  const files = (length: number) => [{ url: "u".repeat(length - '[{"url":""}]'.length) }];
  const issuer = `https://${"a".repeat(MAX_ISSUER - "https://".length)}`;
  const gaps = [{ from: "2026-03-01T12:00:00.000Z", until: "2026-03-01T13:00:00.000Z" }];
  const release = { ...releaseSnapshot("windows"), revision: 1_000_000, gaps };
  const longest = signClaims(claimsOf({ ...release, files: files(MAX_FILES_BYTES) }, issuer), key);
  expect(longest.length).toBeLessThanOrEqual(MAX_PROOF);
  const more = claimsOf({ ...release, files: files(MAX_FILES_BYTES * 2) }, issuer);
  expect(() => signClaims(more, key)).toThrow(StoreError);
});

test("a public key has one spelling, and an issuer none with a slash at its end", () => {
  expect(PublicKey.safeParse(key.publicKey).success).toBe(true);
  for (const wrong of [`${key.publicKey}=`, key.publicKey.slice(1), `${key.publicKey}A`, "", "a+".repeat(22).slice(1)])
    expect(PublicKey.safeParse(wrong).success, wrong).toBe(false);
  expect(trustOf(undefined, ISSUER)).toBeUndefined();
  expect(trustOf([key.publicKey], ISSUER)).toMatchObject({ keys: [key.publicKey], issuers: [ISSUER] });
  expect(["plans", "release-macos", "release-windows"].map(subjectOf)).toEqual([
    "plans",
    "releases/macos",
    "releases/windows",
  ]);
});
