// The server's answers without a server: one function from a request to a response, for platforms that run a program at many
// places. The same mirror, table, h3 app and MCP as in `startServer`, but nothing happens outside of a request, and the platform
// does what belongs to the socket: TLS, limits of time and size, compression.
import { H3 } from "h3";
import { bounded } from "../../../snapshots/features/follow/https.ts";
import { bugReporter, bytesOf, LONG_TARGET, MAX_TARGET_LENGTH } from "../../answers/answer.ts";
import { Table } from "../../answers/table.ts";
import { identityOf } from "../mcp/identity.ts";
import { MAX_MESSAGE_BYTES } from "../mcp/json-rpc.ts";
import { originPolicy } from "../mcp/http.ts";
import type { McpAnswers } from "../mcp/respond.ts";
import { resourcesOf } from "../mcp/resources.ts";
import { CollectorReport } from "../../mirror/collector-report.ts";
import { openFacts, SYSTEM_CLOCK, type Clock } from "../../../snapshots/facts.ts";
import { Mirror } from "../../mirror/mirror.ts";
import { RecentChanges } from "../history/recent-changes.ts";
import { createResponder } from "../../door/responder.ts";
import { reasonOf } from "../../door/router.ts";
import { buildSurface, type SurfaceOptions } from "../../surface.ts";
import { proofLink } from "../signatures/proofs.ts";
import { freshening } from "./freshening.ts";
import type { EdgeHandler, HandlerOptions } from "./interface.ts";
import { checked } from "./options.ts";
import { readerOf } from "./platform-store.ts";

/** @throws Error that names the option that is wrong. */
export function createHandler(options: HandlerOptions, clock: Clock = SYSTEM_CLOCK): EdgeHandler {
  const { api, product, trust, base, texts, logo, picture, share, warn } = checked(options);
  const facts = openFacts(readerOf(options.store, warn), { product, trust, clock });
  const reportBug = bugReporter(warn);
  const mirror = new Mirror(facts, { warn, share });
  const [collector, changes] = [new CollectorReport(facts), new RecentChanges(facts)];
  const resources = resourcesOf(api, texts, { base, hasFeeds: changes.areOffered });
  const table = new Table(mirror, clock, { base, links: [proofLink], reportBug, worksInBackground: false });
  // In the one file, too, the SDK is set up at the first message: its schemas take a tenth of the start.
  let answers: Promise<McpAnswers> | undefined;
  const load = async () => {
    const { createLiveAnswers } = await import("../mcp/sdk-server.ts");
    return createLiveAnswers(mirror, resources, identityOf(api, base, logo));
  };
  const isAllowed = originPolicy(api.origins, base);
  const responder = createResponder(table, {
    answers: () => (answers ??= load()),
    loadedAnswers: () => undefined,
    isAllowed,
    reportBug,
  });
  const copies = { mirror, collector, changes };
  const readBody: SurfaceOptions["readBody"] = ({ req }) => bounded(req.body, MAX_MESSAGE_BYTES);
  const answering = { clock, table, responder, readBody, reportBug };
  const { app } = buildSurface({ api, base, resources, logo, picture, share, ...copies, ...answering });
  const routed = belowPath(app, new URL(base).pathname);
  const freshen = freshening(copies, facts.store.pace, { clock, reportBug });
  return async (request, context = {}) => {
    if (targetLength(request) > MAX_TARGET_LENGTH) return tooLong();
    await freshen(context);
    return routed.fetch(request);
  };
}

/** The same routes with and without the path of the base URL, which a platform's route such as `host/facts/*` leaves there. */
function belowPath(app: H3, path: string): H3 {
  return path === "/" ? app : new H3(app.config).mount(path, app).mount("", app);
}

function tooLong(): Response {
  const { status, headers, body } = LONG_TARGET;
  return new Response(bytesOf(body), { status, statusText: reasonOf(status), headers });
}

/** Path and query count, in characters. */
function targetLength({ url }: Request): number {
  return url.length - url.indexOf("/", url.indexOf("//") + 2);
}
