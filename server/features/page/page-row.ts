// Pages in the table: when one is rendered, and for how long its answers may be cached. A page is never older than the
// mirror, or its facts would disagree with the API's; it expires with the first of its facts.
import { SNAPSHOT_NAMES, type SnapshotName } from "../../../snapshots/snapshot.ts";
import type { Row, Site } from "../../answers/addition.ts";
import type { Answer, RequestHeaders } from "../../answers/answer.ts";
import { cacheControl } from "../../answers/facts.ts";
import { choose } from "../../answers/negotiate.ts";
import { PreparedAnswers, withCacheControl, type Prepared } from "../../answers/prepared.ts";

/** A page in its forms, and the snapshots whose facts it contains. */
export interface RenderedPage<Form extends string> {
  forms: Readonly<Record<Form, Answer>>;
  contains: readonly SnapshotName[];
}

interface Page<Form extends string> {
  render: () => RenderedPage<Form>;
  /** The form that a request gets, by target. */
  targets: Readonly<Record<string, (headers: RequestHeaders) => Form>>;
  /** The snapshots that it contains while they are fresh; by default all. */
  names?: readonly SnapshotName[];
  /** How long caches may keep a complete one during errors, in ms; by default until its first fact ends. */
  keptMs?: number;
  /** The answer while none of its facts is fresh; by default the page itself, which says so. */
  unavailable?: Answer;
}

/** A page is rendered without a request so long after a change: one run publishes several. */
const RENDER_DELAY_MS = 1_000;
const MINUTE_MS = 60_000;

/** A row for each target; all share one page. `reportBug` gets errors while it is rendered, which leave the facts alone. */
export function pageRows<Form extends string>(
  { render, targets, names = SNAPSHOT_NAMES, keptMs = Infinity, unavailable }: Page<Form>,
  { mirror, reportBug, worksInBackground }: Pick<Site, "mirror" | "reportBug" | "worksInBackground">,
): Row[] {
  const answers = new PreparedAnswers<string>(worksInBackground ? renewCacheControl : undefined);
  let contains: readonly SnapshotName[] = [];
  // With a Cache-Control that promises `promisedMs`; none after a bug.
  let forms: ReadonlyMap<string, Prepared> = new Map();
  let promisedMs = 0;
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
      for (const [form, answer] of Object.entries<Answer>(page.forms)) answers.set(form, answer);
      contains = page.contains;
    } catch (bug) {
      answers.clear();
      reportBug(bug);
    }
    renewCacheControl();
  }

  function renewCacheControl(): void {
    // An unavailable fact may return any minute, and caches should not miss that for long.
    const promised = Math.min(timeLeft(), contains.length === names.length ? keptMs : MINUTE_MS);
    const value = cacheControl(promised);
    const prepared = Array.from(answers.keys(), (form) => [form, answers.get(form)] as const);
    forms = new Map(prepared.flatMap(([form, answer]) => (answer ? [[form, withCacheControl(answer, value)]] : [])));
    promisedMs = Math.floor(promised / 1000) * 1000;
  }

  return Object.entries(targets).map(([target, formFor]) => ({
    target,
    invalidate() {
      isOutdated = true;
      if (worksInBackground) timer ??= setTimeout(update, RENDER_DELAY_MS).unref();
    },
    update,
    answer(headers) {
      update();
      if (forms.size === 0) return undefined;
      const left = timeLeft();
      if (left <= 0) renderNow();
      else if (left < promisedMs) renewCacheControl();
      if (unavailable && contains.length === 0) return unavailable;
      const form = forms.get(formFor(headers));
      return form && choose(form, headers);
    },
  }));
}
