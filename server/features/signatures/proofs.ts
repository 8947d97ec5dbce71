// Shows the proof of each fact, and the public keys. For clients that believe a key instead of the way to the server. Without it, what
// the collector signs is still served, and nobody can see it.
import { issuerOf, keySet } from "../../../snapshots/features/signatures/proof.ts";
import { SNAPSHOT_NAMES, type SnapshotName, subjectOf } from "../../../snapshots/snapshot.ts";
import { answer, error, json, type Answer } from "../../answers/answer.ts";
import { unavailable, type FactLink, type FactView } from "../../answers/facts.ts";
import type { Mirror, Remark } from "../../mirror/mirror.ts";

const PROOF_TYPE = "application/jwt";
const NOT_SIGNED = error(404, "This fact is not signed.");
const NO_KEYS = error(404, "Nothing here is signed.");

function proofPath(name: SnapshotName): string {
  return `/proofs/${subjectOf(name)}.jwt`;
}

/** A fact links to its proof. The link names the payload's digest: a cache that has another proof must not answer it. */
export const proofLink: FactLink = ({ name, proof, sha256 }, path) =>
  proof === undefined
    ? undefined
    : `<${path}${proofPath(name)}?sha256=${sha256}>; rel="describedby"; type="${PROOF_TYPE}"`;

/** A warning if the facts are signed for another API. With trust, the settings name the issuer, and other proofs are refused. */
export const otherIssuer: Remark = (mirror, base) => {
  const plans = mirror.get("plans");
  const proof = mirror.trust || plans.state === "missing" ? undefined : plans.snapshot.proof;
  // A run signs all facts for the same API.
  const issuer = proof === undefined ? undefined : issuerOf(proof);
  if (issuer === undefined || issuer === base) return undefined;
  return `the facts are signed for ${issuer}, and this server is ${base}: who verifies its answers refuses them`;
};

/** The proof of each fact. The query in its link is for caches only: the answer is always the present proof. */
export const PROOF_VIEWS: readonly FactView[] = SNAPSHOT_NAMES.map((name) => ({
  name,
  targets: [proofPath(name)],
  fresh: ({ proof }) => (proof === undefined ? NOT_SIGNED : answer(200, proof, { "content-type": PROOF_TYPE })),
  unavailable: unavailable(name),
}));

/** Those that the server trusts, or else those beside the proofs, which show only that facts and proofs are of one place. */
export function publicKeys(mirror: Mirror): Answer {
  const shown = SNAPSHOT_NAMES.flatMap((name) => {
    const lookup = mirror.get(name);
    return lookup.state === "missing" || lookup.snapshot.proof === undefined ? [] : (lookup.snapshot.keys ?? []);
  });
  const keys = mirror.trust?.keys ?? [...new Set(shown)];
  if (keys.length === 0) return NO_KEYS;
  const headers = { "content-type": "application/jwk-set+json", "cache-control": "public, max-age=60" };
  return json(200, JSON.stringify(keySet(keys)), headers);
}
