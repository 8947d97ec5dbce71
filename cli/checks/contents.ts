// Problems with the texts and the pictures of the API, which every command that serves them finds in the same words; and with the
// schema beside the settings, which only editors read.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compareVersions } from "../../collector/releases/version.ts";
import { parseUrl } from "../../snapshots/rules.ts";
import type { ApiSettings } from "../../server/api-settings.ts";
import { readLogo, readPicture, readTexts } from "../../server/api-files.ts";
import { problemsOf } from "../output/terminal.ts";
import { SCHEMA, VERSION } from "../package-files.ts";
import type { Configuration } from "../settings/configure.ts";

export function contentProblems(api: ApiSettings): string[] {
  return [
    ...problemsOf(() => readTexts(api)),
    ...problemsOf(() => readLogo(api.logo)),
    ...problemsOf(() => readPicture(api.picture)),
  ];
}

/** A warning if the copy of the schema that `init` has written is older than the program. */
export function schemaWarnings({ given: { $schema: name }, directory }: Configuration): string[] {
  if (typeof name !== "string" || parseUrl(name)) return [];
  const path = resolve(directory, name);
  const text = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  const version = /"\$comment": "Vitrine (\S+)"/.exec(text ?? "")?.[1] ?? "0";
  if (compareVersions(version, VERSION) >= 0) return [];
  const problem = text === undefined ? "does not exist" : "is older than the program";
  return [`$schema: ${name} ${problem}: your editor needs a copy of ${fileURLToPath(SCHEMA)}`];
}
