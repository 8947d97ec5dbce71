// What plans are called: the words of the setting `names`, and those of an upstream for what the settings leave out. They stand
// beside the plans in their snapshot. Without this feature, the upstream's words are published as they are.
import * as z from "zod";
import { firstLines, publicUrl } from "../../../snapshots/rules.ts";
import { PlanName, PlanNames, type PlansResponse } from "../../../snapshots/schema.ts";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";
import type { SourceWrap } from "../../hooks.ts";
import type { Describe, Source } from "../../source.ts";

const { title, line, buy } = PlanName.shape;

/** Snapshots are read up to 4 MiB, of which plans are one at most. */
const MAX_BYTES = 256 * 1024;
const MAX_LISTED = 5;

const stated = (text: typeof title) =>
  text.refine((text) => text === undefined || text.trim() !== "", "must not be blank, or leave it out");

const Names = z
  .record(
    PlanNames.keyType,
    z
      .strictObject(
        {
          title: stated(title),
          line: stated(line),
          buy: z
            .string()
            .transform(publicUrl)
            .pipe(buy.unwrap())
            .optional()
            .describe('Where the plan is bought, in all its cycles: `"https://acme.com/buy"`'),
        },
        'must be an object such as { "title": "Pro" }',
      )
      .refine((name) => Object.keys(name).length > 0, "must have a title, a line or buy"),
  )
  .refine((names) => Buffer.byteLength(JSON.stringify(names)) <= MAX_BYTES, "must be at most 256 KiB of JSON");

export const namesSettings = {
  names: Names.default({}).describe(
    'What plans are called: `{ "pro": { "title": "Pro", "line": "For teams", "buy": "https://…" } }`',
  ),
};

export function withPlanNames(
  { names: setting = {} }: { names?: PlanNames },
  filled: readonly SnapshotName[],
): SourceWrap | undefined {
  return filled.includes("plans") ? { setting, wrap: (source) => withNames(source, setting) } : undefined;
}

/** Adds the names of the plans to a source, and reminders of names that are for none. */
export function withNames(source: Source, settings: PlanNames): Source {
  const addNames: Describe = ({ fact: { payload }, names }) =>
    "plans" in payload ? { names: namesOf(payload, settings, names) } : {};
  return {
    ...source,
    describers: [...(source.describers ?? []), addNames],
    remindersOf(payload) {
      if (!("plans" in payload)) return [];
      const ids = payload.plans.map(({ id }) => id);
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
    Object.entries(found).map(([id, { title, line, computed }]) => {
      return [id, { ...alone("title", title), ...alone("line", line), ...(computed && { computed }) }];
    }),
  );
}
