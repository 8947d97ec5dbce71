// A store in Redis, or in an engine with its protocol, such as Valkey: one hash with two fields for each key, the bytes under KEY and
// the version under KEY#. A script replaces both in one step if the version is the expected one, and publishes a hint. Versions are
// random, because a counter would start again in an engine that has come back empty. A write lasts as the engine is set.
import { randomUUID } from "node:crypto";
import { Conflict, StoreError, type Claim, type Stored } from "../../store.ts";
import type { LoadedStore } from "../loaded-on-use.ts";
import { checkedKey, isKey, MAX_VALUE_BYTES } from "../values.ts";
import { dialler, RedisClient } from "./client.ts";
import { RedisConnection } from "./connection.ts";
import type { RedisPlace } from "./place.ts";
import { OVERSIZE, type RedisReply } from "./replies.ts";
import { PUT, REFRESH, RELEASE } from "./scripts.ts";
import { RedisSubscription } from "./subscription.ts";

const REFRESH_MS = 5_000;
const LEASE_MS = 30_000;
const OTHER_NAME = "give the store another name in its location";

/** Connects at the first operation, each of which ends within 3 s. */
export async function openRedisStore(place: RedisPlace): Promise<LoadedStore> {
  const { name } = place;
  const dial = await dialler(place);
  const client = new RedisClient(() => new RedisConnection(dial(), place));
  const hints = new RedisSubscription(name, (onMessage) => new RedisConnection(dial(), place, onMessage));
  return {
    async get(key, ifNot) {
      const [field, deadline] = [checkedKey(key), client.deadline()];
      const version = ifNot !== undefined && (await client.ask(["HGET", name, `${field}#`], deadline));
      if (version instanceof Buffer && version.toString() === ifNot) return "unchanged";
      return stored(await client.ask(["HMGET", name, field, `${field}#`], deadline));
    },
    async put(key, bytes, { ifVersion } = {}) {
      const version = randomUUID();
      const expected = ifVersion === undefined ? "*" : (ifVersion ?? "");
      // A previous copy is read only in place of a damaged snapshot.
      const channel = key.endsWith(".prev") ? "" : name;
      const reply = await client.ask(["EVAL", PUT, "1", name, checkedKey(key), bytes, version, expected, channel]);
      if (reply === 0) throw new Conflict();
      return version;
    },
    async list(folder) {
      const fields = await client.ask(["HKEYS", name]);
      if (!Array.isArray(fields)) throw new StoreError(`Redis keeps too much under this name: ${OTHER_NAME}`);
      return fields.map(String).filter((field) => field.startsWith(`${folder}/`) && isKey(field));
    },
    async remove(key) {
      const field = checkedKey(key);
      await client.ask(["HDEL", name, field, `${field}#`]);
    },
    async claim() {
      const holder = randomUUID();
      const reply = await client.ask(["SET", `${name}#claim`, holder, "NX", "PX", String(LEASE_MS)]);
      return reply === "OK" ? holdClaim(client, `${name}#claim`, holder) : undefined;
    },
    watch: (hint) => hints.listen(hint),
    close() {
      hints.close();
      client.close();
      return Promise.resolve();
    },
  };
}

/** Refreshes a claim until it is released. */
function holdClaim(client: RedisClient, key: string, holder: string): Claim {
  let refreshed: Promise<unknown> = Promise.resolve();
  const refresh = setInterval(() => {
    refreshed = client.ask(["EVAL", REFRESH, "1", key, holder, String(LEASE_MS)]).catch(() => {});
  }, REFRESH_MS).unref();
  return {
    async release() {
      clearInterval(refresh);
      await refreshed;
      // If the engine does not answer, the claim ends with its lease.
      await client.ask(["EVAL", RELEASE, "1", key, holder]).catch(() => {});
    },
  };
}

/** The reply to HMGET with bytes and version. @throws StoreError for a value that Vitrine cannot have written. */
function stored(reply: RedisReply): Stored | undefined {
  const [bytes, version] = Array.isArray(reply) ? reply : [];
  if (bytes === null) return undefined;
  const known = version instanceof Buffer ? version.toString() : undefined;
  const isTooLarge = bytes === OVERSIZE || (bytes instanceof Buffer && bytes.length > MAX_VALUE_BYTES);
  if (isTooLarge) throw Object.assign(new StoreError(`over ${MAX_VALUE_BYTES} bytes`), { version: known });
  if (!(bytes instanceof Buffer) || known === undefined)
    throw new StoreError("has no version, so something else wrote it");
  return { bytes, version: known };
}
