// Routing for every h3 app: a path answers its methods and OPTIONS, and refuses others with 405. Failures are Answers.
import { H3, HTTPResponse, type H3Event, type HTTPError } from "h3";
import { bytesOf, chunksOf, empty, error, type Answer, type ReportBug } from "../answers/answer.ts";
import { negotiated } from "../answers/negotiate.ts";

export type Handler = (event: H3Event) => HTTPResponse | Promise<HTTPResponse>;

const METHODS = ["GET", "HEAD", "POST"] as const;
type Handlers = Partial<Record<(typeof METHODS)[number], Handler>>;

export interface RouterOptions {
  notFound: string;
  /** Refusals as HTML, by path; `/**` for all other addresses. */
  notices?: Readonly<Record<string, Answer>>;
  /** Reads at addresses that answer nothing else but their preflight, while there is something to read. */
  unlisted?: Readonly<Record<string, Handler>>;
  reportBug: ReportBug;
}

export function createRouter(
  routes: Readonly<Record<string, Handlers>>,
  { notFound, notices = {}, unlisted = {}, reportBug }: RouterOptions,
): H3 {
  const app = new H3({ silent: true, onError: (failure) => send(onError(failure, reportBug)) });
  for (const [path, handlers] of Object.entries(routes)) route(app, path, { handlers, notice: notices[path] });
  for (const [path, read] of Object.entries(unlisted)) {
    const options: Handler = async (event) =>
      (await read(event)).status === 404 ? read(event) : preflight("GET, HEAD, OPTIONS")(event);
    app.get(path, read).head(path, read).options(path, options);
  }
  app.all("/**", (event) => send(negotiated(event.req.headers, error(404, notFound), notices["/**"])));
  return app;
}

export function readOnly(read: Handler): Handlers {
  return { GET: read, HEAD: read };
}

/** A long body is sent as a stream, because its chunks are shared with other clients. */
export function send({ status, headers, body }: Answer): HTTPResponse {
  const init = { status, statusText: reasonOf(status), headers };
  const [chunk = "", ...others] = chunksOf(body);
  if (others.length > 0) return new HTTPResponse(ReadableStream.from([chunk, ...others].map(bytesOf)), init);
  return new HTTPResponse(chunk.length === 0 ? null : bytesOf(chunk), init);
}

/** The reason phrases of our answers: not every platform has a list of them. */
const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  202: "Accepted",
  204: "No Content",
  302: "Found",
  304: "Not Modified",
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  413: "Payload Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
};

export function reasonOf(status: number): string {
  return REASONS[status] ?? "";
}

function route(app: H3, path: string, { handlers, notice }: { handlers: Handlers; notice: Answer | undefined }): void {
  const allow = [...Object.keys(handlers), "OPTIONS"].join(", ");
  for (const method of METHODS) {
    const handler = handlers[method];
    if (handler) app.on(method, path, handler);
  }
  app.options(path, preflight(allow));
  const refusal = error(405, `This address answers ${allow} only.`, { headers: { allow } });
  app.all(path, (event) => send(negotiated(event.req.headers, refusal, notice)));
}

function preflight(allow: string): Handler {
  return ({ req }) => {
    const requested = req.headers.get("access-control-request-headers");
    const isTokenList = requested !== null && /^[\w!#$%&'*+.^`|~, -]{1,1024}$/.test(requested);
    const methods = { allow, "access-control-allow-methods": allow, "access-control-max-age": "86400" };
    return send(empty(204, { ...methods, ...(isTokenList && { "access-control-allow-headers": requested }) }));
  };
}

function onError(failure: HTTPError, reportBug: ReportBug): Answer {
  if (failure.status >= 400 && failure.status < 500) return error(failure.status, "The request is malformed.");
  reportBug(failure.cause ?? failure);
  return error(500, "Internal error.");
}
