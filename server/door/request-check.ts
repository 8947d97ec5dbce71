// The check before every request listener: behind it, requests are well-formed HTTP/1.x with a harmless target. Without
// it, one request of 40 bytes (a Host that matches h3's pattern but is no URL) ends the process.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { isIPv6 } from "node:net";
import { chunksOf, error, type Answer, LONG_TARGET, MAX_TARGET_LENGTH, type ReportBug } from "../answers/answer.ts";
import { memo } from "../answers/memo.ts";

/** The host that h3 sees; the real one is used for nothing. */
const FIXED_HOST = "localhost";

const HOST = /^(?:(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+|\[(?<v6>[0-9A-Fa-f:.]+)\])(?::(?<port>\d{1,5}))?$/;

/** Wraps a listener so that it gets good requests only, and its failures become a 500. */
export function withRequestCheck(listener: RequestListener, reportBug: ReportBug): RequestListener {
  return (request, response) => {
    try {
      const { headers } = request;
      const checked = check(request);
      if (typeof checked !== "string") return refuse(response, checked);
      request.url = checked;
      headers.host = FIXED_HOST;
      // Upgrades are ignored here, but node:http's parser expects one: it drops requests that arrived with it,
      // and does not report unreadable bytes afterwards. So the next request must use another connection.
      if (headers.upgrade !== undefined) response.shouldKeepAlive = false;
      const answering: unknown = listener(request, response);
      if (answering instanceof Promise) answering.catch((bug: unknown) => fail(response, bug, reportBug));
    } catch (bug) {
      fail(response, bug, reportBug);
    }
  };
}

/** The target in origin form, or the refusal. */
function check({ httpVersion, headers: { expect }, rawHeaders, url = "" }: IncomingMessage): string | Answer {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return error(400, "Use HTTP/1.1.");
  // Of two, the value has a space, which no host has.
  const host = headerIn(rawHeaders, "host");
  if (host === null ? httpVersion === "1.1" : !isHost(host)) {
    return error(400, "Send exactly one valid Host header.");
  }
  if (expect !== undefined && !isContinue(expect)) {
    return error(417, "This expectation cannot be met.");
  }
  if (url.length > MAX_TARGET_LENGTH) return LONG_TARGET;
  return originForm(url) ?? error(400, "The request target must be a path or an http(s) address.");
}

/** Whether this is 100-continue, the only supported expectation. */
export function isContinue(expect: string | undefined): boolean {
  return expect?.toLowerCase() === "100-continue";
}

/** All lines of a header, joined; null if there is none. node:http's own object has only the first line of some. `name`: in lower
 * case. */
export function headerIn(rawHeaders: readonly string[], name: string): string | null {
  let value: string | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] ?? "";
    if (candidate.length !== name.length || candidate.toLowerCase() !== name) continue;
    const line = rawHeaders[index + 1] ?? "";
    value = value === null ? line : `${value}, ${line}`;
  }
  return value;
}

/** Whether this is a host name or address, with or without a port. A memo, because a server has few names. */
export const isHost = memo(checkHost, 255);

function checkHost(host: string): boolean {
  const match = HOST.exec(host);
  const { v6, port = "0" } = match?.groups ?? {};
  return match !== null && (v6 === undefined || isIPv6(v6)) && Number(port) <= 65_535;
}

/** `/path` for `http://host/path`; undefined for other forms. */
function originForm(target: string): string | undefined {
  if (target.startsWith("/")) return target;
  const absolute = /^https?:\/\/(?<host>[^/?#]+)(?<rest>[/?].*)?$/i.exec(target);
  if (!absolute?.groups || !isHost(absolute.groups.host ?? "")) return undefined;
  const { rest = "/" } = absolute.groups;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** Answers and closes: after a bad request, the next bytes could be anything. */
function refuse(response: ServerResponse, answer: Answer): void {
  response.shouldKeepAlive = false;
  write(response, answer);
}

/** Writes an answer; node:http itself leaves out the body for HEAD. */
export function write(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers);
  if (typeof body === "string") return void response.end(body, "latin1");
  const chunks = chunksOf(body);
  for (const chunk of chunks.slice(0, -1)) response.write(chunk, "latin1");
  response.end(chunks.at(-1), "latin1");
}

function fail(response: ServerResponse, bug: unknown, reportBug: ReportBug): void {
  reportBug(bug);
  if (response.headersSent) response.destroy();
  else refuse(response, error(500, "Internal error."));
}
