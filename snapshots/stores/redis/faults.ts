// The engine's faults in one line each: what is wrong, its code, what to do. The engine's own words are never repeated, because
// they contain user names, keys and addresses.
import { errorCode } from "../../error-code.ts";
import { StoreError, Unreachable } from "../../store.ts";
import type { EngineFault } from "./replies.ts";

type Explanation = readonly [problem: string, remedy: string];

const CLUSTER: Explanation = ["is a cluster", "use an engine with cluster mode off"];
const NO_PERMISSION: Explanation = [
  "permits this user too little",
  "correct database and name in the location, or give it the rules in SECURITY.md",
];
const WRONG_PASSWORD: Explanation = [
  "refuses user name or password",
  "correct REDIS_USERNAME and REDIS_PASSWORD, or those in SNAPSHOTS",
];
const NO_PASSWORD: Explanation = ["has no password", "unset REDIS_PASSWORD, and write none into SNAPSHOTS"];

/** By the first word of an error reply. */
const ENGINE_FAULTS: Readonly<Record<string, Explanation>> = {
  ASK: CLUSTER,
  BUSY: ["is running a script without an end", "end it with SCRIPT KILL"],
  CLUSTERDOWN: CLUSTER,
  CROSSSLOT: CLUSTER,
  DENIED: ["is in protected mode", "set a password in its settings and as REDIS_PASSWORD"],
  LOADING: ["is loading its data", "wait until it has started"],
  MASTERDOWN: ["is a replica that has lost its primary", "give the address of the primary"],
  MISCONF: ["takes no writes while it cannot save to disk", "see its log"],
  MOVED: CLUSTER,
  NOAUTH: ["asks for a password", "set REDIS_PASSWORD, and REDIS_USERNAME for any user but the default one"],
  NOPERM: NO_PERMISSION,
  NOREPLICAS: ["takes no writes without enough replicas", "see its setting min-replicas-to-write"],
  OOM: ["is out of memory", "raise its maxmemory, or give the store an engine of its own"],
  READONLY: ["is a replica, which takes no writes", "give the address of the primary"],
  WRONGPASS: WRONG_PASSWORD,
  WRONGTYPE: ["keeps something else under this name", "give the store another name in its location"],
};

/** By a part of the text of a reply that begins with ERR. */
const OTHER_FAULTS: readonly (readonly [part: string, Explanation])[] = [
  ["max number of clients", ["has no connection left", "raise its maxclients"]],
  ["DB index", ["has no database of this number", "give a lower one in the location"]],
  ["in cluster mode", CLUSTER],
  ["without any password", NO_PASSWORD],
  ["no password is set", NO_PASSWORD],
  ["invalid password", WRONG_PASSWORD],
  ["user executing the script can't", NO_PERMISSION],
  ["unknown command", ["lacks a command", "use an engine with all commands of Redis 6"]],
];

/** The store can still be read. */
const OF_WRITES = new Set(["MISCONF", "NOREPLICAS", "OOM", "READONLY"]);

/** Of the system, of TLS and of this client. */
const NETWORK_FAULTS: readonly (readonly [code: RegExp, Explanation])[] = [
  [/^(ENOTFOUND|EAI_.*)$/, ["has an address that cannot be looked up", "correct the host in the location"]],
  [/_ALERT_(CERTIFICATE|HANDSHAKE)/, ["asks for a certificate of the client", "set its tls-auth-clients to no"]],
  [
    /CERT|UNABLE_TO_VERIFY/,
    ["has no certificate that holds for its address", "name its authority in NODE_EXTRA_CA_CERTS"],
  ],
  [/^(ERR_SSL_.*|EPROTO)$/, ["does not speak TLS", "write redis:// instead of rediss:// in the location"]],
  [/^(ECONNRESET|EPIPE)$/, ["ended the connection", "see its log: it may expect rediss://, or have too many clients"]],
  // Without TLS, the engine waits for the end of a first line.
  [/^ETIMEDOUT$/, ["does not answer", "start it, or correct its address; write rediss:// only if it has TLS"]],
  [/^EBADMSG$/, ["does not speak its protocol", "correct the port, or write rediss:// if it has TLS"]],
];
const SILENT: Explanation = ["does not answer", "start it, or correct its address in the location"];

/** An error reply as the store's error. */
export function engineError({ code, text }: EngineFault): StoreError {
  const [, other] = OTHER_FAULTS.find(([part]) => code === "ERR" && text.includes(part)) ?? [];
  const explanation = ENGINE_FAULTS[code] ?? other ?? ["refuses a command", "see its documentation for this code"];
  const Kind = OF_WRITES.has(code) ? StoreError : Unreachable;
  return new Kind(sentence(explanation, code));
}

/** A connection that failed, ended or timed out. `cause`: an error, or its code. */
export function networkError(cause: unknown): Unreachable {
  const code = typeof cause === "string" ? cause : (errorCode(cause) ?? "unknown error");
  const [, explanation = SILENT] = NETWORK_FAULTS.find(([pattern]) => pattern.test(code)) ?? [];
  return new Unreachable(sentence(explanation, code));
}

function sentence([problem, remedy]: Explanation, code: string): string {
  return `Redis ${problem} (${code}): ${remedy}`;
}
