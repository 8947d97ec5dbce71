// The targets whose answers are prepared: the facts, the page, and the documents of a server with a contact, and badges.
import { PINNED_PATH } from "../../../server/features/widgets/embed-view.ts";
import { ask, pollUntil } from "./server.ts";

export const FACTS = [
  "/api/v1/plans",
  "/api/v1/releases/latest",
  "/api/v1/releases/latest?platform=macos",
  "/api/v1/releases/latest?platform=windows",
] as const;

export const PAGE = "/";

export const DOCUMENTS = [
  "/api/v1",
  "/openapi.json",
  "/.well-known/api-catalog",
  "/.well-known/ai-catalog.json",
  "/.well-known/mcp/server-card.json",
  "/.well-known/mcp.json",
  "/mcp/server-card",
  "/server.json",
  "/overview.md",
  "/faq.md",
  "/llms.txt",
  "/robots.txt",
  "/sitemap.xml",
  "/changes.atom",
  "/changes.json",
  "/favicon.ico",
  "/.well-known/security.txt",
] as const;

export const BADGES = ["plans", "macos", "windows"].flatMap((name) => [`/badge/${name}.svg`, `/badge/${name}.json`]);

export const EMBED = ["/embed.js", PINNED_PATH, "/embed.json"];

export const PREPARED = [...FACTS, PAGE, ...DOCUMENTS, ...BADGES, ...EMBED];

/** Redirections, made for each request. */
export const DOWNLOADS = ["/download/macos", "/download/windows"] as const;

/** Of a server with `share`. */
export const SHARED = [
  "/snapshots/plans.json",
  "/snapshots/release-macos.json",
  "/snapshots/release-windows.json",
] as const;

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
