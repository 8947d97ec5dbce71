// The documents generated from the schema of the settings: vitrine.schema.json and the tables in docs/settings.md, SOURCES.md and
// docs/sources. `npm run generate` writes them; a test fails if they are out of date.
import type { JsonSchema } from "../../snapshots/schema.ts";
import { VERSION } from "../package-files.ts";
import { HOLD_REASONS } from "../../snapshots/records.ts";
import { OVERRIDES } from "../settings/problems.ts";
import { settingsJsonSchema, subschema } from "../settings/schema.ts";

/** The text of vitrine.schema.json; by its comment, `check` knows an old copy. */
export function schemaFile(): string {
  const forEditors = { $comment: `Vitrine ${VERSION}`, allowComments: true, allowTrailingCommas: true };
  return `${JSON.stringify({ ...forEditors, ...settingsJsonSchema() }, null, 2)}\n`;
}

/** The document with up-to-date tables of settings and of the guard's. @throws Error if it lacks the markers. */
export function withSettings(document: string): string {
  const schema = settingsJsonSchema();
  const guard = subschema(subschema(schema.properties?.guard).anyOf?.find((one) => subschema(one).properties));
  const reasons = Object.entries(HOLD_REASONS).map(([reason, words]) => `- \`${reason}\`: ${words}`);
  const ofGuard = `${table(settingRows("guard.", guard))}\n\nReasons for \`off\`:\n\n${reasons.join("\n")}`;
  return filled(filled(document, "settings", table(settingRows("", schema))), "guard", ofGuard);
}

/** How many kinds of source must share a setting for it to be described once, in the common table. */
const COMMON = 3;

/** SOURCES.md and the page of each kind with up-to-date tables, by path: the settings that several kinds share stand in SOURCES.md.
 * `read`: the present text of a file, "" if there is none, as for a new kind, which gets a page to fill. */
export function withSources(read: (path: string) => string): Record<string, string> {
  const kinds = sourceKinds();
  const rows = kinds.flatMap(({ settings }) => settings);
  const isCommon = (row: string[]) => rows.filter((other) => other.join() === row.join()).length >= COMMON;
  const common = [...new Map(rows.filter(isCommon).map((row) => [row.join(), row])).values()];
  const pages = kinds.map(({ kind, description, settings }) => {
    const path = `docs/sources/${kind}.md`;
    const empty = `# \`${kind}\`\n\n${description}.\n\n## Settings\n\n${markers(kind).join("\n\n")}\n`;
    const shared = settings.filter(isCommon).map(([name]) => name);
    const others = shared.length > 0 ? [`[Common](../../SOURCES.md#common-settings): ${shared.join(", ")}.`] : [];
    const own = settings.filter((row) => !isCommon(row));
    const contents = [...(own.length > 0 ? [table(own)] : []), ...others].join("\n\n") || "It has no settings.";
    return [path, filled(read(path) || empty, kind, contents)];
  });
  return { "SOURCES.md": filled(read("SOURCES.md"), "common", table(common)), ...Object.fromEntries(pages) };
}

function sourceKinds() {
  return (subschema(settingsJsonSchema().$defs?.source).oneOf ?? []).map((kind) => {
    const { description, properties } = subschema(kind);
    const { from, ...settings } = properties ?? {};
    return {
      kind: String(subschema(from).const),
      description,
      settings: Object.entries(settings).map(([name, setting]) => rowOf(name, subschema(setting)).slice(0, 3)),
    };
  });
}

function markers(name: string): [start: string, end: string] {
  return [`<!-- ${name}: npm run generate -->`, `<!-- /${name} -->`];
}

/** @throws Error if the document lacks the markers. */
function filled(document: string, name: string, text: string): string {
  const [start, end] = markers(name);
  if (!document.includes(start) || !document.includes(end)) throw new Error(`the document lacks ${start} … ${end}`);
  const [before = "", rest = ""] = document.split(start);
  return `${before}${start}\n\n${text}\n\n${rest.slice(rest.indexOf(end))}`;
}

function table(rows: readonly string[][]): string {
  const head = ["setting", "description", "default", "override"].slice(0, rows[0]?.length);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [head, widths.map((width) => "-".repeat(width)), ...rows].map(line).join("\n");
}

function settingRows(above: string, schema: JsonSchema): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const setting = subschema(property);
    const path = `${above}${name}`;
    if (name === "$schema") return [];
    return setting.properties ? settingRows(`${path}.`, setting) : [rowOf(path, setting)];
  });
}

function rowOf(path: string, { description = "", default: fallback }: JsonSchema): string[] {
  const override = OVERRIDES.find((candidate) => candidate.path === path);
  return [
    `\`${path}\``,
    description,
    fallback === undefined ? "" : `\`${typeof fallback === "string" ? fallback : JSON.stringify(fallback)}\``,
    override ? `\`--${override.flag}\`, \`${override.variable}\`` : "",
  ];
}
