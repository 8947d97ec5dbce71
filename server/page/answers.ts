// The HTML page and its Markdown form as prepared answers. They are rendered when something changes and when the first
// of their facts ends, never in a request.
import { answer } from "../answers/answer.ts";
import { apiIndex } from "../api-index.ts";
import type { ApiSettings } from "../api-settings.ts";
import { linkHeader } from "../documents/documents.ts";
import { operations } from "../documents/operations.ts";
import { SNAPSHOT_NAMES } from "../../snapshots/snapshot.ts";
import { renderPage } from "./page.ts";
import { viewOf, type PageInputs, type PageContext } from "./view.ts";
import type { Page } from "../answers/page-row.ts";

/** `base`: the public base URL, without a trailing slash. `logo`: a `data:` URI. */
export function pageRenderer(api: ApiSettings, base: string, logo: string | undefined): (inputs: PageInputs) => Page {
  const index = apiIndex(api, base);
  const context: PageContext = { api, index, base, operations: operations(index), logo };
  // Cache-Control is set later: it changes with time.
  const headers = { "cache-control": "no-store", link: linkHeader(base, index.documentation), vary: "Accept" };
  return (inputs) => {
    const view = viewOf(context, inputs);
    const { html, markdown, policy } = renderPage(view);
    return {
      html: answer(200, html, {
        ...headers,
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy,
      }),
      markdown: answer(200, markdown, { ...headers, "content-type": "text/markdown; charset=utf-8" }),
      contains: SNAPSHOT_NAMES.filter((name) => !view.unavailable.includes(name)),
    };
  };
}
