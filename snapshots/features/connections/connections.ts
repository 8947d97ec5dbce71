// Requests to one HTTP server over kept connections. A whole answer is bounded in bytes, and in time by a signal.
import * as http from "node:http";
import * as https from "node:https";
import { MAX_VALUE_BYTES } from "../../store.ts";
import { sharedLookup } from "./shared-lookup.ts";

export interface HttpRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array | undefined;
}

/** `body`: undefined if it has more than MAX_VALUE_BYTES. */
export interface HttpAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer | undefined;
}

/** Long enough for the calls of one poll or one run, but not until the next poll: by then the connection may be lost without a
 * sign, which would cost a whole call. */
const IDLE_MS = 4_000;

/** Connections to one host. */
export interface Connections {
  /** The answer, of any status. @throws the system's error when there is none, or only a part of it. */
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
  /** Ends all of them, with the requests on them. */
  close(): void;
}

/** Opens connections to the host of an `http:` or `https:` URL. */
export function connectionsTo({ protocol, hostname, port }: URL): Connections {
  const client = protocol === "https:" ? https : http;
  const options = { keepAlive: true, timeout: IDLE_MS, lookup: sharedLookup };
  // Certificates are verified even if NODE_TLS_REJECT_UNAUTHORIZED is 0.
  const agent = client === https ? new https.Agent({ ...options, rejectUnauthorized: true }) : new http.Agent(options);
  const host = { protocol, hostname: hostname.replace(/^\[|\]$/g, ""), port, agent };
  const send: Connections["send"] = ({ method, path, headers, body }, signal) =>
    new Promise((resolve, reject) => {
      const request = client.request({ ...host, method, path, headers, signal });
      request.on("error", reject);
      // Nobody asked for this answer.
      request.on("upgrade", ({ statusCode: status = 0, headers }, socket) => {
        socket.destroy();
        resolve({ status, headers, body: undefined });
      });
      request.on("response", (response) => {
        const { statusCode: status = 0, headers } = response;
        readBody(response).then((body) => resolve({ status, headers, body }), reject);
      });
      request.end(body);
    });
  return { send, close: () => agent.destroy() };
}

async function readBody(response: http.IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (length > MAX_VALUE_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
