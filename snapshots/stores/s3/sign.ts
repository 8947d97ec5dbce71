// Signs requests to S3: AWS Signature Version 4, in the Authorization header.
import { createHash, createHmac } from "node:crypto";

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string | undefined;
}

/** `path`: percent-encoded. `query`: names and values, not encoded. `headers`: names in lower case. */
export interface Unsigned {
  method: string;
  host: string;
  path: string;
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
}

/** The headers to send, all of them signed. A proxy that drops a condition on the way thus makes the request invalid. */
export function signedHeaders(
  { method, host, path, query, headers, body = new Uint8Array() }: Unsigned,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  { region, now }: { region: string; now: Date },
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const sent: Record<string, string> = {
    ...headers,
    host,
    "x-amz-content-sha256": sha256(body),
    "x-amz-date": time,
    ...(sessionToken !== undefined && { "x-amz-security-token": sessionToken }),
  };
  const names = Object.keys(sent).toSorted();
  const signed = names.join(";");
  const lines = names.map((name) => `${name}:${sent[name]?.trim()}\n`).join("");
  const canonical = [method, path, queryText(query), lines, signed, sha256(body)].join("\n");
  const scope = [day, region, "s3", "aws4_request"];
  const key = scope.reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${secretAccessKey}`);
  const signature = hmac(key, ["AWS4-HMAC-SHA256", time, scope.join("/"), sha256(canonical)].join("\n"));
  const credential = `Credential=${accessKeyId}/${scope.join("/")}`;
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${signed}, Signature=${signature.toString("hex")}`;
  return { ...sent, authorization };
}

/** Percent-encoded and in the order of the signature. */
export function queryText(query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map((pair) => pair.map(encoded).join("="));
  return pairs.toSorted().join("&");
}

/** All but RFC 3986's unreserved characters, percent-encoded. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
