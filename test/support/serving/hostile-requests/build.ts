// Builders of hostile requests. Every part that a client can choose contains the word "marker", so that a test notices it
// in an answer.

/** The expected statuses in order, a title, and the bytes, one character each. */
export type HostileCase = [statuses: number | readonly number[], title: string, bytes: string];

/** The last request of a connection. */
export const lines = (...all: string[]) => [...all, "X-Marker: marker", "Connection: close", "", ""].join("\r\n");

export const get = (target: string, ...headers: string[]) =>
  lines(`GET ${target} HTTP/1.1`, "Host: marker", ...headers);

/** A request that keeps the connection alive. */
export const keep = (target: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, "Host: marker", ...headers, "", ""].join("\r\n");

/** `headers`: including those that give the body's length. */
export const post = (body: string, ...headers: string[]) =>
  lines("POST /mcp HTTP/1.1", "Host: marker", "Content-Type: application/json", ...headers) + body;

/** `chunks`: with their lengths, as sent. */
export const chunked = (chunks: string) => post(chunks, "Transfer-Encoding: chunked");

export const message = (body: string, ...headers: string[]) => post(body, ...headers, `Content-Length: ${body.length}`);

export const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
