// The whole HTTP surface as one value: an h3 app without a port, an environment or a clock of its own. The table below
// lists every route; every answer is an Answer, even when something fails.
import type { H3, H3Event } from "h3";
import type { LiveRead, Notices } from "../answers/addition.ts";
import { json, type Answer, type ReportBug } from "../answers/answer.ts";
import { choose } from "../answers/negotiate.ts";
import { askedRelease, FACT_TARGETS, LATEST_RELEASE } from "../answers/facts.ts";
import { createRouter, readOnly, send, type Handler } from "./router.ts";
import type { Posting, Responder } from "./responder.ts";

export interface AppOptions {
  /** The paths of prepared answers besides the REST operations. */
  documents: Iterable<string>;
  live: Readonly<Record<string, LiveRead>>;
  /** The public keys; a 404 if nothing is signed. */
  publicKeys?: (() => Answer) | undefined;
  notices: Notices | undefined;
  responder: Pick<Responder, "read">;
  posting: Posting | undefined;
  /** The body of a message, or undefined if it is longer than MAX_BODY_BYTES. Rejects when it breaks off. */
  readBody: (event: H3Event) => Promise<Uint8Array | undefined>;
  reportBug: ReportBug;
}

/** `paths`: of all routes. */
export function createApp(options: AppOptions): { app: H3; paths: string[] } {
  const { documents, live, publicKeys, notices, responder, posting, readBody, reportBug } = options;
  const prepared =
    (target: string): Handler =>
    ({ req }) =>
      send(responder.read(target, req.headers) ?? withoutRow());
  const release: Handler = (event) => {
    const asked = askedRelease(event.url.searchParams);
    return typeof asked === "string" ? prepared(FACT_TARGETS[asked][0])(event) : send(asked);
  };
  const made =
    (path: string, read: LiveRead): Handler =>
    (event) => {
      const { headers } = event.req;
      const answer = read(event.url.searchParams, headers);
      if (!answer) return prepared(path)(event);
      return send("variants" in answer ? choose(answer, headers) : answer);
    };
  const reads: Record<string, Handler> = {
    ...Object.fromEntries([...documents].map((target) => [target, prepared(target)])),
    ...Object.fromEntries(Object.entries(live).map(([path, read]) => [path, made(path, read)])),
    [FACT_TARGETS.plans[0]]: prepared(FACT_TARGETS.plans[0]),
    [LATEST_RELEASE]: release,
    // The process answers.
    "/healthz": () => send(json(200, '{"status":"ok"}')),
  };
  const message =
    ({ answer }: Posting): Handler =>
    async (event) =>
      send(await answer(event.req.headers, () => readBody(event)));
  const routes = {
    ...Object.fromEntries(Object.entries(reads).map(([path, read]) => [path, readOnly(read)])),
    ...(posting && { [posting.path]: { POST: message(posting) } }),
  };
  const notFound = "There is nothing at this address. The index is at /api/v1.";
  const refusals = notices && { ...(posting && { [posting.path]: notices.posting }), "/**": notices.notFound };
  // Programs that look for a login ask there, too.
  const unlisted = publicKeys ? { "/.well-known/jwks.json": () => send(publicKeys()) } : {};
  const app = createRouter(routes, { notFound, notices: refusals ?? {}, unlisted, reportBug });
  return { app, paths: Object.keys(routes) };
}

function withoutRow(): never {
  throw new Error("a route without a row in the table");
}
