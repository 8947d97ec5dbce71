// The store in a bucket of S3 or of a compatible service: each key is an object. Only conditional writes make `put`
// exact and keep collectors apart, so a service that ignores the conditions is refused.
import { randomUUID } from "node:crypto";
import * as z from "zod";
import { checkedKey, Conflict, parseDocument, StoreError, type Version, type LoadedStore } from "../../store.ts";
import { incompleteAnswer, s3Error } from "./faults.ts";
import { claimBy, LEASE_MS } from "../../stores/lease.ts";
import type { S3Place } from "./location.ts";
import {
  getObject,
  isConditionFalse,
  listKeys,
  putObject,
  removeObject,
  s3Client,
  type Send,
  sendPut,
  versionOf,
} from "./client.ts";

const CLAIM_KEY = ".claim";
const PROBE_KEY = ".probe";

/** Every call ends within 5 s. */
export async function openS3Store(place: S3Place): Promise<LoadedStore> {
  const { credentials, region } = place;
  const client = s3Client(
    place,
    credentials ? async () => credentials : (await import("./role.ts")).roleCredentials(region),
  );
  let isProbed = false;
  return {
    get: (key, ifNot) => client.call((send) => getObject(send, checkedKey(key), ifNot)),
    put: (key, bytes, { ifVersion } = {}) =>
      client.call((send) => putObject(send, checkedKey(key), { bytes, ifVersion })),
    list: (folder) => client.call((send) => listKeys(send, place.prefix, folder)),
    remove: (key) => client.call((send) => removeObject(send, checkedKey(key))),
    claim: claimBy({
      take: (holder, self) =>
        client.call(async (send) => {
          if (!isProbed) await probeConditions(send);
          isProbed = true;
          return takeClaim(send, holder, self);
        }),
      refresh: (holder) => client.call((send) => rewriteClaim(send, { holder, isReleased: false })),
      release: (holder) => client.call((send) => rewriteClaim(send, { holder, isReleased: true })),
    }),
    ahead: () => Promise.resolve(client.ahead()),
    watch: () => () => {},
    close: async () => client.close(),
  };
}

/** Some services accept the condition of a write and ignore it; then two collectors could overwrite each other. The object of
 * the probe stays, so only the first probe of a store creates it. @throws StoreError */
async function probeConditions(send: Send): Promise<void> {
  const isRefused = async (ifVersion: Version | null) => {
    const answer = await sendPut(send, PROBE_KEY, { bytes: Buffer.from("probe"), ifVersion });
    if (isConditionFalse(answer)) return true;
    if (answer.status !== 200) throw s3Error(answer);
    // A proxy's login page has none.
    versionOf(answer);
    return false;
  };
  const isCreatedOnce = (await isRefused(null)) || (await isRefused(null));
  if (isCreatedOnce && (await isRefused("0".repeat(32)))) return;
  throw new StoreError("S3 ignores the conditions of writes, which keep collectors apart: use another service");
}

/** `sign`: differs in each write, because equal bytes would have equal versions. */
const ClaimObject = z.object({ holder: z.string(), sign: z.string(), isReleased: z.boolean() });

/** Claims the store by one object that names its holder. The bucket's own clock judges its age, so no other clock matters. It is
 * never removed, only marked as released: each change of it is a conditional write. @throws StoreError */
async function takeClaim(send: Send, holder: string, self: string): Promise<string | undefined> {
  const state = await readClaim(send);
  const isOthers = state?.holder !== undefined && !state.holder.startsWith(self);
  // In both directions: after the bucket's clock is set back, a dead claim may lie in the future.
  if (isOthers && Math.abs(state.age) <= LEASE_MS) return undefined;
  const isMine = await writeClaim(send, { holder, isReleased: false, ifVersion: state?.version ?? null });
  return isMine ? holder : undefined;
}

/** Has no effect on a released claim, or one of another holder. @throws StoreError */
async function rewriteClaim(send: Send, claim: { holder: string; isReleased: boolean }): Promise<void> {
  for (;;) {
    const state = await readClaim(send);
    if (state?.holder !== claim.holder || (await writeClaim(send, { ...claim, ifVersion: state.version }))) return;
  }
}

/** `holder`: of a claim that is neither released nor damaged. `age`: in ms by the bucket's clock. @throws StoreError */
async function readClaim(send: Send) {
  const stored = await getObject(send, CLAIM_KEY);
  if (stored === undefined || stored === "unchanged") return undefined;
  const { headers } = stored;
  const age = Date.parse(headers.date ?? "") - Date.parse(headers["last-modified"] ?? "");
  if (Number.isNaN(age)) throw incompleteAnswer("Date or Last-Modified");
  const claim = parseDocument(stored.bytes, ClaimObject);
  return { version: stored.version, holder: claim?.isReleased === false ? claim.holder : undefined, age };
}

/** False if another collector was first. @throws StoreError */
async function writeClaim(
  send: Send,
  { ifVersion, ...claim }: { holder: string; isReleased: boolean; ifVersion: Version | null },
): Promise<boolean> {
  const bytes = Buffer.from(JSON.stringify({ ...claim, sign: randomUUID() } satisfies z.infer<typeof ClaimObject>));
  try {
    await putObject(send, CLAIM_KEY, { bytes, ifVersion });
    return true;
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
}
