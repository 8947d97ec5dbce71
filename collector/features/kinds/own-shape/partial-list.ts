// Where a document says that its list is not whole: by a next page, by several pages, or by more entries than are there. Its words are
// read in any spelling: `next_page`, `nextPage`, `@odata.nextLink`.
import { valueAt } from "./pointer.ts";
import type { PlanFields } from "./plan-fields.ts";

/** An object of its own, at the top or beside the list. */
const HOLDER = /^(?:list|page|result)?(?:pagination|paging|pager|pages?|info|meta|metadata|links|next)$/;
const NEXT =
  /^(?:(?:odata)?next(?:page|link|url|uri|href|cursor|token|offset|after)*|has(?:more|next)(?:pages?|items|results)?|after)$/;
const HAS_MORE = /^has(?:more|next)/;
const IS_PART = /^(?:more|(?:is)?truncated|incomplete(?:results)?)$/;
/** Where the next page begins, unless it is a number, which may be where this one does. */
const TOKEN = /^(?:offset|cursor)$/;
const PAGES = /^(?:(?:total|last|max|num)pages?|pages|pages?(?:count|total))$/;
const TOTAL = /^(?:total(?:count|items|results|records|elements|entries)?|count)$/;
/** They may say anything, unless they are beside the size of a part; the last two also in an object of such marks. */
const VAGUE = /^(?:total|count|pages|after)$/;
const SIZE = /^(?:limit|offset|skip|page|size|pagesize|perpage|itemsperpage)$/;
const MAX_DEPTH = 3;

/** The pointer to such a mark; undefined if nothing says that there is more. */
export function markOfMore(document: unknown, plans: PlanFields["plans"]): string | undefined {
  const list = typeof plans === "string" ? valueAt(document, plans) : undefined;
  const count = typeof list === "object" && list !== null ? Object.keys(list).length : Infinity;
  const beside = typeof plans === "string" ? [plans.replace(/\/[^/]*$/, "")] : [];
  return ["", ...beside].flatMap((at) => marksIn(valueAt(document, at), { at, count, word: "", depth: 0 }))[0];
}

/** `word`: the one that the names begin with, such as next in `{ "next": { "href": … } }`. */
function marksIn(
  part: unknown,
  { at, count, word, depth }: Record<"at" | "word", string> & Record<"count" | "depth", number>,
): string[] {
  if (typeof part !== "object" || part === null || depth > MAX_DEPTH) return [];
  // "links": [{ "rel": "next", "href": … }]
  if (Array.isArray(part)) {
    return part.flatMap((link: { rel?: unknown } | null, index) =>
      link?.rel === "next" ? [`${at}/${index}/rel`] : [],
    );
  }
  const members = Object.entries(part).map(([key, value]: [string, unknown]) => {
    return { place: `${at}/${key}`, name: word + key.replace(/[-_.@$]/g, "").toLowerCase(), value };
  });
  // Some name a next page at the end, too.
  const isLast = members.some(({ name, value }) => HAS_MORE.test(name) && value === false);
  const isPart = members.some(({ name, value }) => SIZE.test(name) && value !== "" && Number.isFinite(Number(value)));
  return members.flatMap(({ place, name, value }) => {
    if (VAGUE.test(name) && !isPart && (depth === 0 || name === "total") && typeof value !== "object") return [];
    const most = PAGES.test(name) ? 1 : TOTAL.test(name) ? count : Infinity;
    if (typeof value !== "object" && saysMore(name, value, { most, isLast })) return [place];
    return HOLDER.test(name)
      ? marksIn(value, { at: place, count, word: name === "next" ? name : "", depth: depth + 1 })
      : [];
  });
}

function saysMore(name: string, value: unknown, { most, isLast }: { most: number; isLast: boolean }): boolean {
  if (NEXT.test(name)) return !isLast && isThere(value);
  if (TOKEN.test(name)) return !isLast && Number.isNaN(Number(value));
  return IS_PART.test(name) ? value === true : Number(value) > most;
}

function isThere(value: unknown): boolean {
  return value === true || (typeof value === "string" && value !== "") || (typeof value === "number" && value > 1);
}
