// The documents that are made from the settings' schema, so that they cannot lie: vitrine.schema.json and the table in
// README.md. `npm run generate` writes them, and a test compares.
import type { z } from "zod";
import { OVERRIDES, settingsJsonSchema } from "./settings.ts";

const START = "<!-- settings: npm run generate -->";
const END = "<!-- /settings -->";

type Schema = z.core.JSONSchema.BaseSchema;

/** The text of vitrine.schema.json. */
export function schemaFile(): string {
  return `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`;
}

/** The README with its table of settings as it should be. @throws Error when the README has no place for it. */
export function withSettingsTable(readme: string): string {
  const start = readme.indexOf(START);
  const end = readme.indexOf(END);
  if (start === -1 || end === -1) throw new Error(`README.md lacks ${START} … ${END}`);
  return `${readme.slice(0, start + START.length)}\n\n${settingsTable()}\n\n${readme.slice(end)}`;
}

function settingsTable(): string {
  const head = ["setting", "what", "default", "also"];
  const rows = [...settingRows("", settingsJsonSchema()), ...sourceRows()];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [head, widths.map((width) => "-".repeat(width)), ...rows].map(line).join("\n");
}

function settingRows(above: string, schema: Schema): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const setting = node(property);
    const path = `${above}${name}`;
    if (name === "$schema") return [];
    return setting.properties ? settingRows(`${path}.`, setting) : [rowOf(path, setting)];
  });
}

function sourceRows(): string[][] {
  const kinds = node(settingsJsonSchema().$defs?.source).oneOf ?? [];
  return kinds.flatMap((kind) => {
    const { from, ...settings } = node(kind).properties ?? {};
    return Object.entries(settings).map(([name, setting]) =>
      rowOf(`${String(node(from).const)}: ${name}`, node(setting)),
    );
  });
}

function rowOf(path: string, { description = "", default: fallback }: Schema): string[] {
  const override = OVERRIDES.find((candidate) => candidate.path === path);
  return [
    `\`${path}\``,
    description,
    fallback === undefined ? "" : `\`${typeof fallback === "string" ? fallback : JSON.stringify(fallback)}\``,
    override ? `\`--${override.flag}\`, \`${override.variable}\`` : "",
  ];
}

/** JSON Schema allows `true` and `false` for a schema; they say nothing of a setting. */
function node(schema: Schema | boolean | undefined): Schema {
  return typeof schema === "object" ? schema : {};
}
