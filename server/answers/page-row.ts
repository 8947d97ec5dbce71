// The page in the table: when it is rendered, and for how long its answers may be cached. It is never older than the
// mirror, or its facts would disagree with the API's; it expires with the first of its facts.
import { SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import type { Answer, ReportBug, RequestHeaders } from "./answer.ts";
import type { Mirror } from "../mirror/mirror.ts";
import { cacheControl } from "./facts.ts";
import { choose, prefersMarkdown } from "./negotiate.ts";
import { PreparedAnswers, withCacheControl, type Prepared } from "./prepared.ts";

/** Both forms of the page, and the snapshots whose facts it contains. */
export interface Page {
  html: Answer;
  markdown: Answer;
  contains: readonly SnapshotName[];
}

export interface PageRowOptions {
  /** Gets errors while the page is rendered, which leave the facts alone. */
  reportBug: ReportBug;
  /** Whether answers are compressed, and the page is rendered before a request asks for it. Not at the edge, where there is no
   * time outside of requests. */
  worksInBackground: boolean;
}

/** The page is rendered without a request so long after a change: one run publishes several. */
const RENDER_DELAY_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export class PageRow {
  readonly #mirror: Mirror;
  readonly #reportBug: ReportBug;
  readonly #worksInBackground: boolean;
  readonly #answers: PreparedAnswers<"html" | "markdown">;
  #render: (() => Page) | undefined;
  #contains: readonly SnapshotName[] = [];
  /** `promisedMs`: the time that Cache-Control promises. */
  #current: { html: Prepared; markdown: Prepared; promisedMs: number } | undefined;
  #isOutdated = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(mirror: Mirror, { reportBug, worksInBackground }: PageRowOptions) {
    this.#mirror = mirror;
    this.#reportBug = reportBug;
    this.#worksInBackground = worksInBackground;
    this.#answers = new PreparedAnswers(worksInBackground ? () => this.#renewCacheControl() : undefined);
  }

  use(render: () => Page): void {
    this.#render = render;
  }

  /** Marks the page as outdated: a request for it, or a timer, renders it again. */
  invalidate(): void {
    if (!this.#render) return;
    this.#isOutdated = true;
    if (this.#worksInBackground) this.#timer ??= setTimeout(() => this.update(), RENDER_DELAY_MS).unref();
  }

  update(): void {
    if (!this.#isOutdated) return;
    this.#isOutdated = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#renderNow();
  }

  /** The answer to GET; undefined if there is no page yet, or a bug prevents it. */
  answer(headers: RequestHeaders): Answer | undefined {
    this.update();
    if (!this.#current) return undefined;
    const timeLeft = this.#timeLeft();
    if (timeLeft <= 0) this.#renderNow();
    else if (timeLeft < this.#current.promisedMs) this.#renewCacheControl();
    if (!this.#current) return undefined;
    const { html, markdown } = this.#current;
    return choose(prefersMarkdown(headers.get("accept")) ? markdown : html, headers);
  }

  #renderNow(): void {
    if (!this.#render) return;
    try {
      const { html, markdown, contains } = this.#render();
      this.#answers.set("html", html);
      this.#answers.set("markdown", markdown);
      this.#contains = contains;
    } catch (bug) {
      this.#answers.clear();
      this.#reportBug(bug);
    }
    this.#renewCacheControl();
  }

  #renewCacheControl(): void {
    const [html, markdown] = [this.#answers.get("html"), this.#answers.get("markdown")];
    if (!html || !markdown) {
      this.#current = undefined;
      return;
    }
    // An unavailable fact may return any minute, and caches should not miss that for long.
    const isComplete = this.#contains.length === SNAPSHOT_NAMES.length;
    const promised = Math.min(this.#timeLeft(), isComplete ? HOUR_MS : MINUTE_MS);
    const value = cacheControl(promised);
    this.#current = {
      html: withCacheControl(html, value),
      markdown: withCacheControl(markdown, value),
      promisedMs: Math.floor(promised / 1000) * 1000,
    };
  }

  /** It is the time in ms until the first fact of the page expires; Infinity if there is none. */
  #timeLeft(): number {
    return Math.min(...this.#contains.map((name) => this.#mirror.timeLeft(name)));
  }
}
