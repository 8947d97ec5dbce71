// `npm run generate`: writes what follows from the schema of the settings, from the address of the repository and from the programs
// for browsers. A test compares.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { widgets } from "./bundle.ts";
import { ofTemplate, registryEntry, withAddresses, withLinks, type Manifest } from "./repository.ts";
import { schemaFile, withSettings, withSources } from "./settings-docs.ts";

const TEMPLATE = ["examples/template/README.md", "examples/template/.github/workflows/facts.yml"];
const ROOT = new URL("../../", import.meta.url);

/** The text of each generated file, by its path. `read`: the present text of a file, "" if there is none. @throws Error if one lacks
 * its markers. */
export function generated(read: (path: string) => string): Record<string, string> {
  const manifest = JSON.parse(read("package.json")) as Manifest;
  return {
    "package.json": withAddresses(read("package.json")),
    "server.json": registryEntry(manifest),
    ...(read("server/features/widgets/embed.ts") && { "server/features/widgets/built.ts": widgets() }),
    "vitrine.schema.json": schemaFile(),
    "docs/settings.md": withSettings(read("docs/settings.md")),
    ...withSources(read),
    "README.md": withLinks(read("README.md"), manifest),
    ...Object.fromEntries(TEMPLATE.map((path) => [path, ofTemplate(read(path), manifest)])),
  };
}

if (import.meta.filename === process.argv[1]) {
  const files = generated((path) => {
    const file = new URL(path, ROOT);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  });
  for (const [path, text] of Object.entries(files)) writeFileSync(new URL(path, ROOT), text);
}
