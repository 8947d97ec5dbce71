// Stand-ins: who is asked in an upstream's place, such as a mirror, or a server of one's own for a rehearsal. Only where
// requests go changes. Links in a feed, and what counts as another origin, stay as if the upstream itself had answered.
import * as z from "zod";
import { isSafeUrl, parseUrl } from "../../snapshots/rules.ts";

/** The upstream's origin → the origin that is asked. */
export type StandIns = Readonly<Record<string, string>>;

const origin = z.string().refine((text) => {
  const url = parseUrl(text);
  return url?.origin === text && isSafeUrl(url);
}, "must be an https origin such as https://dl.acme.com, without a path (http only on this computer)");

export const standIns = z
  .record(origin, origin)
  .default({})
  .describe('Who is asked in an upstream\'s place: `{ "https://dl.acme.com": "http://127.0.0.1:4010" }`');

/** Where a request for this address goes. */
export function applyStandIn(url: URL, standIns: StandIns): URL {
  const standIn = Object.hasOwn(standIns, url.origin) ? standIns[url.origin] : undefined;
  if (standIn === undefined) return url;
  const { protocol, hostname, port } = new URL(standIn);
  return Object.assign(new URL(url), { protocol, hostname, port });
}
