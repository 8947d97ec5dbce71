// What errors of Redis mean. Error replies have codes of their own; connections those of the system, of TLS and of the client.
import {
  ADD_AUTHORITY,
  BAD_CERTIFICATE,
  faultError,
  isKnown,
  UNKNOWN_NAME,
  type Fault,
} from "../connections/faults.ts";

const CLUSTER = { says: "is a cluster", do: "use an engine with cluster mode off" };
const PRIMARY = "give the address of the primary";
const OTHER_NAME = "give the store another name in its location";
const NO_PERMISSION = {
  says: "denies this user permission",
  do: "correct database and name in the location, or give it the rules in SECURITY.md",
};
const WRONG_PASSWORD = {
  says: "refuses user name or password",
  do: "correct REDIS_USERNAME and REDIS_PASSWORD, or those in SNAPSHOTS",
};

/** A code is the first word of an error reply, with the text behind it if the word is ERR. */
const REPLIES: readonly Fault[] = [
  { code: /^(ASK|CLUSTERDOWN|CROSSSLOT|MOVED)$/, ...CLUSTER },
  { code: /^BUSY$/, says: "is running a script without an end", do: "end it with SCRIPT KILL" },
  { code: /^DENIED$/, says: "is in protected mode", do: "set a password in its settings and as REDIS_PASSWORD" },
  { code: /^LOADING$/, says: "is loading its data", do: "wait until it has started" },
  { code: /^MASTERDOWN$/, says: "is a replica that has lost its primary", do: PRIMARY },
  { code: /^MISCONF$/, says: "takes no writes while it cannot save to disk", do: "see its log", stops: "writes" },
  {
    code: /^NOAUTH$/,
    says: "asks for a password",
    do: "set REDIS_PASSWORD, and REDIS_USERNAME for any user but the default one",
  },
  { code: /^NOPERM$/, ...NO_PERMISSION },
  {
    code: /^NOREPLICAS$/,
    says: "takes no writes without enough replicas",
    do: "see its setting min-replicas-to-write",
    stops: "writes",
  },
  {
    code: /^OOM$/,
    says: "is out of memory",
    do: "raise its maxmemory, or give the store an engine of its own",
    stops: "writes",
  },
  { code: /^READONLY$/, says: "is a replica, which takes no writes", do: PRIMARY, stops: "writes" },
  { code: /^WRONGPASS$/, ...WRONG_PASSWORD },
  { code: /^WRONGTYPE$/, says: "keeps something else under this name", do: OTHER_NAME },
  // Our own guard of replies sends it.
  { code: /^TOOLARGE$/, says: "keeps too much under this name", do: OTHER_NAME, stops: "writes" },
  { code: /^ERR .*max number of clients/, says: "has no connection left", do: "raise its maxclients" },
  { code: /^ERR .*DB index/, says: "has no database of this number", do: "give a lower one in the location" },
  { code: /^ERR .*in cluster mode/, ...CLUSTER },
  {
    code: /^ERR .*(without any password|no password is set)/,
    says: "has no password",
    do: "unset REDIS_PASSWORD, and write none into SNAPSHOTS; a Sentinel answers so, too: give the address of its primary",
  },
  { code: /^ERR .*invalid password/, ...WRONG_PASSWORD },
  { code: /^ERR .*user executing the script can't/, ...NO_PERMISSION },
  {
    code: /^ERR .*unknown command .(hget|hmget|hkeys|hdel|set|select)\b/,
    says: "is a Sentinel",
    do: "give the address of its primary, or one that follows it",
  },
  { code: /^ERR .*unknown command/, says: "lacks a command", do: "use an engine with all commands of Redis 6" },
  {
    code: /^(BUSYGROUP|EXECABORT|INPROG|IOERR|NOPROTO|NOSCRIPT|TRYAGAIN|UNKILLABLE)$/,
    says: "refuses a command",
    do: "see its documentation for this code",
  },
];

const replyError = faultError("Redis", REPLIES, { says: "refuses a command", do: "see its log" });

const NETWORK: readonly Fault[] = [
  { code: UNKNOWN_NAME, says: "has an address that cannot be looked up", do: "correct the host in the location" },
  {
    code: /_ALERT_(CERTIFICATE|HANDSHAKE)/,
    says: "asks for a certificate of the client",
    do: "set its tls-auth-clients to no",
  },
  { code: BAD_CERTIFICATE, says: "has no certificate that holds for its address", do: ADD_AUTHORITY },
  {
    code: /^(ERR_SSL_|EPROTO$)/,
    says: "does not speak TLS",
    do: "write redis:// instead of rediss:// in the location",
  },
  {
    code: /^(ECONNRESET|EPIPE)$/,
    says: "ended the connection",
    do: "see its log: it may expect rediss://, or have too many clients",
  },
  // Without TLS, the engine waits for the end of a first line.
  {
    code: /^ETIMEDOUT$/,
    says: "does not answer",
    do: "start it, or correct its address; write rediss:// only if it has TLS",
  },
  { code: /^EBADMSG$/, says: "does not speak its protocol", do: "correct the port, or write rediss:// if it has TLS" },
];

/** A connection to Redis that failed, ended or timed out. */
export const redisNetworkError = faultError("Redis", NETWORK, {
  says: "does not answer",
  do: "start it, or correct its address in the location",
});

/** In a script, Redis 6 puts the code behind the place of the fault. */
const CODE = /^(?:ERR .*@user_script: ?\d+: -?)?(?<code>[A-Z]{2,20})(?: |$)/;

/** An error reply of Redis. `text`: may quote anything, and its first word may be a part of a password. */
export function redisError(text: string) {
  const word = CODE.exec(text)?.groups?.code ?? "";
  return isKnown(REPLIES, word) ? replyError(word) : replyError(`ERR ${text}`, "ERR");
}
