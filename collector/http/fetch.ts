// A GET ends in an answer or in an UpstreamError, within a deadline and a number of bytes. It uses undici's request(), because a small
// compressed body can make its fetch() kill the process. A rule refuses hosts by name, and by each address of the one look-up that
// the connection is made from. The vendor's own addresses may lead anywhere, a redirect from elsewhere not to this computer.
import { AsyncLocalStorage } from "node:async_hooks";
import dns from "node:dns";
import type { LookupFunction } from "node:net";
import { networkInterfaces } from "node:os";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import * as z from "zod";
import type { Dispatcher } from "undici";
import { clip, isSafeUrl, isThisComputer, parseUrl } from "../../snapshots/rules.ts";
import { errorCode } from "../../snapshots/system-calls.ts";
import { orAborted, withDeadline } from "./deadline.ts";
import { RefusedAddress, retry, statusError, UpstreamError } from "./errors.ts";

/** The version of a document as its server names it: sent back in a request, it may be answered with 304. */
export interface Validators {
  etag?: string | undefined;
  lastModified?: string | undefined;
  /** That of a second document that the same answer was made from. */
  latestEtag?: string | undefined;
}

export interface FetchOptions {
  signal: AbortSignal;
  /** Time for the complete answer, with redirects and retries, in ms. `limit`: the setting that has it. */
  deadline: number;
  limit?: string;
  /** The vendor's headers may contain secrets; they are dropped on a redirect to another origin. */
  headers?: Record<string, string>;
  /** Makes the request conditional; `unchanged` is returned only then. */
  validators?: Validators | undefined;
  standIns?: StandIns | undefined;
  /** The rule for each hop, except to a stand-in; without it, redirects from elsewhere do not lead to this computer. */
  refuse?: HostRule;
  /** Asks for the first byte only, uncompressed. */
  isFirstByte?: boolean;
}

/** Why no connection is made to a host: a name or an address, as in a URL. */
export type HostRule = (host: string) => RefusedAddress | undefined;

/** `type`: one of a few known media types, never the upstream's text. */
export interface TypedText {
  text: string;
  type: string;
  bytes: number;
}

export interface FetchedText extends TypedText {
  validators: Validators;
  /** True if the answer links to a next page (`Link`, RFC 8288). */
  hasNext: boolean;
}

/** The upstream's origin → the origin to ask in its place, such as a mirror, or a local server for a rehearsal. Links and
 * checks of origins work as if the upstream itself had answered. */
export type StandIns = Readonly<Record<string, string>>;

const origin = z.string().refine((text) => {
  const url = parseUrl(text);
  return url?.origin === text && isSafeUrl(url) && !text.includes("*");
}, "must be an https origin such as https://dl.acme.com, without a path or * (http only on this computer)");

export const standIns = z
  .record(origin, origin)
  .default({})
  .describe('Servers to ask in place of an upstream: `{ "https://dl.acme.com": "http://127.0.0.1:4010" }`');

export type Send = () => Promise<Dispatcher.ResponseData>;
export type Asking = { origin: string; signal: AbortSignal; headers: Record<string, string> | undefined };
/** Sends each request of a run that shares its upstreams with others when it may, or throws an UpstreamError; by default at once. */
export const pace = new AsyncLocalStorage<(asking: Asking, send: Send) => ReturnType<Send>>();

/** Limit for an answer before and after decompression. */
export const MAX_BYTES = 10 * 1024 * 1024;
export const MAX_SIZE = "10 MiB";
const MAX_REDIRECTS = 5;

/** GET a text document in its declared character set (by default UTF-8), as by `fetchBytes`. */
export async function fetchText(url: string, options: FetchOptions): Promise<FetchedText | "unchanged"> {
  const fetched = await fetchBytes(url, options);
  if (fetched === "unchanged") return fetched;
  const { body, contentType, ...more } = fetched;
  return { ...decodeText(body, contentType), ...more };
}

/** GET a document, without its compression: status 200, at most MAX_BYTES.
 * @throws UpstreamError with a message that quotes nothing of the request or the answer. */
export async function fetchBytes(url: string, options: FetchOptions): ReturnType<typeof attempt> {
  return inTime(options, (signal) => retry(() => attempt(url, { ...options, signal }), signal));
}

/** Runs requests with one deadline in ms. @throws UpstreamError after it. */
export async function inTime<T>(
  { deadline, limit, signal: stop }: Pick<FetchOptions, "deadline" | "limit" | "signal">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withDeadline(deadline, stop, async (signal) => {
    try {
      return await work(signal);
    } catch (error) {
      if (!signal.aborted || (stop.aborted && error instanceof UpstreamError)) throw error;
      const set = limit === undefined ? "" : `, which "${limit}" sets`;
      const why = stop.aborted ? "the run was stopped" : `no complete answer within ${deadline / 1000} s${set}`;
      throw new UpstreamError(why, { cause: error });
    }
  });
}

/** Decodes bytes from their declared character set. @throws UpstreamError */
export function decodeText(body: Uint8Array, contentType: string): TypedText {
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? "utf-8";
  const [type, bytes] = [mediaType(contentType), body.byteLength];
  try {
    return { text: new TextDecoder(charset, { fatal: true }).decode(body), type, bytes };
  } catch (error) {
    throw new UpstreamError(`not text in its character set: ${type}, ${bytes} bytes`, { cause: error });
  }
}

async function attempt(url: string, options: FetchOptions) {
  const { response } = await followRedirects(new URL(url), options);
  const { statusCode, headers, body } = response;
  const header = headerIn(headers);
  try {
    if (statusCode === 304 && (options.validators?.etag || options.validators?.lastModified)) return "unchanged";
    if (statusCode !== 200) throw statusError(statusCode, header);
    if (Number(header("content-length")) > MAX_BYTES) throw tooLarge();
    const encoded = await readBody(body, MAX_BYTES + 1).catch((error: unknown) => {
      throw networkError(error, options.signal);
    });
    if (encoded.byteLength > MAX_BYTES) throw tooLarge();
    return {
      body: await decompress(encoded, header("content-encoding")),
      contentType: header("content-type") ?? "",
      validators: { etag: header("etag"), lastModified: header("last-modified") },
      hasNext: /;\s*rel="?next\b/i.test(header("link") ?? ""),
    };
  } finally {
    body.destroy();
  }
}

/** @throws UpstreamError if there is no answer, RefusedAddress if it leads where the collector does not go. */
export async function followRedirects(
  start: URL,
  options: FetchOptions,
): Promise<{ response: Dispatcher.ResponseData; url: URL }> {
  let url = start;
  let vendorHeaders = options.headers ?? {};
  let isElsewhere = false;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (!isSafeUrl(url)) throw new RefusedAddress("the URL must be https, or http on this computer");
    const place = url === start ? "" : ` after a redirect to ${clip(url.host, 80)}`;
    const asking = { ...(isElsewhere && { refuse: refuseOwn }), ...options, headers: vendorHeaders };
    const response = await get(url, asking, place);
    const location = headerIn(response.headers)("location");
    if (![301, 302, 303, 307, 308].includes(response.statusCode) || location === undefined) {
      return { response, url };
    }
    response.body.destroy();
    const next = parseUrl(location, url);
    if (!next) throw new UpstreamError(`answered ${response.statusCode} with an invalid Location header`);
    // An upstream on this computer, as in a rehearsal, may redirect to others on it.
    isElsewhere ||= !isOwnHost(url.hostname);
    // The vendor chose where the first host leads.
    if (next.hostname === start.hostname && !isOwnHost(next.hostname)) isElsewhere = false;
    if (next.origin !== url.origin) vendorHeaders = {};
    url = next;
  }
  throw new UpstreamError(`more than ${MAX_REDIRECTS} redirects`);
}

async function get(
  url: URL,
  { headers, validators, standIns = {}, signal, refuse, isFirstByte }: FetchOptions,
  place: string,
): Promise<Dispatcher.ResponseData> {
  const conditions: Record<string, string> = isFirstByte ? { range: "bytes=0-0", "accept-encoding": "identity" } : {};
  if (validators?.etag) conditions["if-none-match"] = validators.etag;
  if (validators?.lastModified) conditions["if-modified-since"] = validators.lastModified;
  const target = applyStandIn(url, standIns);
  // The vendor chose where a stand-in leads.
  const rule = target === url ? refuse : undefined;
  const refusal = rule?.(url.hostname);
  if (refusal) throw refusal;
  const { request, dispatcher } = await loadClient(rule);
  try {
    const options = {
      dispatcher,
      signal,
      headers: { "user-agent": "vitrine", "accept-encoding": "gzip, br", ...headers, ...conditions },
    };
    const send = () => request(target, options);
    const asking = { origin: target.origin, signal, headers };
    // While it connects, undici does not notice the signal.
    const response = await orAborted(pace.getStore()?.(asking, send) ?? send(), signal);
    // Destroying an unread body emits an error, which would end the process without a listener.
    response.body.on("error", () => {});
    return response;
  } catch (error) {
    throw networkError(error, signal, place);
  }
}

function applyStandIn(url: URL, standIns: StandIns): URL {
  const standIn = Object.hasOwn(standIns, url.origin) ? standIns[url.origin] : undefined;
  if (standIn === undefined) return url;
  const { protocol, hostname, port } = new URL(standIn);
  return Object.assign(new URL(url), { protocol, hostname, port });
}

/** Reads at most so many bytes, after which the body is destroyed. */
export async function readBody(body: Dispatcher.ResponseData["body"], most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length >= most) break;
  }
  return Buffer.concat(chunks).subarray(0, most);
}

type Decompressor = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;
const decompressors = new Map<string, Decompressor>([
  ["br", promisify(brotliDecompress)],
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
]);

async function decompress(bytes: Uint8Array, encoding = "identity"): Promise<Uint8Array> {
  if (encoding === "identity" || encoding === "") return bytes;
  const decompressor = decompressors.get(encoding.toLowerCase());
  if (!decompressor) throw new UpstreamError("compressed with an encoding that was not requested");
  try {
    return await decompressor(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    if (errorCode(error) === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new UpstreamError("the compressed answer is damaged", { cause: error, isTransient: true });
  }
}

/** What a command has printed, among the types of documents. */
export const COMMAND_OUTPUT = "a command's output (its log belongs on stderr)";
const KNOWN_TYPES = new Set(
  ["a file", COMMAND_OUTPUT].concat(
    "application/json application/xml application/octet-stream text/html text/plain text/xml".split(" "),
  ),
);

function mediaType(contentType: string): string {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "") return "no content type";
  return KNOWN_TYPES.has(type) ? type : "another content type";
}

function networkError(error: unknown, signal: AbortSignal, place = ""): unknown {
  if (signal.aborted || error instanceof UpstreamError) return error;
  const code = plainCode(error);
  const isTls = /CERT|TLS|SSL|ISSUER|SELF_SIGNED/.test(code);
  const failure = code === "ENOTFOUND" ? "no host has the name in the address" : "the connection failed";
  const problem = isTls ? "its TLS certificate is not accepted" : failure;
  const remedy = isTls ? `: ${TLS_REMEDIES.find(([codes]) => codes.test(code))?.[1]}` : "";
  return new UpstreamError(`${problem} (${code})${place}${remedy}`, { cause: error, isTransient: !isTls });
}

const TLS_REMEDIES: readonly [codes: RegExp, remedy: string][] = [
  [/EXPIRED|NOT_YET_VALID/, "renew it, or correct the clock of this computer"],
  [/ALTNAME/, "it is for another host, so correct the host in the address"],
  [/./, "name its authority in NODE_EXTRA_CA_CERTS"],
];

/** The error's code if it looks like one: any other text might be the upstream's. */
function plainCode(error: unknown): string {
  const code = errorCode(error) ?? "";
  return /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : "NO_CODE";
}

function tooLarge(): UpstreamError {
  return new UpstreamError(`more than ${MAX_SIZE}`);
}

export function headerIn(headers: Dispatcher.ResponseData["headers"]): (name: string) => string | undefined {
  return (name) => [headers[name]].flat()[0];
}

/** Loads undici on first use: it is larger than the rest of the collector, and `file` sources never need it. Each rule has
 * connections of its own. */
export function loadClient(rule?: HostRule) {
  const client = clients.get(rule) ?? load(rule);
  clients.set(rule, client);
  return client;
}

const clients = new Map<HostRule | undefined, ReturnType<typeof load>>();

async function load(rule?: HostRule) {
  // It is CommonJS: the bundle has its exports only under `default`.
  const { Agent, request } = (await import("undici")).default;
  // Certificates are verified even if NODE_TLS_REJECT_UNAUTHORIZED is 0.
  const connect = { rejectUnauthorized: true, timeout: 10_000, autoSelectFamily: true, lookup: lookupUnder(rule) };
  // Disabled, because `inTime` has one deadline for the whole answer, which may be longer.
  return { request, dispatcher: new Agent({ headersTimeout: 0, bodyTimeout: 0, pipelining: 0, connect }) };
}

const refuseOwn: HostRule = (host) =>
  isOwnHost(host) ? new RefusedAddress("redirected to this computer, which is refused") : undefined;

/** True for a host name or address of this computer, as in a URL: loopback, or an address of one of its interfaces. */
export function isOwnHost(hostname: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return isThisComputer(hostname) || own.some(({ address }) => inUrl(address) === hostname);
}

/** Resolves a name to all its addresses, and fails if the rule refuses one. With `autoSelectFamily` a connection takes a list. */
function lookupUnder(rule?: HostRule): LookupFunction {
  return (hostname, options, callback) =>
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) =>
      callback(error ?? addresses.map(({ address }) => rule?.(inUrl(address))).find(Boolean) ?? null, addresses),
    );
}

/** Writes an address as the host of a URL, in its normal form and without a zone (`%eth0`). */
function inUrl(address: string): string {
  const plain = address.replace(/%.*$/, "");
  return new URL(`https://${plain.includes(":") ? `[${plain}]` : plain}`).hostname;
}
