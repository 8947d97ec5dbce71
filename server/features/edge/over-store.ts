// The server's answers without a server: one function from a request to a response, for platforms that run a program at many
// places. The same mirror, table, h3 app and MCP as in `startServer`, but nothing happens outside of a request, and the platform
// does what belongs to the socket: TLS, limits of time and size, compression.
// after: connections, follow, mcp, signatures
import { H3 } from "h3";
import { bugReporter, bytesOf, LONG_TARGET, MAX_BODY_BYTES, MAX_TARGET_LENGTH } from "../../answers/answer.ts";
import { Table } from "../../answers/table.ts";
import { liveMcp } from "../mcp/live.ts";
import { proofLink } from "../signatures/proofs.ts";
import { CollectorReport } from "../../mirror/collector-report.ts";
import { openFacts, SYSTEM_CLOCK, type Clock } from "../../../snapshots/facts.ts";
import type { Reader } from "../../../snapshots/store.ts";
import { Mirror } from "../../mirror/mirror.ts";
import { reasonOf } from "../../door/router.ts";
import { buildSurface, followersOf, hasFeeds, type SurfaceOptions } from "../../surface.ts";
import { freshening } from "./freshening.ts";
import type { EdgeHandler } from "./interface.ts";
import type { checked } from "./options.ts";
import { bounded } from "./platform-store.ts";

/** `settings`: as they are once they are checked. */
export function handlerOver(
  store: Reader,
  { api, product, trust, base, texts, logo, picture, share, warn }: Omit<ReturnType<typeof checked>, "store">,
  clock: Clock = SYSTEM_CLOCK,
): EdgeHandler {
  const facts = openFacts(store, { product, trust, clock });
  const reportBug = bugReporter(warn);
  const mirror = new Mirror(facts, { warn, share });
  const collector = new CollectorReport(facts);
  const table = new Table(mirror, clock, { base, links: [proofLink], worksInBackground: false });
  const shown = { facts, hasFeeds: hasFeeds(facts), api, base, texts, logo, picture, share, mirror, reportBug };
  const posting = liveMcp(shown);
  const readBody: SurfaceOptions["readBody"] = ({ req }) => bounded(req.body, MAX_BODY_BYTES);
  const { app } = buildSurface({ ...shown, collector, table, posting, readBody });
  const routed = belowPath(app, new URL(base).pathname);
  const freshen = freshening(facts, { mirror, others: [collector, ...followersOf(facts)], reportBug });
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
