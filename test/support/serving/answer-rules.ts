// Rules that every answer keeps: one of a few statuses, errors in the specified shape, readable from any origin, and no
// text of the request or of Vitrine's internals.
import { expect } from "vitest";
import * as z from "zod";
import type { RawReply } from "./raw-connection.ts";

export const STATUSES = [200, 202, 204, 302, 304, 400, 403, 404, 405, 406, 408, 413, 414, 415, 417, 431, 502];

const ErrorBody = z.strictObject({ error: z.string().regex(/\w.*\.$/), allowed: z.array(z.string()).optional() });
const JsonRpcError = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]).optional(),
  error: z.strictObject({ code: z.int(), message: z.string().min(1), data: z.looseObject({}).optional() }),
});

/** Words of test requests, a stack trace, a file of Vitrine or of Node. */
const GIVEAWAYS = /[Mm]arker|MARKER|\n\s+at |\\n\s+at |node:|\.ts\b|[A-Z]\w*Error\b/;

/** `mayBeMessage`: the request may have been an MCP message. `isBare`: it may have been a HEAD, whose answer has no body. */
export interface RequestTraits {
  mayBeMessage: boolean;
  isBare: boolean;
}

/** @throws AssertionError if the answer breaks a rule. */
export function expectValidAnswer(answer: RawReply, { mayBeMessage, isBare }: RequestTraits): void {
  const { status, headers, body } = answer;
  expect(STATUSES).toContain(status);
  expect(headers).toMatchObject({ "access-control-allow-origin": "*", "x-content-type-options": "nosniff" });
  expect(headers).not.toHaveProperty("transfer-encoding");
  expect(ownWords(answer)).not.toMatch(GIVEAWAYS);
  if (status === 204 || status === 304) expect(headers).not.toHaveProperty("content-length");
  else if (!isBare || body !== "") expect(headers["content-length"]).toBe(String(body.length));
  if (status === 405) expect(headers.allow).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
  if (status === 502) expect(headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  if (status < 400) return;
  if (headers["content-type"] === "text/html; charset=utf-8") return expectNotice(answer);
  expect(headers).toMatchObject({ "content-type": "application/json", "cache-control": "no-store" });
  if (isBare && body === "") return;
  const shape = mayBeMessage ? z.union([ErrorBody, JsonRpcError]) : ErrorBody;
  expect(shape.safeParse(JSON.parse(body)).error).toBeUndefined();
}

/** The page of a refusal, for clients that prefer HTML. */
function expectNotice({ status, headers, body }: RawReply): void {
  expect([404, 405, 502]).toContain(status);
  expect(headers).toMatchObject({
    "cache-control": "no-store",
    vary: expect.stringMatching(/^(User-Agent, )?Accept$/),
  });
  expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-[^;]+; img-src data:;/);
  expect(body).toMatch(/^(?:$|<!doctype html>)/);
}

/** The answer's text without the parts that it repeats by specification: the header names of a preflight, the id of a
 * message, the URI of an unknown resource, an unsupported version. Also without the page's style, whose pseudo-element
 * `::marker` looks like a test's word, and without a script, which throws errors of its own. */
function ownWords({ headers: { "access-control-allow-headers": _asked, ...headers }, body }: RawReply): string {
  const own = /"id":(?:"(?:[^"\\]|\\.)*"|[^,}]+)|"(?:uri|requested)":"(?:[^"\\]|\\.)*"\}/g;
  if (headers["content-type"]?.startsWith("text/javascript")) return JSON.stringify(headers);
  return (
    JSON.stringify(headers) +
    (/^\{.*"jsonrpc":"2\.0"/.test(body) ? body.replaceAll(own, "") : body.replace(/<style>[^]*<\/style>/, ""))
  );
}
