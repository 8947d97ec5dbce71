// `npm run generate`: writes the documents generated from the schema of the settings.
import { readFileSync, writeFileSync } from "node:fs";
import { schemaFile, withSettings, withSources } from "./settings-docs.ts";

writeFileSync(new URL("../../vitrine.schema.json", import.meta.url), schemaFile());
for (const [name, fill] of [
  ["docs/settings.md", withSettings],
  ["SOURCES.md", withSources],
] as const) {
  const path = new URL(`../../${name}`, import.meta.url);
  writeFileSync(path, fill(readFileSync(path, "utf8")));
}
