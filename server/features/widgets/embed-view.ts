// The script with the elements for a vendor's own site, and the names of the plans, which it reads beside the facts.
import { createHash } from "node:crypto";
import { answer, document, json, type Answer } from "../../answers/answer.ts";
import type { FactView } from "../../answers/facts.ts";
import { EMBED } from "./built.ts";

const TYPE = "text/javascript; charset=utf-8";
const hash = createHash("sha256").update(EMBED).digest();

/** The value of `integrity` (Subresource Integrity). */
export const INTEGRITY = `sha256-${hash.toString("base64")}`;
/** The address of exactly these bytes, which changes when a release of Vitrine has others. */
export const PINNED_PATH = `/embed.${hash.toString("hex").slice(0, 16)}.js`;

export const EMBED_DOCUMENTS: Readonly<Record<string, Answer>> = {
  "/embed.js": document(EMBED, TYPE),
  [PINNED_PATH]: answer(200, EMBED, { "content-type": TYPE, "cache-control": "public, max-age=31536000, immutable" }),
};

/** What the plans are called, which is no part of `/api/v1`. Always a 200, with null for names that are unavailable. */
export const EMBED_VIEW: FactView = {
  name: "plans",
  targets: ["/embed.json"],
  fresh: ({ names = {} }) => json(200, JSON.stringify({ names })),
  unavailable: json(200, JSON.stringify({ names: null })),
};

/** The line of HTML that loads exactly these bytes. */
export function pinnedScript(base: string): string {
  return `<script src="${base}${PINNED_PATH}" integrity="${INTEGRITY}" crossorigin defer></script>`;
}
