// The targets whose answers are prepared: the facts, the page, and the documents of a server with a contact, and badges.
import { PINNED_PATH } from "../../../server/features/widgets/embed-view.ts";
import { isIn } from "../program/feature.ts";
import { ask, pollUntil } from "./server.ts";

/** Targets of features that have been taken out. */
const GONE = new Set<string>();

/** The targets that a feature adds; none once it has been taken out. */
function of<const T extends readonly string[]>(feature: string, targets: T): T {
  if (isIn(feature)) return targets;
  for (const target of targets) GONE.add(target);
  // The types are those of the whole house.
  return [] as readonly string[] as T;
}

/** False for the address of a feature that has been taken out. */
export function isServed(target: string): boolean {
  return !GONE.has(target.replace(/\?.*/, ""));
}

export const FACTS = [
  "/api/v1/plans",
  "/api/v1/releases/latest",
  "/api/v1/releases/latest?platform=macos",
  "/api/v1/releases/latest?platform=windows",
] as const;

export const PAGE = "/";
export const PAGES = of("page", [PAGE]);

export const PROBES = of("probes", ["/readyz", "/startupz", "/status"]);

/** Of messages. */
export const MCP = of("mcp", ["/mcp"]);

export const DOCUMENTS = [
  ...of("openapi", ["/openapi.json"]),
  ...of("mcp", ["/.well-known/ard.json", "/.well-known/ai-catalog.json", "/overview.md", "/faq.md"]),
  ...of("mcp", ["/.well-known/mcp/server-card.json", "/.well-known/mcp.json", "/mcp/server-card", "/server.json"]),
  ...of("discovery", ["/api/v1", "/.well-known/api-catalog", "/llms.txt", "/robots.txt", "/sitemap.xml"]),
  ...of("history", ["/changes.atom", "/changes.json"]),
  ...of("page", ["/favicon.ico"]),
  ...of("discovery", ["/.well-known/security.txt"]),
];

export const BADGES = of(
  "badges",
  ["plans", "macos", "windows"].flatMap((name) => [`/badge/${name}.svg`, `/badge/${name}.json`]),
);

export const EMBED: readonly string[] = [
  // A line that goes with the feature.
  PINNED_PATH,
  ...of("widgets", ["/embed.js", "/embed.json"]),
];

/** The plans alone and the releases alone, as Markdown. */
export const TWINS = of("twins", ["/pricing.md", "/download.md"]);

/** The page as Markdown. */
export const INDEX = of("page", ["/index.md"]);

export const PREPARED = [...FACTS, ...PAGES, ...INDEX, ...TWINS, ...DOCUMENTS, ...BADGES, ...EMBED];

/** Redirections, made for each request. */
export const DOWNLOADS = of("downloads", ["/download/macos", "/download/windows"]);

/** Of a server with `share`. */
export const SHARED = of("follow", [
  "/snapshots/plans.json",
  "/snapshots/release-macos.json",
  "/snapshots/release-windows.json",
]);

/** Shorter bodies are not compressed, in bytes. */
export const WORTH_COMPRESSING = 256;

/** Resolves when every answer that is large enough is compressed, which the start does not wait for. */
export async function untilCompressed(port: number): Promise<void> {
  for (const target of [...PREPARED, ...SHARED]) {
    const { status, headers, text } = await ask(port, target);
    // The badge of an unavailable fact has no etag, and is never compressed.
    if (status !== 200 || headers.etag === undefined || Buffer.byteLength(text) < WORTH_COMPRESSING) continue;
    await pollUntil(
      () => ask(port, target, { headers: { "accept-encoding": "br" } }),
      ({ headers }) => headers["content-encoding"] === "br",
    );
  }
}
