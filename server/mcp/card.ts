// The card that a host with MCP Apps (SEP-1865, 2026-01-26) shows for a tool's result: a page without facts and without a
// network, to which the host hands the result. A host without cards gets the same result.
import { createHash } from "node:crypto";
import { xml } from "../format.ts";
import { CARD } from "../widgets/built.ts";

export const CARD_TYPE = "text/html;profile=mcp-app";

export interface Card {
  uri: string;
  /** An HTML document. */
  text: string;
}

/** `title`: the API's public name. */
export function cardOf({ title }: { title: string }): Card {
  const head = `<meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${xml(title)}</title>`;
  const text = `<!doctype html><html lang="en"><head>${head}</head><body><script>${CARD}</script></body></html>`;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  // Hosts cache a card by its address, so another card has another one.
  return { uri: `ui://vitrine/card-${hash}`, text };
}

/** Includes the cards of earlier versions and of other replicas: hosts remember a tool for longer than a server runs. */
export function isCard(uri: string): boolean {
  return /^ui:\/\/vitrine\/card-[0-9a-f]{16}$/.test(uri);
}
