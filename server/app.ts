// The whole HTTP surface as one value: an h3 app without a port, an environment or a clock of its own. Every route is
// in the table below; every answer, whatever goes wrong, is an Answer.
import { STATUS_CODES } from "node:http";
import { H3, HTTPResponse, type H3Event, type HTTPError } from "h3";
import { apiIndex } from "./api-index.ts";
import { document, empty, error, type Answer } from "./answer.ts";
import type { ApiSettings } from "./config.ts";
import { healthz, readyz, status } from "./health.ts";
import type { McpServer } from "./mcp.ts";
import { answerMcp, internalError, MAX_MESSAGE } from "./mcp-edge.ts";
import type { Mirror } from "./mirror.ts";
import { openApi } from "./openapi.ts";
import { page } from "./page.ts";
import { getLatestRelease, getPlans } from "./rest.ts";

export interface Surface {
  api: ApiSettings;
  /** Public base URL, without a slash at its end. */
  base: string;
  mirror: Mirror;
  /** May still be loading. */
  mcp: Promise<McpServer>;
  /** Told of errors of our own, which clients learn nothing of. */
  onBug: (error: unknown) => void;
}

type Handler = (event: H3Event) => Answer | Promise<Answer>;

const CSP = "default-src 'none'; style-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export function createApp({ api, base, mirror, mcp, onBug }: Surface): H3 {
  const index = apiIndex(api, base);
  const indexAnswer = document(JSON.stringify(index));
  const openApiAnswer = document(JSON.stringify(openApi(api, base)));
  const pageAnswer = document(page(index), "text/html; charset=utf-8");
  pageAnswer.headers["content-security-policy"] = CSP;

  const reads: Record<string, Handler> = {
    "/": () => pageAnswer,
    "/api/v1": () => indexAnswer,
    "/api/v1/plans": () => getPlans(mirror),
    "/api/v1/releases/latest": ({ url }) => getLatestRelease(mirror, url.searchParams),
    "/openapi.json": () => openApiAnswer,
    "/healthz": healthz,
    "/readyz": () => readyz(mirror),
    "/status": () => status(mirror),
  };
  const call: Handler = ({ req }) => answerMcp(mcp, req.headers.get("content-type"), () => readBody(req.body));

  const app = new H3({ silent: true, onError: (failure, event) => send(onError(failure, event.url.pathname, onBug)) });
  for (const [path, read] of Object.entries(reads)) route(app, path, { GET: read, HEAD: read });
  route(app, "/mcp", { POST: call });
  app.all("/**", () => send(error(404, "There is nothing at this address. The index is at /api/v1.")));
  return app;
}

const METHODS = ["GET", "HEAD", "POST"] as const;

function route(app: H3, path: string, handlers: Partial<Record<(typeof METHODS)[number], Handler>>): void {
  const allow = [...Object.keys(handlers), "OPTIONS"].join(", ");
  for (const method of METHODS) {
    const handler = handlers[method];
    if (handler) app.on(method, path, async (event) => send(await handler(event)));
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

function onError(failure: HTTPError, path: string, onBug: (error: unknown) => void): Answer {
  if (failure.status >= 400 && failure.status < 500) return error(failure.status, "The request is malformed.");
  onBug(failure.cause ?? failure);
  return path === "/mcp" ? internalError() : error(500, "Internal error.");
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
