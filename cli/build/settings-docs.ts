// The documents generated from the schema of the settings: vitrine.schema.json and the tables in README.md and
// SOURCES.md. `npm run generate` writes them; a test fails if they are out of date.
import type { JsonSchema } from "../../server/documents/openapi-schemas.ts";
import { OVERRIDES, settingsJsonSchema, subschema } from "../settings/schema.ts";

/** The text of vitrine.schema.json. */
export function schemaFile(): string {
  return `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`;
}

/** The README with an up-to-date table of settings. @throws Error if it lacks the markers. */
export function withSettings(readme: string): string {
  const [start, end] = markers("settings");
  if (!readme.includes(start) || !readme.includes(end)) throw new Error(`the document lacks ${start} … ${end}`);
  return filled(readme, "settings", table(settingRows("", settingsJsonSchema())));
}

/** SOURCES.md with an up-to-date table for each kind of source. A new kind gets a section at the end. */
export function withSources(document: string): string {
  const kinds = subschema(settingsJsonSchema().$defs?.source).oneOf ?? [];
  return kinds.map(subschema).reduce((text, { description, properties }) => {
    const { from, ...settings } = properties ?? {};
    const kind = String(subschema(from).const);
    const section = `\n## \`${kind}\`\n\n${description}.\n\n${markers(kind).join("\n\n")}\n`;
    const rows = Object.entries(settings).map(([name, setting]) => rowOf(name, subschema(setting)).slice(0, 3));
    const contents = rows.length > 0 ? table(rows) : "It has no settings.";
    return filled(text.includes(markers(kind)[0]) ? text : text + section, kind, contents);
  }, document);
}

function markers(name: string): [start: string, end: string] {
  return [`<!-- ${name}: npm run generate -->`, `<!-- /${name} -->`];
}

function filled(document: string, name: string, text: string): string {
  const [start, end] = markers(name);
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
