// Proofs: a signed token (JWT, Ed25519) that states what a snapshot shows, by whom and until when. The collector signs one at each
// confirmation; every reader that trusts a key verifies it. The key to verify by comes from the reader's settings, never from
// the token, and anything that is not exactly the form below is refused.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from "node:crypto";
import * as z from "zod";
import { parseJson } from "./store.ts";

/** `iss`: base URL of the API; `sub`: `plans`, `releases/macos`, `releases/windows`; `iat`: when the fact was confirmed and `exp`:
 * until when it may be served, in whole seconds since the epoch, rounded down; `sha256`: of the REST body without compression;
 * `files`: of a release, as the snapshot has them; `names`: SHA-256 of their JSON as stored. A newer version may add claims. */
export const Claims = z.object({
  iss: z.string(),
  sub: z.string(),
  iat: z.int(),
  exp: z.int(),
  rev: z.int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  files: z.array(z.unknown()).optional(),
  names: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
export type Claims = z.infer<typeof Claims>;

/** Longest token, in characters. */
export const MAX_PROOF = 4_096;
/** The signing key's public half and five others. */
export const MAX_KEYS = 6;
/** RFC 9864 names the algorithm Ed25519, which few libraries know yet. */
const ALGORITHM = "EdDSA";
const TYPE = "vitrine-fact+jwt";

const Header = z.strictObject({ alg: z.literal(ALGORITHM), typ: z.literal(TYPE), kid: z.string() });

/** `publicKey`: `x` of its JWK, 43 characters. */
export interface SigningKey {
  privateKey: KeyObject;
  publicKey: string;
}

/** A proof that does not prove; the message says why, without quoting it. */
export class ProofError extends Error {
  override name = "ProofError";
}

/** A new key in the form that `signingKey` reads, with its public half. */
export function generateKey(): { key: string; publicKey: string } {
  const { privateKey } = generateKeyPairSync("ed25519");
  const key = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
  return { key, publicKey: publicKeyOf(privateKey) };
}

/** `text`: PKCS#8 in base64, as `vitrine keygen` writes it. @throws Error that does not quote it */
export function signingKey(text: string): SigningKey {
  const privateKey = createPrivateKeyOf(text);
  if (privateKey?.asymmetricKeyType !== "ed25519") throw new Error("not a private key as vitrine keygen writes it");
  return { privateKey, publicKey: publicKeyOf(privateKey) };
}

function createPrivateKeyOf(text: string): KeyObject | undefined {
  try {
    return createPrivateKey({ key: Buffer.from(text, "base64"), format: "der", type: "pkcs8" });
  } catch {
    return undefined;
  }
}

function publicKeyOf(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ format: "jwk" }).x ?? "";
}

/** A public key as settings have it: 32 bytes in base64url, in their only spelling. */
export const PublicKey = z
  .string()
  .refine(isPublicKey, "must be a public key of 43 characters, as vitrine keygen writes it");

function isPublicKey(text: string): boolean {
  const bytes = Buffer.from(text, "base64url");
  return bytes.length === 32 && bytes.toString("base64url") === text;
}

/** RFC 7638. */
export function thumbprint(publicKey: string): string {
  return createHash("sha256")
    .update(JSON.stringify(jwkOf(publicKey)))
    .digest("base64url");
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

export function signClaims(claims: Claims, { privateKey, publicKey }: SigningKey): string {
  const header = { alg: ALGORITHM, typ: TYPE, kid: thumbprint(publicKey) };
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString("base64url")}`;
}

/** What a token states about `subject`. Its times are left to the caller. `keys`, `issuers`: those to trust. @throws ProofError */
export function verifiedClaims(
  token: string,
  { keys, issuers, subject }: { keys: readonly string[]; issuers: readonly string[]; subject: string },
): Claims {
  const [header, body, signature, ...rest] = token.split(".");
  if (
    token.length > MAX_PROOF ||
    header === undefined ||
    body === undefined ||
    signature === undefined ||
    rest.length > 0
  )
    throw new ProofError("not a token");
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
  return claims;
}

function partOf(part: string): unknown {
  return parseJson(Buffer.from(part, "base64url"));
}
