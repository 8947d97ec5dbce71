// The faults of an S3 service in one line each: what is wrong, its code, what to do. The service's own words are never repeated,
// because they contain keys and addresses.
import { errorCode } from "../../error-code.ts";
import { StoreError, Unreachable } from "../../store.ts";

type S3Fault = readonly [problem: string, remedy: string];

const ADDRESS = "correct AWS_ENDPOINT_URL_S3 or AWS_REGION";
const NOT_S3: S3Fault = ["does not answer as S3 does", ADDRESS];
const ANOTHER_REGION: S3Fault = ["has the bucket in another region", "set AWS_REGION"];
const OLD_TOKEN: S3Fault = ["refuses the session", "renew AWS_SESSION_TOKEN and the keys that belong to it"];

/** By the code of an error. */
const SERVICE_FAULTS = new Map<string, S3Fault>([
  ["AccessDenied", ["permits these keys too little", "SECURITY.md has the rules for server and collector"]],
  ["AuthorizationHeaderMalformed", ANOTHER_REGION],
  ["ExpiredToken", OLD_TOKEN],
  ["InvalidAccessKeyId", ["does not know the access key", "correct AWS_ACCESS_KEY_ID"]],
  ["InvalidToken", OLD_TOKEN],
  ["NoSuchBucket", ["has no such bucket", "create it, or correct the location"]],
  ["NoSuchKey", ["has no such bucket at this address", "write no bucket into AWS_ENDPOINT_URL_S3"]],
  ["NotImplemented", ["lacks conditional writes, which keep collectors apart", "use another service"]],
  ["PermanentRedirect", ANOTHER_REGION],
  ["QuotaExceeded", ["is out of space", "raise the quota, or remove other objects"]],
  ["RequestTimeTooSkewed", ["refuses the time of this computer", "set its clock"]],
  ["SignatureDoesNotMatch", ["refuses the signature", "correct AWS_SECRET_ACCESS_KEY or AWS_REGION"]],
  ["TemporaryRedirect", ANOTHER_REGION],
]);

const OTHER: S3Fault = ["refuses a request", "see its documentation for this code"];
const OVERLOADED: S3Fault = ["is overloaded or disturbed", "ask its operator if this lasts"];

/** The store can still be read. */
const OF_WRITES = new Set(["NotImplemented", "QuotaExceeded"]);

/** Of the system and of TLS. */
const NETWORK_FAULTS: readonly (readonly [code: RegExp, S3Fault])[] = [
  [/^(ENOTFOUND|EAI_.*)$/, ["has an address that cannot be looked up", ADDRESS]],
  [
    /CERT|UNABLE_TO_VERIFY/,
    ["has no certificate that holds for its address", "name its authority in NODE_EXTRA_CA_CERTS"],
  ],
  [/^(ERR_SSL_.*|EPROTO|HPE_.*)$/, ["does not speak this protocol", "write http: or https: in AWS_ENDPOINT_URL_S3"]],
];
const SILENT: S3Fault = ["does not answer", `start it, or ${ADDRESS}`];

/** An answer that is an error. */
export function serviceError({ status, code }: { status: number; code: string | undefined }): StoreError {
  const Kind = OF_WRITES.has(code ?? "") ? StoreError : Unreachable;
  if (isPassing(status)) return new Kind(sentence(OVERLOADED, code ?? `HTTP ${status}`));
  if (code === undefined) return new Kind(sentence(NOT_S3, `HTTP ${status}`));
  return new Kind(sentence(SERVICE_FAULTS.get(code) ?? OTHER, code));
}

/** True for a status that another try may not have. 501 is permanent. */
export function isPassing(status: number): boolean {
  return status === 409 || status === 429 || (status >= 500 && status !== 501);
}

/** A request without an answer, or with only a part of one. `cause`: an error, or its code. */
export function networkError(cause: unknown): Unreachable {
  const code = typeof cause === "string" ? cause : (errorCode(cause) ?? "unknown error");
  const [, explanation = SILENT] = NETWORK_FAULTS.find(([pattern]) => pattern.test(code)) ?? [];
  return new Unreachable(sentence(explanation, code));
}

/** An answer that lacks something. */
export function incompleteAnswer(missing: string): Unreachable {
  return new Unreachable(sentence(NOT_S3, `no ${missing}`));
}

function sentence([problem, remedy]: S3Fault, code: string): string {
  return `S3 ${problem} (${code}): ${remedy}`;
}
