// The documents generated from the schema of the settings: vitrine.schema.json and the tables in README.md and
// SOURCES.md. `npm run generate` writes them; a test fails if they are out of date.
import type { JsonSchema } from "../../server/documents/openapi-schemas.ts";
import { OVERRIDES, settingsJsonSchema, subschema } from "../settings/schema.ts";

const START = "<!-- settings: npm run generate -->";
const END = "<!-- /settings -->";

/** The text of vitrine.schema.json. */
export function schemaFile(): string {
  return `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`;
}

/** The README with an up-to-date table of settings. @throws Error if it lacks the markers. */
export function withSettings(readme: string): string {
  return filled(readme, table(settingRows("", settingsJsonSchema())));
}

/** SOURCES.md with an up-to-date table for each kind of source. @throws Error if it lacks the markers. */
export function withSources(document: string): string {
  const kinds = subschema(settingsJsonSchema().$defs?.source).oneOf ?? [];
  const sections = kinds.map(subschema).map(({ description, properties }) => {
    const { from, ...settings } = properties ?? {};
    const rows = Object.entries(settings).map(([name, setting]) => rowOf(name, subschema(setting)));
    return `## \`${String(subschema(from).const)}\`\n\n${description}.\n\n${table(rows.map((row) => row.slice(0, 3)))}`;
  });
  return filled(document, sections.join("\n\n"));
}

function filled(document: string, text: string): string {
  const start = document.indexOf(START);
  const end = document.indexOf(END);
  if (start === -1 || end === -1) throw new Error(`the document lacks ${START} … ${END}`);
  return `${document.slice(0, start + START.length)}\n\n${text}\n\n${document.slice(end)}`;
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
