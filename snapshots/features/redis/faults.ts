// What errors of Redis mean. Error replies have codes of their own; connections those of the system, of TLS and of the client.
import {
  ADD_AUTHORITY,
  BAD_CERTIFICATE,
  faultError,
  isKnown,
  UNKNOWN_NAME,
  type Fault,
} from "../connections/faults.ts";

const CLUSTER = ["is a cluster", "use an engine with cluster mode off"] as const;
const PRIMARY = "give the address of the primary";
const OTHER_NAME = "give the store another name in its location";
const NO_PERMISSION = [
  "denies this user permission",
  "correct database and name in the location, or give it the rules in SECURITY.md",
] as const;
const WRONG_PASSWORD = [
  "refuses user name or password",
  "correct REDIS_USERNAME and REDIS_PASSWORD, or those in SNAPSHOTS",
] as const;

/** A code is the first word of an error reply, with the text behind it if the word is ERR. */
const REPLIES: readonly Fault[] = [
  [/^(ASK|CLUSTERDOWN|CROSSSLOT|MOVED)$/, ...CLUSTER],
  [/^BUSY$/, "is running a script without an end", "end it with SCRIPT KILL"],
  [/^DENIED$/, "is in protected mode", "set a password in its settings and as REDIS_PASSWORD"],
  [/^LOADING$/, "is loading its data", "wait until it has started"],
  [/^MASTERDOWN$/, "is a replica that has lost its primary", PRIMARY],
  [/^MISCONF$/, "takes no writes while it cannot save to disk", "see its log", "writes"],
  [/^NOAUTH$/, "asks for a password", "set REDIS_PASSWORD, and REDIS_USERNAME for any user but the default one"],
  [/^NOPERM$/, ...NO_PERMISSION],
  [/^NOREPLICAS$/, "takes no writes without enough replicas", "see its setting min-replicas-to-write", "writes"],
  [/^OOM$/, "is out of memory", "raise its maxmemory, or give the store an engine of its own", "writes"],
  [/^READONLY$/, "is a replica, which takes no writes", PRIMARY, "writes"],
  [/^WRONGPASS$/, ...WRONG_PASSWORD],
  [/^WRONGTYPE$/, "keeps something else under this name", OTHER_NAME],
  // Our own guard of replies sends it.
  [/^TOOLARGE$/, "keeps too much under this name", OTHER_NAME, "writes"],
  [/^ERR .*max number of clients/, "has no connection left", "raise its maxclients"],
  [/^ERR .*DB index/, "has no database of this number", "give a lower one in the location"],
  [/^ERR .*in cluster mode/, ...CLUSTER],
  [
    /^ERR .*(without any password|no password is set)/,
    "has no password",
    "unset REDIS_PASSWORD, and write none into SNAPSHOTS; a Sentinel answers so, too: give the address of its primary",
  ],
  [/^ERR .*invalid password/, ...WRONG_PASSWORD],
  [/^ERR .*user executing the script can't/, ...NO_PERMISSION],
  [
    /^ERR .*unknown command .(hget|hmget|hkeys|hdel|set|select)\b/,
    "is a Sentinel",
    "give the address of its primary, or one that follows it",
  ],
  [/^ERR .*unknown command/, "lacks a command", "use an engine with all commands of Redis 6"],
  [
    /^(BUSYGROUP|EXECABORT|INPROG|IOERR|NOPROTO|NOSCRIPT|TRYAGAIN|UNKILLABLE)$/,
    "refuses a command",
    "see its documentation for this code",
  ],
];

const replyError = faultError("Redis", REPLIES, ["refuses a command", "see its log"]);

const NETWORK: readonly Fault[] = [
  [UNKNOWN_NAME, "has an address that cannot be looked up", "correct the host in the location"],
  [/_ALERT_(CERTIFICATE|HANDSHAKE)/, "asks for a certificate of the client", "set its tls-auth-clients to no"],
  [BAD_CERTIFICATE, "has no certificate that holds for its address", ADD_AUTHORITY],
  [/^(ERR_SSL_|EPROTO$)/, "does not speak TLS", "write redis:// instead of rediss:// in the location"],
  [/^(ECONNRESET|EPIPE)$/, "ended the connection", "see its log: it may expect rediss://, or have too many clients"],
  // Without TLS, the engine waits for the end of a first line.
  [/^ETIMEDOUT$/, "does not answer", "start it, or correct its address; write rediss:// only if it has TLS"],
  [/^EBADMSG$/, "does not speak its protocol", "correct the port, or write rediss:// if it has TLS"],
];

/** A connection to Redis that failed, ended or timed out. */
export const redisNetworkError = faultError("Redis", NETWORK, [
  "does not answer",
  "start it, or correct its address in the location",
]);

/** In a script, Redis 6 puts the code behind the place of the fault. */
const CODE = /^(?:ERR .*@user_script: ?\d+: -?)?(?<code>[A-Z]{2,20})(?: |$)/;

/** An error reply of Redis. `text`: may quote anything, and its first word may be a part of a password. */
export function redisError(text: string) {
  const word = CODE.exec(text)?.groups?.code ?? "";
  return isKnown(REPLIES, word) ? replyError(word) : replyError(`ERR ${text}`, "ERR");
}
