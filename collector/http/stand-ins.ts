// Stand-ins: servers that are asked in place of an upstream, such as a mirror, or a local server for a rehearsal. Only
// the destination of requests changes. Links and checks of origins work as if the upstream itself had answered.
import * as z from "zod";
import { isSafeUrl, parseUrl } from "../../snapshots/rules.ts";

/** The upstream's origin → the origin to ask. */
export type StandIns = Readonly<Record<string, string>>;

const origin = z.string().refine((text) => {
  const url = parseUrl(text);
  return url?.origin === text && isSafeUrl(url);
}, "must be an https origin such as https://dl.acme.com, without a path (http only on this computer)");

export const standIns = z
  .record(origin, origin)
  .default({})
  .describe('Servers to ask in place of an upstream: `{ "https://dl.acme.com": "http://127.0.0.1:4010" }`');

/** The URL to request in place of `url`. */
export function applyStandIn(url: URL, standIns: StandIns): URL {
  const standIn = Object.hasOwn(standIns, url.origin) ? standIns[url.origin] : undefined;
  if (standIn === undefined) return url;
  const { protocol, hostname, port } = new URL(standIn);
  return Object.assign(new URL(url), { protocol, hostname, port });
}
