// `vitrine verify URL`: fetches the facts of any Vitrine with their proofs, and says of each what is proven, by whom and until when.
// Without --key, the key comes from the same host, which proves only that facts and proofs agree.
import * as z from "zod";
import { UpstreamError } from "../../../collector/http/errors.ts";
import { fetchBytes, type FetchOptions } from "../../../collector/http/fetch.ts";
import { FACT_TARGETS } from "../../../server/answers/facts.ts";
import { PublicKey } from "../../../snapshots/schema.ts";
import { Issuer, ProofError, verified } from "../../../snapshots/features/signatures/proof.ts";
import { isSafeUrl, parseUrl } from "../../../snapshots/rules.ts";
import { MAX_AHEAD_MS, sha256, SNAPSHOT_NAMES, type SnapshotName, subjectOf } from "../../../snapshots/snapshot.ts";
import { parseDocument } from "../../../snapshots/store.ts";
import { typed } from "../../command-hints.ts";
import { EXIT, Refused, type Context } from "../../command.ts";
import { row } from "../../output/terminal.ts";

const DEADLINE_MS = 10_000;
/** The last second that a Date can hold. */
const MAX_SECONDS = 8_640_000_000_000;
const KeySet = z.object({ keys: z.array(z.object({ x: PublicKey.optional().catch(undefined) })).max(100) });

/** `base`: of the API, without a slash at the end. `issuer`: the API that the proofs must be signed for. `pinned`: the keys that may have
 * signed; by default those that the host shows. */
interface Asked {
  base: string;
  issuer: string;
  pinned: readonly string[] | undefined;
  signal: AbortSignal;
}

/** What was found of one fact. `code`: the command's exit code, if no other fact has a worse one. `key`: the one that has signed it. */
interface Verdict {
  code: number;
  text: string;
  key?: string | undefined;
}

/** Exit codes, the worst first. */
const CODES = [EXIT.failed, EXIT.unavailable, EXIT.unsigned, EXIT.ok];

export async function run({ terminal, flags, operands: [url = ""] = [], stop: signal }: Context): Promise<number> {
  const base = baseOf(url);
  const issuer = typeof flags.issuer === "string" ? issuerIn(flags.issuer) : base;
  const pinned = typeof flags.key === "string" ? flags.key.split(",") : undefined;
  if (pinned?.some((key) => !PublicKey.safeParse(key).success))
    throw new Refused("--key must be a public key of 43 characters, as vitrine keygen writes it");
  const asked = { base, issuer, pinned, signal };
  const verdicts = await Promise.all(SNAPSHOT_NAMES.map((name) => verify(name, asked)));
  for (const [index, { code, text }] of verdicts.entries())
    terminal.out(row(code === EXIT.ok ? "✔" : "✖", SNAPSHOT_NAMES[index] ?? "", text));
  const shown = new Set(pinned ? [] : verdicts.flatMap(({ key }) => key ?? []));
  if (shown.size > 0) {
    const named = issuer === base ? "" : ` --issuer ${issuer}`;
    const pin = typed(`verify ${base}${named} --key ${[...shown].join(",")}`);
    terminal.out(
      "\n  The key is that of the same host: only that its answers agree is proven. Compare it with what the vendor",
    );
    terminal.out(`  publishes elsewhere, and pin it: ${pin}`);
  }
  return CODES.find((code) => verdicts.some((verdict) => verdict.code === code)) ?? EXIT.ok;
}

/** In the form of `iss`. @throws Refused */
function baseOf(text: string): string {
  const url = parseUrl(text);
  if (url && isSafeUrl(url) && !/[?#]/.test(text)) return url.href.replace(/\/+$/, "");
  throw new Refused("name the base URL of a Vitrine, such as https://facts.example.com (http only on this computer)");
}

/** @throws Refused */
function issuerIn(text: string): string {
  const { data, error } = Issuer.safeParse(text);
  if (data === undefined) throw new Refused(`--issuer ${error.issues[0]?.message}`);
  if (/[?#]/.test(text)) throw new Refused("--issuer must be a base URL, without ? and #");
  return data;
}

/** Asks past all caches before it says no: one may have a fact and another one's proof. */
async function verify(name: SnapshotName, asked: Asked): Promise<Verdict> {
  const first = await verifyOnce(name, asked, {});
  return first.code === EXIT.ok ? first : verifyOnce(name, asked, { "cache-control": "no-cache" });
}

async function verifyOnce(name: SnapshotName, asked: Asked, headers: Record<string, string>): Promise<Verdict> {
  const { base, pinned, signal } = asked;
  try {
    const fact = await get(base + FACT_TARGETS[name].at(-1), { signal, headers });
    const digest = sha256(fact);
    const proof = await found(get(`${base}/proofs/${subjectOf(name)}.jwt?sha256=${digest}`, { signal, headers }));
    if (!proof) return { code: EXIT.unsigned, text: "not signed" };
    const keys = pinned ?? keysIn(await found(get(`${base}/.well-known/jwks.json`, { signal, headers })));
    // A server of files may send it with the end of a line.
    const token = Buffer.from(proof).toString().trim();
    return verdictOf(name, { token, digest, keys, issuer: asked.issuer });
  } catch (error) {
    if (error instanceof ProofError)
      return { code: EXIT.failed, text: `not proven for ${asked.issuer}: ${error.message}` };
    if (error instanceof UpstreamError) {
      const remedy = error.failure.status === 404 ? ": give the base URL alone, such as https://facts.example.com" : "";
      return { code: EXIT.unavailable, text: `not known: ${error.message}${remedy}` };
    }
    throw error;
  }
}

/** `digest`: of the body that was read. @throws ProofError */
function verdictOf(
  name: SnapshotName,
  { token, digest, keys, issuer }: { token: string; digest: string; keys: readonly string[]; issuer: string },
): Verdict {
  const { claims, key } = verified(token, { keys, issuers: [issuer], subject: subjectOf(name) });
  if (claims.sha256 !== digest) throw new ProofError("its proof is of other bytes than the API sends");
  if (claims.iat < 0 || claims.exp > MAX_SECONDS) throw new ProofError("its times are impossible");
  const now = Date.now();
  const unknown = (text: string) => ({ code: EXIT.unavailable, text });
  if (claims.iat * 1000 > now + MAX_AHEAD_MS) return unknown("signed in the future: check the clock of this computer");
  const [confirmed, end] = [claims.iat, claims.exp].map((seconds) => new Date(seconds * 1000).toISOString());
  if (claims.exp * 1000 <= now) return unknown(`its proof has expired, at ${end}`);
  const files = claims.files ? `, installers: ${claims.files.length}` : "";
  const what = `revision ${claims.rev}${files}, confirmed at ${confirmed}`;
  return { code: EXIT.ok, text: `proven by ${key} until ${end}: ${what}`, key };
}

function keysIn(set: Uint8Array | undefined): string[] {
  const { keys = [] } = (set && parseDocument(set, KeySet)) ?? {};
  return keys.flatMap(({ x }) => x ?? []);
}

async function get(url: string, options: Pick<FetchOptions, "signal" | "headers">): Promise<Uint8Array> {
  const answer = await fetchBytes(url, { ...options, deadline: DEADLINE_MS });
  if (answer === "unchanged") throw new UpstreamError("answered 304 to an unconditional request");
  return answer.body;
}

/** Undefined for a 404. @throws UpstreamError */
async function found(answer: Promise<Uint8Array>): Promise<Uint8Array | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof UpstreamError && error.failure.status === 404) return undefined;
    throw error;
  });
}
