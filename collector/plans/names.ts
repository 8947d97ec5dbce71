// What plans are called: the settings' words, and those of an upstream for what the settings leave out.
import * as z from "zod";
import { firstLines, plainLine, publicUrl } from "../../snapshots/rules.ts";
import { PlanName, PlanNames, PlansResponse } from "../../snapshots/schema.ts";
import { htmlText } from "../parsing/html.ts";
import type { Candidate, Source } from "../source.ts";

const { title, line, buy } = PlanName.shape;

/** The setting `names`. */
export const planNames = z
  .record(
    PlanNames.keyType,
    z.strictObject({
      title,
      line,
      buy: z.string().transform(publicUrl).pipe(buy.unwrap()).optional().describe("Where the plan is bought"),
    }),
  )
  .refine((names) => Object.keys(names).length <= 1_000, "must have at most 1000 entries");

const MAX_LISTED = 5;
/** In UTF-16 units. */
const MAX_WORDS = 200;

/** What an upstream calls a product: text or HTML. */
export interface Words {
  name?: string | null | undefined;
  description?: string | null | undefined;
}

/** What a plan of the product is called: each on one line, without what cannot be published. */
export function nameOf({ name, description }: Words = {}): PlanName {
  const [title, line] = [name, description].map((text) =>
    plainLine(htmlText(text ?? "").replace(/\s+/g, " "), MAX_WORDS).trim(),
  );
  return { ...(title && { title }), ...(line && { line }) };
}

/** The same source with the names of its plans. */
export function withNames(source: Source, settings: PlanNames): Source {
  return {
    ...source,
    translate(upstream, name) {
      const candidate = source.translate(upstream, name);
      const { data } = PlansResponse.safeParse(candidate.payload);
      return data ? { ...candidate, ...named(data, settings, candidate.names) } : candidate;
    },
  };
}

function named({ plans }: PlansResponse, settings: PlanNames, found: PlanNames = {}): Partial<Candidate> {
  const distinct = withoutTwins(found);
  const names = plans.flatMap(({ id }) => {
    const name = { ...own(distinct, id), ...own(settings, id) };
    return Object.keys(name).length === 0 ? [] : [[id, name] as const];
  });
  const ids = plans.map(({ id }) => id);
  const published =
    ids.length === 0 ? "no plans are published" : `the plans are ${firstLines(ids, MAX_LISTED).join(", ")}`;
  const unknown = Object.keys(settings).filter((id) => !ids.includes(id));
  return {
    names: names.length === 0 ? undefined : Object.fromEntries(names),
    reminders: unknown.map((id) => `names: there is no plan "${id}" (${published})`).slice(0, MAX_LISTED),
  };
}

/** Without the titles that several plans have: of plans that are variants of one product, its name says nothing. */
function withoutTwins(found: PlanNames): PlanNames {
  const titles = Object.values(found).map(({ title }) => title);
  return Object.fromEntries(
    Object.entries(found).map(([id, { title, ...rest }]) => {
      const isTwin = title === undefined || titles.indexOf(title) !== titles.lastIndexOf(title);
      return [id, isTwin ? rest : { title, ...rest }];
    }),
  );
}

/** Undefined for a key such as `constructor`, too. */
function own(names: PlanNames, id: string): PlanName | undefined {
  return Object.hasOwn(names, id) ? names[id] : undefined;
}
