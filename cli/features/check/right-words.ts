// The right words for settings as other tools have them, and as people write them first. Each remedy is the end of a problem's line,
// and quotes no value but the kind of a source.
import { SourceSettings } from "../../../collector/sources/sources.ts";
import type { JsonSchema } from "../../../snapshots/schema.ts";

/** What to write instead of the words, which are in lower case without hyphens and underscores. */
type Table = Readonly<Record<string, string>>;

const OF_NAMES: Table = { '"title"': "name label", '"line"': "description", '"buy"': "url link" };
const KINDS: Table = { json: "http https rest api url", command: "csv yaml sql script", sparkle: "appcast" };
const OF_SOURCES: Table = {
  '{ "from": "github", "repo": "OWNER/REPO" }': "owner repository",
  '{ "from": "electron-builder", "url": "https://…/latest-mac.yml" }': "provider",
  '{ "from": "tauri", "url": "https://…" }': "endpoints pubkey",
  '{ "from": "sparkle", "url": "https://…/appcast.xml" }': "sufeedurl",
  '{ "from": "command", "command": ["node", "facts.mjs"] }': "args method body",
  'the facts into a file, and { "from": "file", "path": "facts.json" }': "version currency",
  '"key", "token" or "headers", with "$NAME"': "apikey secretkey auth",
  '"from"': "type kind source",
  '"macos"': "mac osx darwin",
  '"windows"': "win win32",
  '"macos" and "windows" only': "linux",
};
const OF_ALL: Table = {
  '"schedule": "*/15 * * * *"': "cron interval",
  '"staleAfter": "24h"': "ttl maxage cache",
  '"notify": "$NOTIFY_URL"': "webhook slack alerts",
  '"plans" and "releases" without it': "sources",
  '"plans"': "pricing prices",
  '"releases", with a source of SOURCES.md': "downloads publish publishers updater plugins",
  '"api": { "name": "Acme Notes" }': "title",
  '"api": { "baseUrl": "https://…" }': "url",
  '"api": { "color": "#0f6e60" }': "theme colors",
  'it into a source, beside its "from"': "token headers",
};

/** As in problems.ts. */
interface Wrong {
  path: readonly string[];
  value: unknown;
  holder: unknown;
  code: string;
}
/** Of did-you-mean.ts. */
type Nearest = (typed: string, words: readonly string[]) => string | undefined;

/** The end of the line about a wrong setting; empty if no remedy is known. `schema`: of all settings. */
export function rightWords(wrong: Wrong, schema: () => JsonSchema, nearest: Nearest): string {
  const { path, code } = wrong;
  if (code === "unrecognized_keys") return wordFor(wrong, schema(), nearest);
  if (code === "invalid_union" && path.at(-1) === "from") return kindFor(wrong, nearest);
  const isSource = /^(?:plans|releases|releases\.macos|releases\.windows)$/.test(path.join("."));
  return code === "invalid_type" && isSource
    ? ', a source such as { "from": "file", "path": "facts.json" }, or "none"'
    : "";
}

function found(table: Table, typed: readonly string[]): { word: string; remedy: string } | undefined {
  for (const [remedy, words] of Object.entries(table)) {
    const word = typed.find((one) => words.split(" ").includes(one.toLowerCase().replaceAll(/[-_]/g, "")));
    if (word !== undefined) return { word, remedy };
  }
  return undefined;
}

function kindFor({ value, holder }: Wrong, nearest: Nearest): string {
  const kinds = SourceSettings.options.map(({ shape }) => shape.from.value);
  const kind = typeof value === "string" ? nearest(found(KINDS, [value])?.remedy ?? value, kinds) : undefined;
  if (kind !== undefined) return `; did you mean "${kind}"?`;
  const wrong = value === undefined ? found(OF_SOURCES, Object.keys(Object(holder))) : undefined;
  return wrong ? `; instead of "${wrong.word}", write ${wrong.remedy}` : `: ${kinds.join(", ")}`;
}

const MAX_LISTED = 20;

/** The right word, the nearest setting with its place, or all that the place has. */
function wordFor({ path: [top = "", ...rest], holder }: Wrong, schema: JsonSchema, nearest: Nearest): string {
  const name = rest.at(-1) ?? top;
  const isInSource = ["plans", "releases", "crossChecks"].includes(top) && rest.length > 0;
  const word = found(top === "names" ? OF_NAMES : isInSource ? OF_SOURCES : OF_ALL, [name]);
  if (word) return `; write ${word.remedy}`;
  const { $defs, ...settings } = schema;
  const kind = SourceSettings.options.find(({ shape }) => shape.from.value === Object(holder).from);
  const { from: _, ...shape } = kind?.shape ?? {};
  const paths = !isInSource ? pathsIn(settings) : kind ? Object.keys(shape) : pathsIn($defs);
  // All plans have the same names.
  const here = rest.length === 0 || isInSource ? "" : `${top}.`;
  const own = paths.filter((path) => path === here + nameOf(path));
  const near = nearest(name, [...own, ...paths].map(nameOf));
  if (near === undefined) return own.length < MAX_LISTED ? `; known here: ${own.map(nameOf).join(", ")}` : "";
  const isHere = isInSource || own.includes(here + near);
  return `; did you mean "${isHere ? near : paths.find((path) => nameOf(path) === near)}"?`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** The paths of all settings in a schema, such as `api.name`. */
function pathsIn(schema: unknown, above = ""): string[] {
  return Object.entries(Object(schema)).flatMap(([key, value]) => {
    if (key !== "properties") return typeof value === "object" ? pathsIn(value, above) : [];
    return Object.entries(Object(value)).flatMap(([name, inner]) => [
      above + name,
      ...pathsIn(inner, `${above}${name}.`),
    ]);
  });
}
