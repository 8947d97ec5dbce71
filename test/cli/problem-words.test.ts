// Every wrong value in every setting is refused, and every mismatch with an upstream's shape, in the words of this program: no sentence, type
// or pattern of the schema library.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { configure } from "../../cli/settings/configure.ts";
import { settingsJsonSchema, subschema } from "../../cli/settings/schema.ts";
import { SOURCE_KINDS } from "../support/collecting/kinds.ts";
import { SettingsProblems } from "../../collector/settings-problems.ts";
import { checkShape } from "../../collector/features/kinds/shape.ts";
import type { JsonSchema } from "../../snapshots/schema.ts";
import { temporaryDirectory } from "../support/directory.ts";

const FOREIGN =
  /\b(invalid|expected|received|unrecognized|discriminator|pattern|regex|nan|record|too (small|big))\b|\/\^|\\d|\[A-Za|undefined|zod/i;
const WRONG = [null, true, -1, 1.5, "", "é ".repeat(3_000), [null], [{}], { "é b": 1 }, { k: { k: 1 } }];
const FILE = { from: "file", path: "facts.json" };

function propertiesOf(schema: JsonSchema): string[] {
  const all = [schema, ...(schema.anyOf ?? []).map(subschema)];
  return all.flatMap(({ properties }) => Object.keys(properties ?? {}));
}

/** An object with a wrong value for every property of a schema, and one whose nested objects have wrong values. */
function wrongObjects(schema: JsonSchema, value: unknown): Record<string, unknown>[] {
  const names = propertiesOf(schema).filter((name) => name !== "from");
  const nested = names.map((name) => {
    const property = subschema(schema.properties?.[name]);
    const item = subschema(property.items as JsonSchema | undefined);
    const inner = propertiesOf(property);
    const ofItem = propertiesOf(item);
    const wrong = Object.fromEntries((inner.length > 0 ? inner : ofItem).map((key) => [key, value]));
    return [name, ofItem.length > 0 ? [wrong] : inner.length > 0 ? wrong : value];
  });
  return [Object.fromEntries(names.map((name) => [name, value])), Object.fromEntries(nested)];
}

/** Settings files with wrong values in every place that holds one. */
function wrongSettings(value: unknown): object[] {
  const schema = settingsJsonSchema();
  const kinds = (subschema(schema.$defs?.source).oneOf ?? []).map(subschema);
  const sources = kinds.flatMap((kind) =>
    wrongObjects(kind, value).map((source) => ({ ...source, from: subschema(kind.properties?.from).const })),
  );
  expect([...new Set(sources.map(({ from }) => from))]).toEqual(SOURCE_KINDS);
  const [flat, nested] = wrongObjects(schema, value);
  const files: object[] = [{ ...flat }, { ...nested, plans: FILE, releases: FILE }];
  for (let at = 0; at < sources.length; at += 3) {
    const [plans, macos = value, windows = value] = sources.slice(at);
    files.push({ plans, releases: { macos, windows } });
  }
  return files;
}

describe("the words of a problem (cli/settings/problems.ts)", () => {
  test.for(WRONG.map((value) => [JSON.stringify(value).slice(0, 20), value] as const))(
    "a setting that is %s",
    async ([, value]) => {
      const directory = await temporaryDirectory();
      const path = join(directory, "vitrine.config.json");
      const problems: string[] = [];
      for (const settings of wrongSettings(value)) {
        await writeFile(path, JSON.stringify(settings));
        try {
          configure({ flags: {}, environment: {}, directory });
        } catch (error) {
          if (!(error instanceof SettingsProblems)) throw error;
          problems.push(...error.problems);
        }
      }
      expect(problems.length).toBeGreaterThan(100);
      expect(problems.map((line) => line.replace(/ \(got .*?\)/, "")).filter((line) => FOREIGN.test(line))).toEqual([]);
    },
  );
});

test("every kind of mismatch with an upstream's shape", () => {
  const shapes: [schema: z.ZodType, value: unknown, message: string][] = [
    [z.string(), 7, "must be of type string, not number"],
    [z.string(), undefined, "must be of type string (it is missing)"],
    [z.int(), 1.5, "must be a whole number"],
    [z.int(), "1", "must be of type number, not string"],
    [z.record(z.string(), z.string()), [], "must be of type object, not array"],
    [z.enum(["a", "b"]), "c", 'must be "a" or "b"'],
    [z.number().min(1), 0, "must be at least 1"],
    [z.number().multipleOf(5), 3, "must be a multiple of 5"],
    [z.string().min(1), "", "must not be empty"],
    [z.array(z.string()).max(2), ["a", "b", "c"], "must have at most 2 entries"],
    [z.string().regex(/^a$/), "b", "does not have its form"],
    [z.iso.datetime(), "soon", "does not have its form"],
    [z.strictObject({}), { secret: 1 }, "has an unlisted field"],
    [z.record(z.string().max(1), z.int()), { ab: 1 }, "has a key that must be at most 1 characters"],
    [
      z.union([z.string(), z.array(z.string())]),
      1,
      "must be of type string, not number, or must be of type array, not number",
    ],
    [z.union([z.string(), z.array(z.string())]), [1], "does not have its form"],
    [
      z.discriminatedUnion("a", [z.object({ a: z.literal(true) }), z.object({ a: z.literal(false) })]),
      {},
      "must be true or false",
    ],
    [z.string().refine(() => false), "", "does not have its form"],
  ];
  for (const [schema, value, message] of shapes) {
    const reason = reasonOf(() => checkShape(schema, value, "a test"));
    expect(reason.replace(/: (the answer|a|\*|ab|\[0\]): /, ": ")).toBe(`not a test: ${message}`);
  }
});

function reasonOf(attempt: () => unknown): string {
  try {
    attempt();
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
}
