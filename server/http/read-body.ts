// Reads the bodies of requests, into one growing copy each. Node keeps a chunk of one byte as a Buffer of its own, so the
// 65,000 such chunks of a permitted message would take 20 MB until the last one arrives; a copy takes 64 KiB at most.
import type { IncomingMessage } from "node:http";
import type { H3Event } from "h3";
import { MAX_MESSAGE_BYTES } from "../mcp/json-rpc.ts";

const FIRST_BYTES = 1_024;

/** How long an oversized body is still read before the refusal: a client that is refused while sending may never read
 * the reason. */
const OVERSIZED_BODY_MS = 1_000;

/** Each chunk costs as much time as a kilobyte. A connection that sends more than `count` of fewer than `averageBytes`
 * is closed. */
const SMALL_CHUNKS = { count: 1_024, averageBytes: 16 };

const NOTHING = Buffer.alloc(0);

/** Of requests whose body is read before their answer is chosen. */
const bodies = new WeakMap<IncomingMessage, Promise<Uint8Array | undefined>>();

/** The body, or undefined if it is longer than MAX_MESSAGE_BYTES. @throws Error when it breaks off. */
export function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  return bodies.get(request) ?? read(request);
}

/** The same for a request as h3 knows it. */
export function readBodyOf({ runtime }: H3Event): Promise<Uint8Array | undefined> {
  return readBody(runtime?.node?.req as IncomingMessage);
}

/** Resolves when the body has arrived, which `readBody` returns from then on. @throws Error when it breaks off. */
export async function bodyArrival(request: IncomingMessage): Promise<void> {
  const body = read(request);
  bodies.set(request, body);
  await body;
}

function read(request: IncomingMessage): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    let kept: Uint8Array = NOTHING;
    let length = 0;
    let chunks = 0;
    request.on("data", (chunk: Buffer) => {
      const start = length;
      length += chunk.byteLength;
      chunks++;
      if (chunks > SMALL_CHUNKS.count && length < chunks * SMALL_CHUNKS.averageBytes) request.socket.destroy();
      else if (length <= MAX_MESSAGE_BYTES) {
        if (length > kept.byteLength) kept = enlarged(kept, start, length);
        kept.set(chunk, start);
      } else if (start <= MAX_MESSAGE_BYTES) {
        kept = NOTHING;
        setTimeout(resolve, OVERSIZED_BODY_MS, undefined).unref();
      }
    });
    request.on("end", () => resolve(length > MAX_MESSAGE_BYTES ? undefined : kept.subarray(0, length)));
    // Also emitted when the client disconnects halfway.
    request.on("error", reject);
  });
}

/** The first `length` bytes in a buffer with room for at least `wanted`. */
function enlarged(bytes: Uint8Array, length: number, wanted: number): Uint8Array {
  const larger = Buffer.allocUnsafe(Math.max(wanted, Math.min(2 * bytes.byteLength, MAX_MESSAGE_BYTES), FIRST_BYTES));
  larger.set(bytes.subarray(0, length));
  return larger;
}
