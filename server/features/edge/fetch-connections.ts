// Requests by `fetch`, for a platform that has nothing else, and its streams. A server uses `connectionsTo` instead: in Node.js, fetch
// takes 13 to 16 MB of memory.
import { MAX_VALUE_BYTES } from "../../../snapshots/store.ts";
import type { Connections, HttpAnswer, HttpRequest } from "../../../snapshots/stores/http-client.ts";
import { errorCode } from "../../../snapshots/system-calls.ts";

/** The first byte of each value, which is JSON. */
const OPENING_BRACE = 0x7b;

/** Connections to the host of `url`. */
export function connectionsByFetch(url: URL): Connections {
  return {
    async send({ method, path, headers }: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
      try {
        const response = await fetch(url.origin + path, { method, headers, signal, redirect: "manual" });
        const body = await bounded(response.body, MAX_VALUE_BYTES);
        const answered = Object.fromEntries(response.headers);
        // Cloudflare asks for compression whatever the request says, and hands over the body without it, but with this header.
        if (body?.[0] === OPENING_BRACE) delete answered["content-encoding"];
        return { status: response.status, headers: answered, body };
      } catch (error) {
        // Node.js wraps the error that has a code.
        const cause = error instanceof Error ? error.cause : undefined;
        throw errorCode(cause) === undefined ? error : cause;
      }
    },
    close() {},
  };
}

/** All bytes of a stream, or undefined if there are more than `maxBytes`. */
export async function bounded(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream?.getReader();
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    length += read.value.byteLength;
    chunks.push(read.value);
    if (length <= maxBytes) continue;
    await reader?.cancel().catch(() => {});
    return undefined;
  }
  return Buffer.concat(chunks, length);
}
