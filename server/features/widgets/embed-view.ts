// The script with the elements for a vendor's own site, and the names of the plans, which it reads beside the facts. For web designers.
// Without it, such elements stay empty, and llms.txt and page no longer name them; the card of MCP, which shares their parts, goes, too.
// The other files here are programs for browsers, except `built.ts`, which `npm run generate` makes of them.
// after: words
import { createHash } from "node:crypto";
import type { Addition, Site } from "../../answers/addition.ts";
import { ANYWHERE, document, json, type Answer } from "../../answers/answer.ts";
import type { FactView } from "../../answers/facts.ts";
import { EMBED } from "./built.ts";

const TYPE = "text/javascript; charset=utf-8";
const hash = createHash("sha256").update(EMBED).digest();

/** The value of `integrity` (Subresource Integrity). */
export const INTEGRITY = `sha256-${hash.toString("base64")}`;
/** The address of exactly these bytes, which changes when a release of Vitrine has others. */
export const PINNED_PATH = `/embed.${hash.toString("hex").slice(0, 16)}.js`;

const DOCUMENTS: Readonly<Record<string, Answer>> = {
  "/embed.js": document(EMBED, TYPE, ANYWHERE),
  [PINNED_PATH]: document(EMBED, TYPE, { ...ANYWHERE, "cache-control": "public, max-age=31536000, immutable" }),
};

/** What the plans are called, which is no part of `/api/v1`. Always a 200, with null for names that are unavailable. */
const NAMES: FactView = {
  name: "plans",
  targets: ["/embed.json"],
  fresh: ({ names = {} }) => json(200, JSON.stringify({ names })),
  unavailable: json(200, JSON.stringify({ names: null })),
};

export function widgets({ base }: Pick<Site, "base">): Addition {
  return {
    views: [NAMES],
    documents: () => DOCUMENTS,
    mention: {
      llms: {
        "Web pages": [
          `- \`${base}/embed.js\`: script with the elements \`<vitrine-plans>\` and \`<vitrine-download>\`, for any site`,
          `- \`${base}${PINNED_PATH}\`: the same, pinned: never changes, with \`integrity="${INTEGRITY}" crossorigin\``,
        ],
      },
      examples: [{ id: "html", language: "HTML", text: exampleFor(base) }],
    },
  };
}

function exampleFor(base: string): string {
  return `<script src="${base}/embed.js" crossorigin defer></script>
<vitrine-plans></vitrine-plans>
<vitrine-download></vitrine-download>

<!-- Or these bytes only; a release of Vitrine changes the line. -->
<script src="${base}${PINNED_PATH}" integrity="${INTEGRITY}" crossorigin defer></script>`;
}
