// The targets whose answers are prepared, and what they are: facts, the page that tells them, and documents in a server
// with a contact.
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
  "/llms.txt",
  "/robots.txt",
  "/sitemap.xml",
  "/changes.atom",
  "/.well-known/security.txt",
] as const;

export const PREPARED = [...FACTS, PAGE, ...DOCUMENTS];

/** Shorter bodies are answered as they are. */
export const WORTH_COMPRESSING = 256;

/** Compression is not waited for at start: this resolves when everything that is worth it is answered compressed. */
export async function untilCompressed(port: number): Promise<void> {
  for (const target of PREPARED) {
    const { status, text } = await ask(port, target);
    if (status !== 200 || Buffer.byteLength(text) < WORTH_COMPRESSING) continue;
    await pollUntil(
      () => ask(port, target, { headers: { "accept-encoding": "br" } }),
      ({ headers }) => headers["content-encoding"] === "br",
    );
  }
}
