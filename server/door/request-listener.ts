// The fast path of the request listener, before h3: GET and HEAD of targets that are known exactly as written, and
// messages. Everything else, including other spellings of the same routes, goes on to h3 and gets the same
// answers. Reading a body through h3 would cost three times as much as the answer.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { H3Event } from "h3";
import { MAX_BODY_BYTES, type RequestHeaders } from "../answers/answer.ts";
import type { Posting, Responder } from "./responder.ts";
import { headerIn, write } from "./request-check.ts";

/** Answers known targets and messages; passes everything else to `next`. */
export function requestListener(responder: Responder, next: RequestListener): RequestListener {
  const answer: RequestListener = (request, response) => {
    const { method, url = "" } = request;
    const isRead = method === "GET" || method === "HEAD";
    const prepared = isRead ? responder.read(url, headersOf(request)) : undefined;
    if (!prepared) return next(request, response);
    // node:http itself reads an unread request after its answer, which without a body costs 10 % of node:http's time.
    if (!hasBody(request)) request.read(0);
    write(response, prepared);
  };
  return (request, response) => {
    const { posting } = responder;
    if (posting && request.method === "POST" && request.url === posting.path)
      return answerMessage(posting, request, response);
    if (request.headers["transfer-encoding"] === undefined) return answer(request, response);
    return answerAfterBody(answer, request, response);
  };
}

/** The body of a request as h3 knows it. */
export function readBodyOf({ runtime }: H3Event): Promise<Uint8Array | undefined> {
  return readBody(runtime?.node?.req as IncomingMessage);
}

/** Any chunk may turn the answer into a 400, so all of them are read first. A broken body needs no other answer. */
async function answerAfterBody(answer: RequestListener, request: IncomingMessage, response: ServerResponse) {
  const body = collectBody(request);
  arriving.set(request, body);
  const hasArrived = await body.then(
    () => true,
    () => false,
  );
  if (hasArrived) answer(request, response);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

async function answerMessage(posting: Posting, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await posting.answer(headersOf(request), () => readBody(request));
  if (answer.headers.connection === "close") response.shouldKeepAlive = false;
  write(response, answer);
}

/** The headers as h3 reads them. */
function headersOf({ rawHeaders }: IncomingMessage): RequestHeaders {
  return { get: (name) => headerIn(rawHeaders, name) };
}

/** The bodies that are read before their answer is chosen. */
const arriving = new WeakMap<IncomingMessage, Promise<Uint8Array | undefined>>();

/** The body, or undefined if it is longer than MAX_BODY_BYTES. @throws Error when it breaks off. */
function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  return arriving.get(request) ?? collectBody(request);
}

const FIRST_BYTES = 1_024;
const NOTHING = Buffer.alloc(0);

/** How long an oversized body is still read before the refusal: a client that is refused while sending may never read
 * the reason. */
const OVERSIZED_BODY_MS = 1_000;

/** Each chunk costs as much time as a kilobyte. A connection that sends more than `count` of fewer than `averageBytes`
 * is closed. */
const SMALL_CHUNKS = { count: 1_024, averageBytes: 16 };

/** Collects a body in one growing copy. Node keeps a chunk of one byte as a Buffer of its own, so the 65,000 such
 * chunks of a permitted message would take 20 MB until the last one arrives; a copy takes 64 KiB at most. */
function collectBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    let kept: Uint8Array = NOTHING;
    let length = 0;
    let chunks = 0;
    request.on("data", (chunk: Buffer) => {
      const start = length;
      length += chunk.byteLength;
      chunks++;
      if (chunks > SMALL_CHUNKS.count && length < chunks * SMALL_CHUNKS.averageBytes) request.socket.destroy();
      else if (length <= MAX_BODY_BYTES) {
        if (length > kept.byteLength) kept = enlarged(kept, start, length);
        kept.set(chunk, start);
      } else if (start <= MAX_BODY_BYTES) {
        kept = NOTHING;
        setTimeout(resolve, OVERSIZED_BODY_MS, undefined).unref();
      }
    });
    request.on("end", () => resolve(length > MAX_BODY_BYTES ? undefined : kept.subarray(0, length)));
    // It is also emitted when the client disconnects halfway.
    request.on("error", reject);
  });
}

/** The first `length` bytes in a buffer with room for at least `wanted`. */
function enlarged(bytes: Uint8Array, length: number, wanted: number): Uint8Array {
  const larger = Buffer.allocUnsafe(Math.max(wanted, Math.min(2 * bytes.byteLength, MAX_BODY_BYTES), FIRST_BYTES));
  larger.set(bytes.subarray(0, length));
  return larger;
}
