// Which web pages may post to /mcp. A page cannot forge the Origin header. So a server on a loopback address is safe
// from pages whose own host name resolves to it (DNS rebinding), and a public server is open to all pages, or to those
// in the settings. The policy follows the base URL, never the Host header.
import { isThisComputer, parseUrl } from "../../snapshots/rules.ts";

/** Returns a check of origins. `allowed`: the list in the settings. `base`: the public base URL. */
export function originPolicy(allowed: readonly string[] | undefined, base: string): (origin: string) => boolean {
  if (allowed) return (origin) => allowed.includes(origin);
  return isThisComputer(new URL(base).hostname) ? isLocalOrigin : () => true;
}

function isLocalOrigin(origin: string): boolean {
  const url = parseUrl(origin);
  return url?.origin === origin && isThisComputer(url.hostname);
}
