// Requests to one HTTP server over kept connections. A whole answer is bounded in bytes, and in time by a signal.
import * as http from "node:http";
import * as https from "node:https";
import { sharedLookup } from "./shared-lookup.ts";

export interface HttpRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array | undefined;
}

/** `body`: undefined if it has more bytes than permitted. */
export interface HttpAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer | undefined;
}

/** Long enough for the calls of one poll or one run, but not until the next poll: by then the connection may be lost without a
 * sign, which would cost a whole call. */
const IDLE_MS = 4_000;

export class Connections {
  readonly #url: URL;
  readonly #maxBytes: number;
  readonly #client: typeof http | typeof https;
  readonly #agent: http.Agent;

  /** They lead to the host of an `http:` or `https:` URL. An answer's body has at most `maxBytes`. */
  constructor(url: URL, maxBytes: number) {
    this.#url = url;
    this.#maxBytes = maxBytes;
    const options = { keepAlive: true, timeout: IDLE_MS, lookup: sharedLookup };
    this.#client = url.protocol === "https:" ? https : http;
    // Certificates are verified even if NODE_TLS_REJECT_UNAUTHORIZED is 0.
    this.#agent =
      this.#client === https ? new https.Agent({ ...options, rejectUnauthorized: true }) : new http.Agent(options);
  }

  /** The answer, of any status. @throws the system's error when there is none, or only a part of it. */
  send({ method, path, headers, body }: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const { protocol, hostname, port } = this.#url;
      const options = { protocol, hostname: hostname.replace(/^\[|\]$/g, ""), port, agent: this.#agent };
      const request = this.#client.request({ ...options, method, path, headers, signal });
      request.on("error", reject);
      // Of an answer that was not asked for.
      request.on("upgrade", ({ statusCode: status = 0, headers }, socket) => {
        socket.destroy();
        resolve({ status, headers, body: undefined });
      });
      request.on("response", (response) => {
        const { statusCode: status = 0, headers } = response;
        readBody(response, this.#maxBytes).then((body) => resolve({ status, headers, body }), reject);
      });
      request.end(body);
    });
  }

  /** Ends all connections, with the requests on them. */
  close(): void {
    this.#agent.destroy();
  }
}

async function readBody(response: http.IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
