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
const OVERLOADED = { says: "is overloaded or disturbed", do: "ask its operator if this lasts" };

/** A code is that of an error. */
const REPLIES: readonly Fault[] = [
  {
    code: /^AccessDenied$/,
    says: "denies these keys permission",
    do: "SECURITY.md has the rules for server and collector",
  },
  { code: /^InvalidAccessKeyId$/, says: "does not know the access key", do: "correct AWS_ACCESS_KEY_ID" },
  {
    code: /^(ExpiredToken|InvalidToken)$/,
    says: "refuses the session",
    do: "renew AWS_SESSION_TOKEN and the keys that belong to it, or use a role",
  },
  { code: /^NoSuchBucket$/, says: "has no such bucket", do: "create it, or correct the location" },
  { code: /^NoSuchKey$/, says: "has no such bucket at this address", do: "write no bucket into AWS_ENDPOINT_URL_S3" },
  {
    code: /^NotImplemented$/,
    says: "lacks conditional writes, which keep collectors apart",
    do: "use another service",
    stops: "writes",
  },
  {
    code: /^(AuthorizationHeaderMalformed|PermanentRedirect|TemporaryRedirect)$/,
    says: "has the bucket in another region",
    do: "set AWS_REGION",
  },
  { code: /^QuotaExceeded$/, says: "is out of space", do: "raise the quota, or remove other objects", stops: "writes" },
  { code: /^RequestTimeTooSkewed$/, says: "refuses the time of this computer", do: "set its clock" },
  { code: /^SignatureDoesNotMatch$/, says: "refuses the signature", do: "correct AWS_SECRET_ACCESS_KEY or AWS_REGION" },
  { code: /^(HTTP|no) /, says: "does not answer as S3 does", do: ADDRESS },
];

const replyError = faultError("S3", REPLIES, { says: "refuses a request", do: "see its log" });

/** Retries last while the status says that another try may succeed. */
const PASSING: readonly Fault[] = [
  { code: /^(NotImplemented|QuotaExceeded)$/, ...OVERLOADED, stops: "writes" },
  { code: /^(InternalError|OperationAborted|RequestTimeout|ServiceUnavailable|SlowDown)$/, ...OVERLOADED },
];

const passingError = faultError("S3", PASSING, OVERLOADED);

/** The codes are those of the system and of TLS. */
const NETWORK: readonly Fault[] = [
  { code: UNKNOWN_NAME, says: "has an address that cannot be looked up", do: ADDRESS },
  { code: BAD_CERTIFICATE, says: "has no certificate that holds for its address", do: ADD_AUTHORITY },
  {
    code: /^(ERR_SSL_|EPROTO$|HPE_)/,
    says: "does not speak this protocol",
    do: "write http: or https: in AWS_ENDPOINT_URL_S3",
  },
];

/** A request to S3 without an answer, or with only a part of one. */
export const s3NetworkError = faultError("S3", NETWORK, { says: "does not answer", do: `start it, or ${ADDRESS}` });

/** The codes are those of the system, of AWS's SDK, and of the service that hands out the role. */
const CREDENTIALS_CODE =
  /^(E[A-Z]{3,20}|\w+ProviderError|AccessDenied(Exception)?|ExpiredToken(Exception)?|IDP(CommunicationError|RejectedClaim)|InvalidIdentityToken|TimeoutError)$/;

/** That of AWS's SDK, if it has found none. */
const NONE = "CredentialsProviderError";

/** A code is one of CREDENTIALS_CODE. */
const CREDENTIALS: readonly Fault[] = [
  {
    code: new RegExp(`^${NONE}$`),
    says: "has no credentials here",
    do: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role or a profile",
  },
  {
    code: /^ETIMEDOUT$/,
    says: "gets no credentials in time",
    do: "see to the service that gives this machine its role",
  },
];

const credentialsError = faultError("S3", CREDENTIALS, {
  says: "gets no credentials",
  do: "correct the role or the profile, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
});

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
  return faultError("S3", [], { says, do: "see to that service, and to the role" })(code);
}
