// The page in the table: when it is rendered, and for how long its answers may be cached. It is never older than the
// mirror, or its facts would disagree with the API's; it expires with the first of its facts.
import { SNAPSHOT_NAMES, type SnapshotName } from "../../../snapshots/snapshot.ts";
import type { Row, Site } from "../../answers/addition.ts";
import type { Answer } from "../../answers/answer.ts";
import { cacheControl } from "../../answers/facts.ts";
import { choose, prefersMarkdown } from "../../answers/negotiate.ts";
import { PreparedAnswers, withCacheControl, type Prepared } from "../../answers/prepared.ts";

/** Both forms of the page, and the snapshots whose facts it contains. */
export interface RenderedPage {
  html: Answer;
  markdown: Answer;
  contains: readonly SnapshotName[];
}

/** The page is rendered without a request so long after a change: one run publishes several. */
const RENDER_DELAY_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** `reportBug` gets errors while the page is rendered, which leave the facts alone. */
export function pageRow(
  render: () => RenderedPage,
  { mirror, reportBug, worksInBackground }: Pick<Site, "mirror" | "reportBug" | "worksInBackground">,
): Row {
  const answers = new PreparedAnswers<"html" | "markdown">(worksInBackground ? renewCacheControl : undefined);
  let contains: readonly SnapshotName[] = [];
  // Cache-Control promises `promisedMs`.
  let current: { html: Prepared; markdown: Prepared; promisedMs: number } | undefined;
  let isOutdated = true;
  let timer: NodeJS.Timeout | undefined;

  /** The time in ms until the first fact of the page expires; Infinity if there is none. */
  const timeLeft = () => Math.min(...contains.map((name) => mirror.timeLeft(name)));

  function update(): void {
    if (!isOutdated) return;
    isOutdated = false;
    clearTimeout(timer);
    timer = undefined;
    renderNow();
  }

  function renderNow(): void {
    try {
      const page = render();
      answers.set("html", page.html);
      answers.set("markdown", page.markdown);
      contains = page.contains;
    } catch (bug) {
      answers.clear();
      reportBug(bug);
    }
    renewCacheControl();
  }

  function renewCacheControl(): void {
    const [html, markdown] = [answers.get("html"), answers.get("markdown")];
    current = undefined;
    if (!html || !markdown) return;
    // An unavailable fact may return any minute, and caches should not miss that for long.
    const isComplete = contains.length === SNAPSHOT_NAMES.length;
    const promised = Math.min(timeLeft(), isComplete ? HOUR_MS : MINUTE_MS);
    const value = cacheControl(promised);
    current = {
      html: withCacheControl(html, value),
      markdown: withCacheControl(markdown, value),
      promisedMs: Math.floor(promised / 1000) * 1000,
    };
  }

  return {
    target: "/",
    invalidate() {
      isOutdated = true;
      if (worksInBackground) timer ??= setTimeout(update, RENDER_DELAY_MS).unref();
    },
    update,
    answer(headers) {
      update();
      if (!current) return undefined;
      const left = timeLeft();
      if (left <= 0) renderNow();
      else if (left < current.promisedMs) renewCacheControl();
      return current && choose(prefersMarkdown(headers.get("accept")) ? current.markdown : current.html, headers);
    },
  };
}
