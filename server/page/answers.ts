// The page for people, and for agents as Markdown, as answers: rendered when something changes and when the first of its
// facts ends, never in a request.
import { answer } from "../answers/answer.ts";
import { apiIndex } from "../api-index.ts";
import type { ApiSettings } from "../settings.ts";
import { linkHeader } from "../documents/documents.ts";
import { operations } from "../documents/operations.ts";
import { renderPage } from "./page.ts";
import { toldNames, viewOf, type Seen, type Setting } from "./view.ts";
import type { Page } from "../answers/table.ts";

/** `base`: the public base URL, without a slash at its end. `logo`: a `data:` URI. The result renders the page of what is
 * seen. */
export function pageOf(api: ApiSettings, base: string, logo: string | undefined): (seen: Seen) => Page {
  const index = apiIndex(api, base);
  const setting: Setting = { api, index, base, operations: operations(index), logo };
  // Cache-Control is to be set: it moves with time.
  const headers = { "cache-control": "no-store", link: linkHeader(base, index.documentation), vary: "Accept" };
  return (seen) => {
    const view = viewOf(setting, seen);
    const { html, markdown, policy } = renderPage(view);
    return {
      html: answer(200, html, {
        ...headers,
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy,
      }),
      markdown: answer(200, markdown, { ...headers, "content-type": "text/markdown; charset=utf-8" }),
      tells: toldNames(view),
    };
  };
}
