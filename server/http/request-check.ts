// Stands before h3 in the listener: what h3 sees is well-formed HTTP/1.x with a harmless target. Without it, one request
// of 40 bytes (a Host that passes a pattern but is no URL) ends the process.
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { isIPv6 } from "node:net";
import { error, type Answer } from "../answers/answer.ts";

/** Longest request target, characters. */
const MAX_TARGET = 2_048;

/** What h3 takes for the host. Nothing is ever made of the real one. */
const FIXED_HOST = "localhost";

const HOST = /^(?:(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+|\[(?<v6>[0-9A-Fa-f:.]+)\])(?::(?<port>\d{1,5}))?$/;

/** Wraps a listener so that it is called for good requests only, and cannot fail. `onBug` is told when it does. */
export function guarded(listener: RequestListener, onBug: (error: unknown) => void): RequestListener {
  return (request, response) => {
    try {
      const { headers } = request;
      const checked = check(request, headers);
      if (typeof checked !== "string") return refuse(response, checked);
      request.url = checked;
      headers.host = FIXED_HOST;
      // Nobody is upgraded here, but the parser of node:http expects it: it drops requests that came along, and never
      // tells of bytes that it cannot read afterwards. So what follows must come on another connection.
      if (headers.upgrade !== undefined) response.shouldKeepAlive = false;
      const answering: unknown = listener(request, response);
      if (answering instanceof Promise) answering.catch((bug: unknown) => fail(response, bug, onBug));
    } catch (bug) {
      fail(response, bug, onBug);
    }
  };
}

/** The target in origin form, or why the request is refused. */
function check(request: IncomingMessage, { host, expect }: IncomingHttpHeaders): string | Answer {
  const { httpVersion, rawHeaders, url = "" } = request;
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return error(400, "Use HTTP/1.1.");
  if (countHosts(rawHeaders) > 1 || (host === undefined ? httpVersion === "1.1" : !isHost(host))) {
    return error(400, "Send exactly one valid Host header.");
  }
  if (expect !== undefined && !isContinue(expect)) {
    return error(417, "This expectation cannot be met.");
  }
  if (url.length > MAX_TARGET) return error(414, `The request target is longer than ${MAX_TARGET} characters.`);
  return originForm(url) ?? error(400, "The request target must be a path or an http(s) address.");
}

/** True for the one expectation that can be met. */
export function isContinue(expect: string | undefined): boolean {
  return expect?.toLowerCase() === "100-continue";
}

/** node:http keeps the first of several; only the raw list, names and values in turn, has them all. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === HOST_NAME.length && name.toLowerCase() === HOST_NAME) count++;
  }
  return count;
}

const HOST_NAME = "host";

/** Hosts that were found good: a server has few names, and this is asked of every request. */
const goodHosts = new Set<string>();
const MOST_REMEMBERED = 100;

/** True for a host name or address, with a port or without. */
export function isHost(host: string): boolean {
  if (goodHosts.has(host)) return true;
  const match = HOST.exec(host);
  const { v6, port = "0" } = match?.groups ?? {};
  const isGood = match !== null && (v6 === undefined || isIPv6(v6)) && Number(port) <= 65_535;
  if (isGood && goodHosts.size < MOST_REMEMBERED && host.length <= 255) goodHosts.add(host);
  return isGood;
}

/** `http://host/path` becomes `/path`; undefined for other forms. */
function originForm(target: string): string | undefined {
  if (target.startsWith("/")) return target;
  const absolute = /^https?:\/\/(?<host>[^/?#]+)(?<rest>[/?].*)?$/i.exec(target);
  if (!absolute?.groups || !isHost(absolute.groups.host ?? "")) return undefined;
  const { rest = "/" } = absolute.groups;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** Answers and closes: what follows a request that was not understood may be anything. */
function refuse(response: ServerResponse, { status, headers, body }: Answer): void {
  response.shouldKeepAlive = false;
  response.writeHead(status, headers).end(body);
}

function fail(response: ServerResponse, bug: unknown, onBug: (error: unknown) => void): void {
  onBug(bug);
  if (response.headersSent) response.destroy();
  else refuse(response, error(500, "Internal error."));
}
