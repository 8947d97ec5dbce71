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
const OF_PLANS: Table = {
  '"id", and what it is called into "names", beside "plans"': "name title label",
  '"priceIds", with the id of a price for each cycle (Lemon Squeezy: "variants")': "price",
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
  '"api": { "origins": ["https://acme.com"] }': "cors",
  'it into a source, beside its "from"': "token headers",
};

/** As in problems.ts. */
interface Wrong {
  path: readonly string[];
  raw: unknown;
  code: string;
}
/** Of did-you-mean.ts. */
type Nearest = (typed: string, words: readonly string[]) => string | undefined;

/** The end of the line about a wrong setting; empty if no remedy is known. `schema`: of all settings. */
export function rightWords(wrong: Wrong, schema: () => JsonSchema, nearest: Nearest): string {
  const { path, code } = wrong;
  if (code === "unrecognized_keys") return wordFor(wrong, schema(), nearest);
  if (code === "invalid_union" && path.at(-1) === "from") return kindFor(wrong, nearest);
  if (code !== "invalid_type") return "";
  if (/^(?:plans|releases|releases\.macos|releases\.windows)$/.test(path.join(".")))
    return ', a source such as { "from": "file", "path": "facts.json" }, or "none"';
  // Of whole objects and lists, descriptions end with an example.
  const example = schemasAt(schema(), wrong).map(({ description = "" }) => /`([{["].*)`$/.exec(description)?.[1]);
  return example[0] === undefined ? "" : `, such as ${example[0]}`;
}

function found(table: Table, typed: readonly string[]): { word: string; remedy: string } | undefined {
  for (const [remedy, words] of Object.entries(table)) {
    const word = typed.find((one) => words.split(" ").includes(one.toLowerCase().replaceAll(/[-_]/g, "")));
    if (word !== undefined) return { word, remedy };
  }
  return undefined;
}

function kindFor({ path, raw }: Wrong, nearest: Nearest): string {
  const holder = valueAt(raw, path.slice(0, -1));
  const value: unknown = Object(holder).from;
  const kinds = SourceSettings.options.map(({ shape }) => shape.from.value);
  const kind = typeof value === "string" ? nearest(found(KINDS, [value])?.remedy ?? value, kinds) : undefined;
  if (kind !== undefined) return `; did you mean "${kind}"?`;
  const wrong = value === undefined ? found(OF_SOURCES, Object.keys(Object(holder))) : undefined;
  return wrong ? `; instead of "${wrong.word}", write ${wrong.remedy}` : `: ${kinds.join(", ")}`;
}

const MAX_LISTED = 20;

/** What it cannot stand beside, the right word, the nearest setting with its place, or all that the place has. */
function wordFor({ path, raw }: Wrong, schema: JsonSchema, nearest: Nearest): string {
  const [[top = ""], name = "", above] = [path, path.at(-1), path.slice(0, -1)];
  const places = schemasAt(schema, { path: above, raw }).map(({ properties = {} }) => Object.keys(properties));
  const own = [...new Set(places.flat())].filter((key) => key !== "from");
  const rival = Object.keys(Object(valueAt(raw, above))).find(
    (key) => own.includes(key) && !places.some((keys) => keys.includes(key) && keys.includes(name)),
  );
  if (own.includes(name)) return rival === undefined ? "" : ` beside "${rival}": leave one of the two out`;
  const isInSource = ["plans", "releases", "crossChecks"].includes(top) && above.length > 0;
  const ofSources = /^plans\.plans\.\d+$/.test(above.join(".")) ? OF_PLANS : OF_SOURCES;
  const word = found(top === "names" ? OF_NAMES : isInSource ? ofSources : OF_ALL, [name]);
  if (word) return `; write ${word.remedy}`;
  const others = isInSource ? [] : settingPaths(schema);
  const near = nearest(name, [...own, ...others.map(nameOf)]);
  if (near !== undefined)
    return `; did you mean "${own.includes(near) ? near : others.find((path) => nameOf(path) === near)}"?`;
  return own.length < MAX_LISTED ? `; known here: ${own.join(", ")}` : "; docs/settings.md lists all";
}

function valueAt(raw: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => Object(value)[name], raw);
}

/** The alternatives that the schema has at a path; of the kinds of source, only the one that is there, if it is known. */
function schemasAt(schema: JsonSchema, { path, raw }: Pick<Wrong, "path" | "raw">): JsonSchema[] {
  const alternatives = (one: unknown, value: unknown): JsonSchema[] => {
    const { $ref, anyOf, oneOf, ...own }: JsonSchema = Object(one);
    if ($ref !== undefined) return alternatives(schema.$defs?.[$ref.replace("#/$defs/", "")], value);
    const all = (anyOf ?? oneOf)?.flatMap((inner) => alternatives(inner, value)) ?? [own];
    const kind = all.filter(({ properties }) => Object(properties?.from).const === (Object(value).from ?? NaN));
    return kind.length > 0 ? kind : all;
  };
  return path.reduce(
    (here, name, at) =>
      here.flatMap(({ properties, items, additionalProperties }) => {
        const inner = properties?.[name] ?? (/^\d+$/.test(name) ? items : additionalProperties);
        return typeof inner === "object" ? alternatives(inner, valueAt(raw, path.slice(0, at + 1))) : [];
      }),
    alternatives(schema, raw),
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** The paths of all settings but those of sources, such as `api.name`. */
export function settingPaths({ $defs: _, ...settings }: JsonSchema): string[] {
  return pathsIn(settings);
}

function pathsIn(schema: unknown, above = ""): string[] {
  return Object.entries(Object(schema)).flatMap(([key, value]) => {
    if (key !== "properties") return typeof value === "object" ? pathsIn(value, above) : [];
    return Object.entries(Object(value)).flatMap(([name, inner]) => [
      above + name,
      ...pathsIn(inner, `${above}${name}.`),
    ]);
  });
}
