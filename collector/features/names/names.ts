// What plans are called: the settings' words, and those of an upstream for what the settings leave out.
import * as z from "zod";
import { firstLines, plainLine, publicUrl } from "../../../snapshots/rules.ts";
import { PlanName, PlanNames, PlansResponse } from "../../../snapshots/schema.ts";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";
import type { SourceWrap } from "../../hooks.ts";
import type { Source } from "../../source.ts";

const { title, line, buy } = PlanName.shape;

/** Snapshots are read up to 4 MiB, of which plans are one at most. */
const MAX_BYTES = 256 * 1024;
const MAX_LISTED = 5;
/** An upstream's words are cut at this, in UTF-16 units. */
const MAX_WORDS = 120;

const stated = (text: typeof title) =>
  text.refine((text) => text === undefined || text.trim() !== "", "must not be blank, or leave it out");

const Names = z
  .record(
    PlanNames.keyType,
    z
      .strictObject({
        title: stated(title),
        line: stated(line),
        buy: z.string().transform(publicUrl).pipe(buy.unwrap()).optional().describe("Where the plan is bought"),
      })
      .refine((name) => Object.keys(name).length > 0, "must have a title, a line or buy"),
  )
  .refine((names) => Buffer.byteLength(JSON.stringify(names)) <= MAX_BYTES, "must be at most 256 KiB of JSON");

export const namesSettings = {
  names: Names.default({}).describe(
    'What plans are called: `{ "pro": { "title": "Pro", "line": "For teams", "buy": "https://…" } }`',
  ),
};

/** For the source of the plans. */
export function withPlanNames(
  { names: setting = {} }: { names?: PlanNames },
  filled: readonly SnapshotName[],
): SourceWrap | undefined {
  return filled.includes("plans") ? { setting, wrap: (source) => withNames(source, setting) } : undefined;
}

export interface Words {
  name?: string | null | undefined;
  description?: string | null | undefined;
}

/** Makes one line of each, without what cannot be published. */
export function nameOf({ name, description }: Words = {}): PlanName {
  const [title, line] = [name, description].map((text) => {
    const start = plainLine((text ?? "").replace(/\s+/g, " "), MAX_WORDS).trim();
    return start.endsWith(" …") ? start.replace(/[\s,;:.]*\S* …$/, " …") : start;
  });
  return { ...(title && { title }), ...(line && { line }) };
}

/** Adds the names of the plans to a source, and reminders of names that are for none. */
export function withNames(source: Source, settings: PlanNames): Source {
  return {
    ...source,
    translate(upstream, name) {
      const candidate = source.translate(upstream, name);
      const { data } = PlansResponse.safeParse(candidate.payload);
      return data ? { ...candidate, names: namesOf(data, settings, candidate.names) } : candidate;
    },
    remindersOf(payload) {
      const ids = "plans" in payload ? payload.plans.map(({ id }) => id) : [];
      const published =
        ids.length === 0 ? "no plans are published" : `the plans are ${firstLines(ids, MAX_LISTED).join(", ")}`;
      const unknown = Object.keys(settings).filter((id) => !ids.includes(id));
      return unknown.slice(0, MAX_LISTED).map((id) => `names: there is no plan "${id}" (${published})`);
    },
  };
}

function namesOf({ plans }: PlansResponse, settings: PlanNames, found: PlanNames = {}): PlanNames | undefined {
  const distinct = withoutTwins(found);
  const names = plans.flatMap(({ id }) => {
    // What every object inherits, such as `constructor`, adds nothing.
    const name = { ...distinct[id], ...settings[id] };
    return Object.keys(name).length === 0 ? [] : [[id, name] as const];
  });
  return names.length === 0 ? undefined : Object.fromEntries(names);
}

/** Leaves out what several plans have: of plans that are variants of one product, its name and description say nothing. */
function withoutTwins(found: PlanNames): PlanNames {
  const all = Object.values(found);
  const alone = (key: "title" | "line", text: string | undefined) =>
    text !== undefined && all.filter((name) => name[key] === text).length === 1 && { [key]: text };
  return Object.fromEntries(
    Object.entries(found).map(([id, { title, line }]) => [id, { ...alone("title", title), ...alone("line", line) }]),
  );
}
