// The scripts that the engine runs as one step. Each gets its key and its arguments from outside, so that its text is constant.

/** KEYS: the hash. ARGV: key, bytes, new version, expected version (`*`: any, empty: none), channel (empty: no hint).
 * Returns 1, or 0 if the version is another. */
export const PUT = `
local version = redis.call("HGET", KEYS[1], ARGV[1] .. "#")
if ARGV[4] ~= "*" and ARGV[4] ~= (version or "") then return 0 end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2], ARGV[1] .. "#", ARGV[3])
if ARGV[5] ~= "" then redis.call("PUBLISH", ARGV[5], ARGV[1]) end
return 1`;

/** KEYS: the claim. ARGV: its holder, the lease in ms. Renews the claim, also one that an engine without persistence has lost,
 * unless another process has it. */
export const REFRESH = `
if (redis.call("GET", KEYS[1]) or ARGV[1]) == ARGV[1] then redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2]) end
return 1`;

/** KEYS: the claim. ARGV: its holder. */
export const RELEASE = `
if redis.call("GET", KEYS[1]) == ARGV[1] then redis.call("DEL", KEYS[1]) end
return 1`;
