// Which web pages may post to /mcp. What a browser says in Origin cannot be forged by a page: so a server on this computer
// only is safe from pages that resolve their own name to it (DNS rebinding), and a public one is open to all, or to those
// that the settings name. Chosen from the base URL, never from Host.
import { isThisComputer, parseUrl } from "../../snapshots/rules.ts";

/** True for an origin that may. `allowed`: the settings' list. `base`: the public base URL. */
export function originPolicy(allowed: readonly string[] | undefined, base: string): (origin: string) => boolean {
  if (allowed) return (origin) => allowed.includes(origin);
  return isThisComputer(new URL(base).hostname) ? isLocalOrigin : () => true;
}

function isLocalOrigin(origin: string): boolean {
  const url = parseUrl(origin);
  return url?.origin === origin && isThisComputer(url.hostname);
}
