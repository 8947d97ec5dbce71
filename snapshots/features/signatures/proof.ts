// Proofs: a signed token (JWT, Ed25519) states what a snapshot shows, for which API and until when. The collector signs one at each
// confirmation; every reader that trusts a key verifies it. The key to verify by comes from the reader's settings, never from
// the token, and a token in any other form than the one below is refused.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Trust } from "../../facts.ts";
import { attempt, parseUrl } from "../../rules.ts";
import { MAX_KEYS, MAX_PROOF, PublicKey } from "../../schema.ts";
import { Envelope, subjectOf, type Snapshot } from "../../snapshot.ts";
import { parseJson, StoreError } from "../../store.ts";

const Sum = z.string().regex(/^[0-9a-f]{64}$/);

/** `iss`: base URL of the API. `sub`: `plans`, `releases/macos`, `releases/windows`. In whole seconds since the epoch, rounded down:
 * `iat`, when the fact was confirmed, `exp`, until when it may be served, and `changed`, since when it has been so. `sha256`: of the
 * REST body without compression. `files`: the installers of a release, as the snapshot has them. `names` and `gaps`: SHA-256 of their
 * JSON as stored; that of `gaps` in base64url, because room is scarce. A newer version may add claims, and another program may sign
 * without `changed`: `verify` accepts that, a reader of snapshots does not. */
export const Claims = z.object({
  iss: z.string(),
  sub: z.string(),
  iat: z.int(),
  exp: z.int(),
  changed: z.int().optional(),
  rev: z.int().min(1),
  sha256: Sum,
  files: z.array(z.unknown()).optional(),
  names: Sum.optional(),
  gaps: z.string().length(43).optional(),
});
export type Claims = z.infer<typeof Claims>;

/** Longest base URL: with it and MAX_FILES_BYTES, a token has room in MAX_PROOF. */
export const MAX_ISSUER = 128;
/** RFC 9864 names the algorithm Ed25519, which few libraries know yet. */
const ALGORITHM = "EdDSA";
const TYPE = "vitrine-fact+jwt";

const Header = z.strictObject({ alg: z.literal(ALGORITHM), typ: z.literal(TYPE), kid: z.string() });

/** `publicKey`: `x` of its JWK, 43 characters. */
export interface SigningKey {
  privateKey: KeyObject;
  publicKey: string;
}

/** A token that is refused; the message says why, without quoting it. */
export class ProofError extends Error {
  override name = "ProofError";
}

/** A new key in the form that `signingKey` reads, with its public half. */
export function generateKey(): { key: string; publicKey: string } {
  const { privateKey } = generateKeyPairSync("ed25519");
  const key = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
  return { key, publicKey: publicKeyOf(privateKey) };
}

/** `text`: PKCS#8 in base64, as `vitrine keygen` writes it; `variable`: where it comes from. @throws Error that does not quote it */
export function signingKey(text: string, variable: string): SigningKey {
  const privateKey = privateKeyIn(text);
  if (!privateKey) throw new Error(`the environment variable ${variable} ${faultOf(text)}`);
  return { privateKey, publicKey: publicKeyOf(privateKey) };
}

function privateKeyIn(text: string): KeyObject | undefined {
  const form = { format: "der", type: "pkcs8" } as const;
  const key = attempt(() => createPrivateKey({ key: Buffer.from(text, "base64"), ...form }));
  return key?.asymmetricKeyType === "ed25519" ? key : undefined;
}

/** How a key is written by mistake, and what makes it one again. */
const MISWRITTEN: readonly [said: string, mended: (text: string) => string][] = [
  ["has a name before the key: leave that out", (text) => text.replace(/^[^=]*=/, "")],
  ["is in Base64 twice: decode it once", (text) => Buffer.from(text, "base64").toString()],
  ["is in PEM: leave out its first and its last line", (text) => text.replaceAll(/-----[^-]*-----/g, "")],
];
/** Of each key: the version and the algorithm. */
const BEGINNING = "MC4CAQAwBQYDK2Vw";

/** A new key would be right for signing, but not for readers that trust the one that is meant. */
function faultOf(text: string): string {
  const [said] = MISWRITTEN.find(([, mended]) => privateKeyIn(mended(text))) ?? [];
  if (said !== undefined) return said;
  if (/^(?:[.~/]|[a-z]:\\)/i.test(text)) return "is a path: give what is in that file";
  if (text.startsWith(BEGINNING)) return "is no whole key: give it as vitrine keygen has written it";
  return "is no private key: vitrine keygen writes one";
}

function publicKeyOf(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ format: "jwk" }).x ?? "";
}

/** The `kid` of a key (RFC 7638). */
export function thumbprint(publicKey: string): string {
  return sumOf(jwkOf(publicKey), "base64url");
}

/** The members that RFC 7638 hashes, in its order. */
function jwkOf(publicKey: string) {
  return { crv: "Ed25519", kty: "OKP", x: publicKey };
}

/** A JSON Web Key Set (RFC 7517). */
export function keySet(publicKeys: readonly string[]): object {
  const keys = publicKeys.map((key) => ({ ...jwkOf(key), kid: thumbprint(key), alg: ALGORITHM, use: "sig" }));
  return { keys };
}

/** @throws StoreError for claims that are too long */
export function signClaims(claims: Claims, key: SigningKey): string {
  const header = { alg: ALGORITHM, typ: TYPE, kid: thumbprint(key.publicKey) };
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const token = `${signed}.${signText(signed, key)}`;
  if (token.length > MAX_PROOF) throw new StoreError(`its proof would have over ${MAX_PROOF} characters`);
  return token;
}

/** The key's only signature of a text: Ed25519 is deterministic. A text that is no token must have a space, as no token does. */
export function signText(text: string, { privateKey }: SigningKey): string {
  return sign(null, Buffer.from(text), privateKey).toString("base64url");
}

type Trusted = Pick<Trust, "keys" | "issuers">;

/** What a token states about `subject`, and by which of the keys. Its times are left to the caller. `keys`, `issuers`: those to trust.
 * @throws ProofError */
export function verified(token: string, { keys, issuers, subject }: Trusted & { subject: string }) {
  const parts = token.split(".");
  if (token.length > MAX_PROOF || parts.length !== 3) throw new ProofError("not a token");
  const [header = "", body = "", signature = ""] = parts;
  const { data: read } = Header.safeParse(partOf(header));
  if (!read) throw new ProofError(`not a token of type ${TYPE} with algorithm ${ALGORITHM}`);
  const key = keys.find((one) => thumbprint(one) === read.kid);
  if (key === undefined) throw new ProofError("signed by a key that is not trusted");
  const publicKey = createPublicKey({ key: jwkOf(key), format: "jwk" });
  const bytes = Buffer.from(signature, "base64url");
  if (bytes.toString("base64url") !== signature || !verify(null, Buffer.from(`${header}.${body}`), publicKey, bytes))
    throw new ProofError("its signature is not valid");
  const { data: claims } = Claims.safeParse(partOf(body));
  if (!claims) throw new ProofError("its claims are not in their form");
  if (!issuers.includes(claims.iss)) throw new ProofError("signed for another issuer");
  if (claims.sub !== subject) throw new ProofError("signed for another subject");
  return { claims, key };
}

/** The issuer that a token names, whatever key has signed it; undefined for what is no token. */
export function issuerOf(token: string): string | undefined {
  return Claims.safeParse(partOf(token.split(".")[1] ?? "")).data?.iss;
}

function partOf(part: string): unknown {
  return parseJson(Buffer.from(part, "base64url"));
}

/** The parts of a snapshot that a server shows. `names`, `gaps` and `files`: as they are stored. */
type Shown = Pick<Envelope, "name" | "revision" | "changedAt" | "confirmedAt" | "freshUntil" | "sha256"> & {
  names?: unknown;
  gaps?: unknown;
  files?: unknown[] | undefined;
};

/** Adds a proof of all that a snapshot shows, and the public keys. `issuer`: the base URL of the API.
 * @throws StoreError if the proof would be too long */
export function withProof(
  snapshot: Snapshot,
  { key, keys, issuer }: { key: SigningKey; keys: string[]; issuer: string },
): Snapshot {
  // The proof is of the fields as they are stored: the schema puts them in its own order.
  const stored = { ...snapshot, ...Envelope.parse(snapshot) };
  return { ...stored, proof: signClaims(claimsOf(stored, issuer), key), keys };
}

/** What a proof says of a snapshot. */
export function claimsOf(shown: Shown, issuer: string): Claims {
  const { name, confirmedAt, freshUntil, changedAt, revision, sha256, files, names, gaps } = shown;
  return {
    iss: issuer,
    sub: subjectOf(name),
    iat: seconds(confirmedAt),
    exp: seconds(freshUntil),
    changed: seconds(changedAt),
    rev: revision,
    sha256,
    ...(files && { files }),
    ...(names !== undefined && { names: sumOf(names, "hex") }),
    ...(gaps !== undefined && { gaps: sumOf(gaps, "base64url") }),
  };
}

function sumOf(value: unknown, form: "hex" | "base64url"): string {
  return createHash("sha256").update(JSON.stringify(value)).digest(form);
}

function seconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}

const Stored = z.object({
  proof: z.string().optional(),
  names: z.unknown().optional(),
  gaps: z.unknown().optional(),
  files: z.array(z.unknown()).optional(),
});

/** Believes what one of these keys has signed for one of these issuers. */
export function trustIn(trusted: Trusted): Trust {
  return {
    ...trusted,
    refusal(snapshot, bytes) {
      const { data: stored } = Stored.safeParse(parseJson(bytes));
      if (stored?.proof === undefined) return "it is not signed";
      return refusal(stored.proof, { ...snapshot, ...stored }, trusted);
    },
    // The history keeps neither names nor files of a past revision.
    isProven: ({ proof = "", ...past }) => refusal(proof, past, trusted, ["names", "files"]) === undefined,
  };
}

/** Why a proof does not cover what is shown; undefined if it does. `ignored`: claims to leave unchecked. */
function refusal(
  proof: string,
  shown: Shown,
  trusted: Trusted,
  ignored: readonly ("names" | "files")[] = [],
): string | undefined {
  try {
    const { claims } = verified(proof, { ...trusted, subject: subjectOf(shown.name) });
    for (const claim of ignored) delete claims[claim];
    const isAll = isDeepStrictEqual(claims, claimsOf(shown, claims.iss));
    return isAll ? undefined : "its proof is of other facts than it shows";
  } catch (error) {
    if (error instanceof ProofError) return error.message;
    throw error;
  }
}

export const Issuer = z
  .string()
  .max(MAX_ISSUER, `must have at most ${MAX_ISSUER} characters`)
  .refine(
    (text) => /^https?:/.test(parseUrl(text)?.protocol ?? ""),
    "must be the base URL of the API, such as https://api.acme.com",
  )
  // `iss` has api.baseUrl in this form.
  .transform((url) => new URL(url).href.replace(/\/+$/, ""));
/** `max` would measure a text as well. */
export const publicKeys = (max: number) =>
  z
    .array(PublicKey, "must be a list of public keys, as vitrine keygen writes them")
    .refine(({ length }) => length <= max, `must have at most ${max} keys`)
    .meta({ maxItems: max });
const TrustedKeys = publicKeys(MAX_KEYS)
  .refine(({ length }) => length > 0, "must have a public key, or be left out")
  .meta({ minItems: 1 });

/** The setting: keys alone, for the reader's own API, or with the API that they sign for. */
export const TrustSetting = z.union(
  [
    TrustedKeys,
    z.strictObject({
      issuer: z
        .union([Issuer, z.array(Issuer).min(1).max(2)])
        .describe("`api.baseUrl` of the collector that signs; during a move both"),
      keys: TrustedKeys.describe("Public keys to believe"),
    }),
  ],
  'must be public keys, as vitrine keygen writes them, or { "issuer": "https://api.acme.com", "keys": […] }',
);
export type TrustSetting = z.infer<typeof TrustSetting>;

/** `base`: the reader's own base URL, if it is given. @throws Error that says what to write */
export function trustOf(setting: TrustSetting | undefined, base: string | undefined): Trust | undefined {
  if (setting === undefined) return undefined;
  if (!Array.isArray(setting)) return trustIn({ keys: setting.keys, issuers: [setting.issuer].flat() });
  if (base !== undefined) return trustIn({ keys: setting, issuers: [base] });
  const form = '{ "issuer": "https://api.acme.com", "keys": […] }';
  throw new Error(`needs to know whose proofs these are: set api.baseUrl, or write ${form} with that of the collector`);
}
