// The whole HTTP surface as one value: an h3 app without a port, an environment or a clock of its own. Every route is
// in the table below; every answer, whatever goes wrong, is an Answer.
import { STATUS_CODES } from "node:http";
import { H3, HTTPResponse, type H3Event, type HTTPError } from "h3";
import { empty, error, type Answer } from "./answer.ts";
import { healthz, readyz, status } from "./health.ts";
import type { Holdings } from "./holdings.ts";
import { answerMcp, MAX_MESSAGE, type McpEdge } from "./mcp-edge.ts";
import type { Mirror } from "./mirror.ts";
import type { Wishes } from "./negotiate.ts";
import type { Choice } from "./prepared.ts";
import { askedRelease, FACT_TARGETS, LATEST_RELEASE } from "./rest.ts";
import { PAGE_TARGET, type Table } from "./table.ts";

export interface Surface {
  mirror: Mirror;
  holdings: Holdings;
  /** Everything that is prepared. */
  table: Table;
  mcp: McpEdge;
  /** Told of errors of our own, which clients learn nothing of. */
  onBug: (error: unknown) => void;
}

type Handler = (event: H3Event) => HTTPResponse | Promise<HTTPResponse>;

export function createApp({ mirror, holdings, table, mcp, onBug }: Surface): H3 {
  const prepared =
    (target: string): Handler =>
    ({ req }) =>
      sendChoice(table.answer(target, wishesOf(req.headers)));
  const release: Handler = (event) => {
    const asked = askedRelease(event.url.searchParams);
    return typeof asked === "string" ? prepared(FACT_TARGETS[asked][0])(event) : send(asked);
  };
  const reads: Record<string, Handler> = {
    ...Object.fromEntries([...table.documents()].map((target) => [target, prepared(target)])),
    [PAGE_TARGET]: prepared(PAGE_TARGET),
    [FACT_TARGETS.plans[0]]: prepared(FACT_TARGETS.plans[0]),
    [LATEST_RELEASE]: release,
    "/healthz": () => send(healthz()),
    "/readyz": () => send(readyz(mirror)),
    "/status": () => send(status(mirror, (name) => holdings.look(name))),
  };
  const call: Handler = async ({ req }) => send(await answerMcp(mcp, req.headers, () => readBody(req.body)));

  const app = new H3({ silent: true, onError: (failure) => send(onError(failure, onBug)) });
  for (const [path, read] of Object.entries(reads)) route(app, path, { GET: read, HEAD: read });
  route(app, "/mcp", { POST: call });
  app.all("/**", () => send(error(404, "There is nothing at this address. The index is at /api/v1.")));
  return app;
}

function wishesOf(headers: Headers): Wishes {
  return {
    accept: headers.get("accept") ?? undefined,
    "accept-encoding": headers.get("accept-encoding") ?? undefined,
    "if-none-match": headers.get("if-none-match") ?? undefined,
    "if-modified-since": headers.get("if-modified-since") ?? undefined,
  };
}

const METHODS = ["GET", "HEAD", "POST"] as const;

function route(app: H3, path: string, handlers: Partial<Record<(typeof METHODS)[number], Handler>>): void {
  const allow = [...Object.keys(handlers), "OPTIONS"].join(", ");
  for (const method of METHODS) {
    const handler = handlers[method];
    if (handler) app.on(method, path, handler);
  }
  app.on("OPTIONS", path, ({ req }) => send(preflight(allow, req.headers.get("access-control-request-headers"))));
  app.all(path, () => send(error(405, `This address answers ${allow} only.`, { headers: { allow } })));
}

function preflight(allow: string, requested: string | null): Answer {
  const isTokenList = requested !== null && /^[\w!#$%&'*+.^`|~, -]{1,1024}$/.test(requested);
  return empty(204, {
    allow,
    "access-control-allow-methods": allow,
    "access-control-max-age": "86400",
    ...(isTokenList && { "access-control-allow-headers": requested }),
  });
}

function onError(failure: HTTPError, onBug: (error: unknown) => void): Answer {
  if (failure.status >= 400 && failure.status < 500) return error(failure.status, "The request is malformed.");
  onBug(failure.cause ?? failure);
  return error(500, "Internal error.");
}

/** A choice from the table; its flat list of headers becomes pairs. */
function sendChoice(choice: Choice | undefined): HTTPResponse {
  if (!choice) throw new Error("a route without a row in the table");
  const { status, headers, body } = choice;
  const pairs = headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1] ?? ""]] : []));
  return send({ status, headers: Object.fromEntries(pairs), body });
}

function send({ status, headers, body }: Answer): HTTPResponse {
  return new HTTPResponse(body.byteLength === 0 ? null : body, {
    status,
    statusText: STATUS_CODES[status] ?? "",
    headers,
  });
}

/** The body's bytes, or undefined when there are more than MAX_MESSAGE. */
async function readBody(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > MAX_MESSAGE) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
