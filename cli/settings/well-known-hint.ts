// For a base URL with a path: clients look for well-known documents at the root of the host (RFC 8615), where a proxy
// that passes on only the path has none.
import type { Configuration } from "./configure.ts";

const NAMES = ["api-catalog", "ai-catalog.json", "mcp.json", "mcp/server-card.json"];

/** Explains what the proxy must pass on. Undefined for a base URL without a path. */
export function wellKnownHint({ settings }: Configuration): string | undefined {
  const { baseUrl = "", contact } = settings.api;
  const { origin, pathname } = new URL(baseUrl, "http://localhost/");
  if (pathname === "/") return undefined;
  const names = contact === undefined ? NAMES : [...NAMES, "security.txt"];
  const paths = names.map((name) => `/.well-known/${name}`).join(", ");
  return (
    `api.baseUrl has a path, but clients look for well-known documents at ${origin}: let the proxy pass on ${paths} ` +
    `unchanged, too, and add this line to the robots.txt there: Sitemap: ${baseUrl}/sitemap.xml`
  );
}
