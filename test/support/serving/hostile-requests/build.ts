// How hostile requests are written down. Whatever a client could make up is, or has in it, the word "marker", so that it
// is seen when it comes back.

/** The statuses of the answers, in their order; what is hostile, as a piece of a sentence; the bytes, a character each. */
export type HostileCase = [statuses: number | readonly number[], what: string, bytes: string];

/** Lines of a request after which the connection is not needed any more. */
export const lines = (...all: string[]) => [...all, "X-Marker: marker", "Connection: close", "", ""].join("\r\n");

export const get = (target: string, ...headers: string[]) =>
  lines(`GET ${target} HTTP/1.1`, "Host: marker", ...headers);

/** A request that is kept alive, for another to follow. */
export const keep = (target: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, "Host: marker", ...headers, "", ""].join("\r\n");

/** `headers`: with those that tell how long the body is. */
export const post = (body: string, ...headers: string[]) =>
  lines("POST /mcp HTTP/1.1", "Host: marker", "Content-Type: application/json", ...headers) + body;

/** `chunks`: with their lengths, as they are sent. */
export const chunked = (chunks: string) => post(chunks, "Transfer-Encoding: chunked");

export const message = (body: string, ...headers: string[]) => post(body, ...headers, `Content-Length: ${body.length}`);

export const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
