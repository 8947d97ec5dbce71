// What errors of S3 mean: of its answers, of connections, and of the service that hands out credentials.
import {
  ADD_AUTHORITY,
  BAD_CERTIFICATE,
  faultError,
  isKnown,
  UNKNOWN_NAME,
  type Fault,
} from "../connections/faults.ts";
import { errorCode } from "../../system-calls.ts";

const ADDRESS = "correct AWS_ENDPOINT_URL_S3 or AWS_REGION";
const OVERLOADED = ["is overloaded or disturbed", "ask its operator if this lasts"] as const;

/** A code is that of an error. */
const REPLIES: readonly Fault[] = [
  [/^AccessDenied$/, "denies these keys permission", "SECURITY.md has the rules for server and collector"],
  [/^InvalidAccessKeyId$/, "does not know the access key", "correct AWS_ACCESS_KEY_ID"],
  [
    /^(ExpiredToken|InvalidToken)$/,
    "refuses the session",
    "renew AWS_SESSION_TOKEN and the keys that belong to it, or use a role",
  ],
  [/^NoSuchBucket$/, "has no such bucket", "create it, or correct the location"],
  [/^NoSuchKey$/, "has no such bucket at this address", "write no bucket into AWS_ENDPOINT_URL_S3"],
  [/^NotImplemented$/, "lacks conditional writes, which keep collectors apart", "use another service", "writes"],
  [
    /^(AuthorizationHeaderMalformed|PermanentRedirect|TemporaryRedirect)$/,
    "has the bucket in another region",
    "set AWS_REGION",
  ],
  [/^QuotaExceeded$/, "is out of space", "raise the quota, or remove other objects", "writes"],
  [/^RequestTimeTooSkewed$/, "refuses the time of this computer", "set its clock"],
  [/^SignatureDoesNotMatch$/, "refuses the signature", "correct AWS_SECRET_ACCESS_KEY or AWS_REGION"],
  [/^(HTTP|no) /, "does not answer as S3 does", ADDRESS],
];

const replyError = faultError("S3", REPLIES, ["refuses a request", "see its log"]);

/** Retries last while the status says that another try may succeed. */
const PASSING: readonly Fault[] = [
  [/^(NotImplemented|QuotaExceeded)$/, ...OVERLOADED, "writes"],
  [/^(InternalError|OperationAborted|RequestTimeout|ServiceUnavailable|SlowDown)$/, ...OVERLOADED],
];

const passingError = faultError("S3", PASSING, OVERLOADED);

/** The codes are those of the system and of TLS. */
const NETWORK: readonly Fault[] = [
  [UNKNOWN_NAME, "has an address that cannot be looked up", ADDRESS],
  [BAD_CERTIFICATE, "has no certificate that holds for its address", ADD_AUTHORITY],
  [/^(ERR_SSL_|EPROTO$|HPE_)/, "does not speak this protocol", "write http: or https: in AWS_ENDPOINT_URL_S3"],
];

/** A request to S3 without an answer, or with only a part of one. */
export const s3NetworkError = faultError("S3", NETWORK, ["does not answer", `start it, or ${ADDRESS}`]);

/** The codes are those of the system, of AWS's SDK, and of the service that hands out the role. */
const CREDENTIALS_CODE =
  /^(E[A-Z]{3,20}|\w+ProviderError|AccessDenied(Exception)?|ExpiredToken(Exception)?|IDP(CommunicationError|RejectedClaim)|InvalidIdentityToken|TimeoutError)$/;

/** That of AWS's SDK, if it has found none. */
const NONE = "CredentialsProviderError";

/** A code is one of CREDENTIALS_CODE. */
const CREDENTIALS: readonly Fault[] = [
  [
    new RegExp(`^${NONE}$`),
    "has no credentials here",
    "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role or a profile",
  ],
  [/^ETIMEDOUT$/, "gets no credentials in time", "see to the service that gives this machine its role"],
];

const credentialsError = faultError("S3", CREDENTIALS, [
  "gets no credentials",
  "correct the role or the profile, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
]);

/** An answer of S3 that is an error. `code`: such as `NoSuchKey`; one that is not known may be anything, and is not shown. */
export function s3Error({ status, code = `HTTP ${status}` }: { status: number; code: string | undefined }) {
  const [faults, errorOf] = isPassing(status) ? [PASSING, passingError] : [REPLIES, replyError];
  return errorOf(code, isKnown(faults, code) ? code : `HTTP ${status}`);
}

/** An answer of S3 that lacks something. */
export function incompleteAnswer(missing: string) {
  return replyError(`no ${missing}`);
}

/** True for a status that another try may not have. 501 is permanent. */
export function isPassing(status: number): boolean {
  return status === 409 || status === 429 || (status >= 500 && status !== 501);
}

/** No credentials for S3. `cause`: an error of AWS's SDK, which is named by its class or by the code of a service. `service`: the host
 * that gives a container its role, if one is named; the SDK then says the same of a service that is away as of none. */
export function s3CredentialsError(cause: unknown, service?: string) {
  const names = cause instanceof Error ? [errorCode(cause) ?? "", cause.name] : [];
  const code = names.find((name) => CREDENTIALS_CODE.test(name));
  if (service === undefined || code !== NONE) return credentialsError(code);
  const says = `gets no credentials: the service of the role at ${service} is away, or refuses them`;
  return faultError("S3", [], [says, "see to that service, and to the role"])(code);
}
