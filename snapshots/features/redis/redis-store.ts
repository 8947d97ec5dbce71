// A store in Redis, or in an engine with its protocol, such as Valkey: one hash with two fields for each key, the bytes under KEY and
// the version under KEY#. A script replaces both in one step if the version is the expected one, and publishes a hint. Versions are
// random, because a counter would start again in an engine that has come back empty. A write lasts as the engine is set.
import { randomUUID } from "node:crypto";
import {
  checkedKey,
  Conflict,
  isKey,
  MAX_VALUE_BYTES,
  type Stored,
  StoreError,
  type LoadedStore,
} from "../../store.ts";
import { claimBy, LEASE_MS } from "../../stores/lease.ts";
import type { RedisPlace } from "./location.ts";
import { MAX_AGE_MS, operationDeadline, redisCommands, redisHints } from "./client.ts";

/** Connects at the first operation, each of which ends within 3 s. `maxAgeMs`: of a connection. */
export function openRedisStore(place: RedisPlace, maxAgeMs = MAX_AGE_MS): LoadedStore {
  const { name } = place;
  const client = redisCommands(place, maxAgeMs);
  const hints = redisHints(place, maxAgeMs);
  const [claimKey, leaseMs] = [`${name}#claim`, String(LEASE_MS)];
  return {
    async get(key, ifNot) {
      const [field, deadline] = [checkedKey(key), operationDeadline()];
      const version = ifNot !== undefined && (await client.ask(["hget", name, `${field}#`], deadline));
      if (version instanceof Buffer && version.toString() === ifNot) return "unchanged";
      return stored(await client.ask(["hmget", name, field, `${field}#`], deadline));
    },
    async put(key, bytes, { ifVersion } = {}) {
      const version = randomUUID();
      const expected = ifVersion === undefined ? "*" : (ifVersion ?? "");
      // A previous copy is read only in place of a damaged snapshot.
      const channel = key.endsWith(".prev") ? "" : name;
      const reply = await client.ask(["eval", PUT, "1", name, checkedKey(key), bytes, version, expected, channel]);
      if (reply === 0) throw new Conflict();
      return version;
    },
    async list(folder) {
      const reply = await client.ask(["hkeys", name]);
      const fields = Array.isArray(reply) ? reply.map(String) : [];
      return fields.filter((field) => field.startsWith(`${folder}/`) && isKey(field));
    },
    async remove(key) {
      const field = checkedKey(key);
      await client.ask(["hdel", name, field, `${field}#`]);
    },
    claim: claimBy({
      async take(holder, self) {
        const reply = await client.ask(["set", claimKey, holder, "NX", "PX", leaseMs]);
        if (String(reply) === "OK") return holder;
        return (await client.ask(["eval", RECLAIM, "1", claimKey, holder, leaseMs, self])) === 1 ? holder : undefined;
      },
      refresh: (holder) => client.ask(["eval", REFRESH, "1", claimKey, holder, leaseMs]),
      release: (holder) => client.ask(["eval", RELEASE, "1", claimKey, holder]),
    }),
    async ahead() {
      const asked = Date.now();
      const reply = await client.ask(["time"]);
      const [seconds = Number.NaN, microseconds = 0] = Array.isArray(reply) ? reply.map(Number) : [];
      const ahead = (asked + Date.now()) / 2 - (seconds * 1000 + microseconds / 1000);
      return Number.isNaN(ahead) ? undefined : ahead;
    },
    async engine() {
      const idIn = async (section: string, name: string) =>
        new RegExp(`^${name}:([0-9a-f]{40})`, "m").exec(String(await client.ask(["info", section])))?.[1];
      const [process, line] = await Promise.all([idIn("server", "run_id"), idIn("replication", "master_replid")]);
      return process !== undefined && line !== undefined ? { process, line } : undefined;
    },
    watch: (hint) => hints.listen(hint),
    close() {
      hints.close();
      client.close();
      return Promise.resolve();
    },
  };
}

/** The reply to HMGET with bytes and version. @throws StoreError for a value that Vitrine cannot have written. */
function stored(reply: unknown): Stored | undefined {
  const [bytes, version]: unknown[] = Array.isArray(reply) ? reply : [];
  if (bytes === null) return undefined;
  const known = version instanceof Buffer ? version.toString() : undefined;
  // The guard of replies puts an error in place of a value that is far too large.
  const isTooLarge = bytes instanceof Error || (bytes instanceof Buffer && bytes.length > MAX_VALUE_BYTES);
  if (isTooLarge) throw Object.assign(new StoreError(`over ${MAX_VALUE_BYTES} bytes`), { version: known });
  if (!(bytes instanceof Buffer) || known === undefined)
    throw new StoreError("has no version, so something else wrote it");
  return { bytes, version: known };
}

/** A script that the engine runs as one step. Its text is constant: key and arguments come from outside, as in those below.
 * KEYS: the hash. ARGV: key, bytes, new version, expected version (`*`: any, empty: none), channel (empty: no hint).
 * Returns 1, or 0 if the version is another. */
const PUT = `
local version = redis.call("HGET", KEYS[1], ARGV[1] .. "#")
if ARGV[4] ~= "*" and ARGV[4] ~= (version or "") then return 0 end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2], ARGV[1] .. "#", ARGV[3])
if ARGV[5] ~= "" then redis.call("PUBLISH", ARGV[5], ARGV[1]) end
return 1`;

/** KEYS: the claim. ARGV: its holder, the lease in ms, the store. Takes over what the same store has claimed before: the reply to
 * that, or its release, was lost. Returns 1, or 0 if another store has the claim. */
const RECLAIM = `
if string.sub(redis.call("GET", KEYS[1]) or "", 1, #ARGV[3]) ~= ARGV[3] then return 0 end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return 1`;

/** KEYS: the claim. ARGV: its holder, the lease in ms. Renews the claim, also one that an engine without persistence has lost,
 * unless another process has it. */
const REFRESH = `
if (redis.call("GET", KEYS[1]) or ARGV[1]) == ARGV[1] then redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2]) end
return 1`;

/** KEYS is the claim, ARGV its holder. */
const RELEASE = `
if redis.call("GET", KEYS[1]) == ARGV[1] then redis.call("DEL", KEYS[1]) end
return 1`;
