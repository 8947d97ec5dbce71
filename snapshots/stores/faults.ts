// What an error of a remote store means, in one line: what is wrong, its code, what to do. The engine's own words are never
// repeated, because they contain user names, keys and addresses, and a proxy or a login page may answer in its place.
import { StoreError, Unreachable } from "../store.ts";
import { errorCode } from "../system-calls.ts";

/** The first fault whose pattern fits the code counts. `of writes`: the store can still be read. */
type Fault = readonly [code: RegExp, problem: string, remedy: string, scope?: "of writes"];

const UNKNOWN_NAME = /^(ENOTFOUND|EAI_)/;
const BAD_CERTIFICATE = /CERT|UNABLE_TO_VERIFY/;
const ADD_AUTHORITY = "name its authority in NODE_EXTRA_CA_CERTS";

const CLUSTER = ["is a cluster", "use an engine with cluster mode off"] as const;
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
const REDIS_REPLIES: readonly Fault[] = [
  [/^(ASK|CLUSTERDOWN|CROSSSLOT|MOVED)$/, ...CLUSTER],
  [/^BUSY$/, "is running a script without an end", "end it with SCRIPT KILL"],
  [/^DENIED$/, "is in protected mode", "set a password in its settings and as REDIS_PASSWORD"],
  [/^LOADING$/, "is loading its data", "wait until it has started"],
  [/^MASTERDOWN$/, "is a replica that has lost its primary", "give the address of the primary"],
  [/^MISCONF$/, "takes no writes while it cannot save to disk", "see its log", "of writes"],
  [/^NOAUTH$/, "asks for a password", "set REDIS_PASSWORD, and REDIS_USERNAME for any user but the default one"],
  [/^NOPERM$/, ...NO_PERMISSION],
  [/^NOREPLICAS$/, "takes no writes without enough replicas", "see its setting min-replicas-to-write", "of writes"],
  [/^OOM$/, "is out of memory", "raise its maxmemory, or give the store an engine of its own", "of writes"],
  [/^READONLY$/, "is a replica, which takes no writes", "give the address of the primary", "of writes"],
  [/^WRONGPASS$/, ...WRONG_PASSWORD],
  [/^WRONGTYPE$/, "keeps something else under this name", OTHER_NAME],
  // Our own guard of replies sends it.
  [/^TOOLARGE$/, "keeps too much under this name", OTHER_NAME, "of writes"],
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
  [/^/, "refuses a command", "see its log"],
];

/** The codes are those of the system, of TLS and of the client. */
const REDIS_NETWORK: readonly Fault[] = [
  [UNKNOWN_NAME, "has an address that cannot be looked up", "correct the host in the location"],
  [/_ALERT_(CERTIFICATE|HANDSHAKE)/, "asks for a certificate of the client", "set its tls-auth-clients to no"],
  [BAD_CERTIFICATE, "has no certificate that holds for its address", ADD_AUTHORITY],
  [/^(ERR_SSL_|EPROTO$)/, "does not speak TLS", "write redis:// instead of rediss:// in the location"],
  [/^(ECONNRESET|EPIPE)$/, "ended the connection", "see its log: it may expect rediss://, or have too many clients"],
  // Without TLS, the engine waits for the end of a first line.
  [/^ETIMEDOUT$/, "does not answer", "start it, or correct its address; write rediss:// only if it has TLS"],
  [/^EBADMSG$/, "does not speak its protocol", "correct the port, or write rediss:// if it has TLS"],
  [/^/, "does not answer", "start it, or correct its address in the location"],
];

/** In a script, Redis 6 puts the code behind the place of the fault. */
const REDIS_CODE = /^(?:ERR .*@user_script: ?\d+: -?)?(?<code>[A-Z]{2,20})(?: |$)/;

/** An error reply of Redis. `text`: may quote anything, and its first word may be a part of a password. */
export function redisError(text: string): StoreError {
  const word = REDIS_CODE.exec(text)?.groups?.code ?? "ERR";
  const code = isKnown(REDIS_REPLIES, word) ? word : "ERR";
  return storeError("Redis", REDIS_REPLIES, code, code === "ERR" ? `ERR ${text}` : code);
}

/** A connection to Redis that failed, ended or timed out. `cause`: an error, or its code. */
export function redisNetworkError(cause: unknown): StoreError {
  return storeError("Redis", REDIS_NETWORK, codeOf(cause));
}

const S3_ADDRESS = "correct AWS_ENDPOINT_URL_S3 or AWS_REGION";
const OVERLOADED = ["is overloaded or disturbed", "ask its operator if this lasts"] as const;

/** A code is that of an error. */
const S3_REPLIES: readonly Fault[] = [
  [/^AccessDenied$/, "denies these keys permission", "SECURITY.md has the rules for server and collector"],
  [/^InvalidAccessKeyId$/, "does not know the access key", "correct AWS_ACCESS_KEY_ID"],
  [
    /^(ExpiredToken|InvalidToken)$/,
    "refuses the session",
    "renew AWS_SESSION_TOKEN and the keys that belong to it, or use a role",
  ],
  [/^NoSuchBucket$/, "has no such bucket", "create it, or correct the location"],
  [/^NoSuchKey$/, "has no such bucket at this address", "write no bucket into AWS_ENDPOINT_URL_S3"],
  [/^NotImplemented$/, "lacks conditional writes, which keep collectors apart", "use another service", "of writes"],
  [
    /^(AuthorizationHeaderMalformed|PermanentRedirect|TemporaryRedirect)$/,
    "has the bucket in another region",
    "set AWS_REGION",
  ],
  [/^QuotaExceeded$/, "is out of space", "raise the quota, or remove other objects", "of writes"],
  [/^RequestTimeTooSkewed$/, "refuses the time of this computer", "set its clock"],
  [/^SignatureDoesNotMatch$/, "refuses the signature", "correct AWS_SECRET_ACCESS_KEY or AWS_REGION"],
  [/^(HTTP|no) /, "does not answer as S3 does", S3_ADDRESS],
  [/^/, "refuses a request", "see its log"],
];

/** Retries last while the status says that another try may succeed. */
const S3_PASSING: readonly Fault[] = [
  [/^(NotImplemented|QuotaExceeded)$/, ...OVERLOADED, "of writes"],
  [/^(InternalError|OperationAborted|RequestTimeout|ServiceUnavailable|SlowDown)$/, ...OVERLOADED],
  [/^/, ...OVERLOADED],
];

/** The codes are those of the system and of TLS. */
const S3_NETWORK: readonly Fault[] = [
  [UNKNOWN_NAME, "has an address that cannot be looked up", S3_ADDRESS],
  [BAD_CERTIFICATE, "has no certificate that holds for its address", ADD_AUTHORITY],
  [/^(ERR_SSL_|EPROTO$|HPE_)/, "does not speak this protocol", "write http: or https: in AWS_ENDPOINT_URL_S3"],
  [/^/, "does not answer", `start it, or ${S3_ADDRESS}`],
];

/** The codes are those of the system, of AWS's SDK, and of the service that hands out the role. */
const AWS_CODE =
  /^(E[A-Z]{3,20}|\w+ProviderError|AccessDenied(Exception)?|ExpiredToken(Exception)?|IDP(CommunicationError|RejectedClaim)|InvalidIdentityToken|TimeoutError)$/;

/** A code is one of AWS_CODE. */
const S3_CREDENTIALS: readonly Fault[] = [
  [
    /^CredentialsProviderError$/,
    "has no credentials here",
    "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role or a profile",
  ],
  [/^ETIMEDOUT$/, "gets no credentials in time", "see to the service that gives this machine its role"],
  [/^/, "gets no credentials", "correct the role or the profile, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"],
];

/** An answer of S3 that is an error. `code`: such as `NoSuchKey`; one that is not known may be anything, and is not shown. */
export function s3Error({ status, code = `HTTP ${status}` }: { status: number; code: string | undefined }): StoreError {
  const faults = isPassing(status) ? S3_PASSING : S3_REPLIES;
  return storeError("S3", faults, isKnown(faults, code) ? code : `HTTP ${status}`, code);
}

/** An answer of S3 that lacks something. */
export function incompleteAnswer(missing: string): StoreError {
  return storeError("S3", S3_REPLIES, `no ${missing}`);
}

/** True for a status that another try may not have. 501 is permanent. */
export function isPassing(status: number): boolean {
  return status === 409 || status === 429 || (status >= 500 && status !== 501);
}

/** A request to S3 without an answer, or with only a part of one. `cause`: an error, or its code. */
export function s3NetworkError(cause: unknown): StoreError {
  return storeError("S3", S3_NETWORK, codeOf(cause));
}

/** No credentials for S3. `cause`: an error of AWS's SDK, which is named by its class or by the code of a service. */
export function s3CredentialsError(cause: unknown): StoreError {
  const names = cause instanceof Error ? [errorCode(cause) ?? "", cause.name] : [];
  return storeError("S3", S3_CREDENTIALS, names.find((name) => AWS_CODE.test(name)) ?? "unknown error");
}

const LOCATION = "correct the location";

/** A code is that of the system, `HTTP 404`, a media type, or a header. */
const FOLLOWED: readonly Fault[] = [
  [/^HTTP 30[12378]/, "redirects", "write the address that it leads to as the location"],
  [/^HTTP 40[137]/, "refuses access", "give its user name and password in SNAPSHOTS"],
  [/^HTTP 4(04|10)/, "offers no snapshots here", 'set "share": true there, and end the location in /snapshots/'],
  [/^HTTP 429/, "gets too many requests", "raise its limit"],
  [/^HTTP 50[0234]/, "is away, or this snapshot is stale or missing there", "see its status"],
  [/^HTTP /, "gives an answer that is no snapshot", LOCATION],
  [/^text\/html/, "answers with a web page", `let this server pass its login, or ${LOCATION}`],
  [/^Content-Encoding/, "compresses its answers", "let it send the snapshots as they are"],
  [UNKNOWN_NAME, "has a name that cannot be looked up", LOCATION],
  [/_ALERT_/, "asks for a certificate of the client", "let this server in without one"],
  [BAD_CERTIFICATE, "has no certificate that holds for its name", ADD_AUTHORITY],
  [/^(ERR_SSL_|EPROTO|HPE_)/, "does not speak this protocol", LOCATION],
  [/^/, "does not answer", "start it, or see to the network on the way"],
];

/** A followed server that does not offer a snapshot. `cause`: an error, or a code. */
export function followedError(cause: unknown): StoreError {
  return storeError("the followed server", FOLLOWED, codeOf(cause));
}

function codeOf(cause: unknown): string {
  return typeof cause === "string" ? cause : (errorCode(cause) ?? "unknown error");
}

/** Whether a fault is about this code: the last one is about all others. */
function isKnown(faults: readonly Fault[], code: string): boolean {
  return faults.slice(0, -1).some(([pattern]) => pattern.test(code));
}

/** `sought`: what the patterns look at, if more than the code that the message shows. */
function storeError(engine: string, faults: readonly Fault[], code: string, sought = code): StoreError {
  const [, problem, remedy, scope] = faults.find(([pattern]) => pattern.test(sought)) ?? [];
  return new (scope ? StoreError : Unreachable)(`${engine} ${problem} (${code}): ${remedy}`);
}
