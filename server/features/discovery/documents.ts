// Every document by its target: all prepared answers except the facts and the page.
import { document, FEED, type Answer } from "../../answers/answer.ts";
import { apiIndex } from "../../api-index.ts";
import type { Change } from "../history/recent-changes.ts";
import type { ApiSettings } from "../../api-settings.ts";
import {
  apiCatalog,
  linkHeader,
  llmsTxt,
  resourcePath,
  registryAuth,
  registryEntry,
  robotsTxt,
  securityTxt,
  sitemap,
} from "./discovery.ts";
import { EMBED_DOCUMENTS } from "../widgets/embed-view.ts";
import {
  atomFeed,
  ATOM_FEED_PATH,
  ATOM_FEED_TYPE,
  jsonFeed,
  JSON_FEED_PATH,
  JSON_FEED_TYPE,
} from "../history/feeds.ts";
import { openApi } from "../openapi/openapi.ts";
import type { Resource } from "../mcp/resources.ts";
import { aiCatalog, CARD_TYPE, serverCard, wellKnownCard } from "../mcp/server-card.ts";

const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
const PLAIN = "text/plain; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";

/** Makes the documents that never change, and returns a function that adds the others. `hasFeeds`: whether there is a history. `logo`: a
 * `data:` URI. `now`: in ms since the epoch. `changes`: newest first; without them there are no feeds. */
export function documents(
  api: ApiSettings,
  base: string,
  { resources, hasFeeds, logo }: { resources: readonly Resource[]; hasFeeds: boolean; logo: string | undefined },
): (now: number, changes: readonly Change[] | undefined) => Record<string, Answer> {
  const index = apiIndex(api, base);
  const links = { link: linkHeader(base, index.documentation) };
  const catalogLink = { link: `<${base}/.well-known/api-catalog>; rel="api-catalog"` };
  // Scanners still look at the addresses of two earlier proposals.
  const card = document(JSON.stringify(wellKnownCard(index)));
  const permanent = {
    "/api/v1": document(JSON.stringify(index), "application/json", links),
    "/openapi.json": document(JSON.stringify(openApi(api, base))),
    "/.well-known/api-catalog": document(JSON.stringify(apiCatalog(index, base)), LINKSET, catalogLink),
    "/.well-known/ai-catalog.json": document(JSON.stringify(aiCatalog(index)), "application/ai-catalog+json"),
    "/.well-known/mcp/server-card.json": card,
    "/.well-known/mcp.json": card,
    "/mcp/server-card": document(JSON.stringify(serverCard(index)), CARD_TYPE),
    "/server.json": document(JSON.stringify(registryEntry(index, base, logo), null, 2)),
    ...EMBED_DOCUMENTS,
    ...Object.fromEntries(resources.map((resource) => [resourcePath(resource), document(resource.text, MARKDOWN)])),
    ...(api.registryKey !== undefined && {
      "/.well-known/mcp-registry-auth": document(registryAuth(api.registryKey), PLAIN, FEED),
    }),
    "/llms.txt": document(llmsTxt(index, base, { resources, hasFeeds }), PLAIN),
    "/robots.txt": document(robotsTxt(api, base), PLAIN),
    "/sitemap.xml": document(sitemap(base), "application/xml"),
  };
  const { contact } = api;
  return (now, changes) => {
    return {
      ...permanent,
      ...(changes && {
        [ATOM_FEED_PATH]: document(atomFeed(index, base, changes), ATOM_FEED_TYPE, FEED),
        [JSON_FEED_PATH]: document(jsonFeed(index, base, changes), JSON_FEED_TYPE, FEED),
      }),
      ...(contact !== undefined && { "/.well-known/security.txt": document(securityTxt(contact, base, now), PLAIN) }),
    };
  };
}
