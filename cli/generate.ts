// `npm run generate`: writes the documents that are made from the settings' schema.
import { readFileSync, writeFileSync } from "node:fs";
import { schemaFile, withSettingsTable } from "./documents.ts";

const readme = new URL("../README.md", import.meta.url);
writeFileSync(new URL("../vitrine.schema.json", import.meta.url), schemaFile());
writeFileSync(readme, withSettingsTable(readFileSync(readme, "utf8")));
