// The right words for settings as other tools have them, and as people write them first. Each remedy is the end of a problem's line,
// and quotes no value but the kind of a source.
import { SourceSettings } from "../../../collector/sources/sources.ts";
import type { JsonSchema } from "../../../snapshots/schema.ts";

/** Words, in lower case without hyphens and underscores, and what to write instead. */
type Table = readonly (readonly [words: string, remedy: string])[];

const OF_NAMES: Table = [
  ["name label", 'write "title"'],
  ["description subtitle tagline", 'write "line"'],
  ["url link href", 'write "buy"'],
];
const OF_SOURCES: Table = [
  ["owner repository", 'write { "from": "github", "repo": "OWNER/REPO" }'],
  ["provider", 'write { "from": "electron-builder", "url": "https://…/latest-mac.yml" }'],
  ["endpoints pubkey", 'write { "from": "tauri", "url": "https://…" }'],
  ["sufeedurl", 'write { "from": "sparkle", "url": "https://…/appcast.xml" }'],
  ["type kind source", 'write "from"'],
  ["mac osx darwin", 'write "macos"'],
  ["win win32", 'write "windows"'],
  ["linux", "there is no Linux yet"],
  ["months", 'write "durationMonths"'],
  ["version downloadurl currency", 'put the facts into a file: { "from": "file", "path": "facts.json" }'],
  ["args cwd", 'write "command": ["node", "facts.mjs"], which runs beside the settings'],
  ["method body", 'a program can do that: { "from": "command", "command": ["node", "facts.mjs"] }'],
  ["price", 'write "priceIds": { "monthly": "price_1Abc" }'],
  ["apikey secretkey accesstoken auth authorization", 'write "key", "token" or "headers", with "$NAME"'],
];
const OF_ALL: Table = [
  ["cron interval every refresh", 'write "schedule": "*/15 * * * *"'],
  ["ttl maxage cache expires", 'write "staleAfter": "24h"'],
  ["webhook slack discord alerts notifications", 'write "notify": "$NOTIFY_URL"'],
  ["sources", 'write "plans" and "releases" without it'],
  ["pricing prices products", 'write "plans"'],
  ["downloads versions publish publishers updater plugins", 'write "releases", with a source of SOURCES.md'],
  ["mac macos win windows", 'write "releases": { "macos": …, "windows": … }'],
  ["storage database redis", 'write "snapshots", a directory or a URL'],
  ["title", 'write "api": { "name": "Acme Notes" }'],
  ["url domain", 'write "api": { "baseUrl": "https://…" }'],
  ["theme colors primary", 'write "api": { "color": "#0f6e60" }'],
  ["icon favicon", 'write "api": { "logo": "logo.svg" }'],
];
const KINDS: Table = [
  ["http https rest api url", "json"],
  ["electron electronupdater generic", "electron-builder"],
  ["appcast", "sparkle"],
  ["csv yaml xml sql postgres module script", "command"],
];

const SOURCE = ', a source such as { "from": "file", "path": "facts.json" }';
const RELEASES = ', a source such as { "from": "github", "repo": "acme/notes" }';
/** For values of another type, by the place. */
const EXAMPLES: readonly (readonly [place: RegExp, remedy: string])[] = [
  [/^plans$/, SOURCE],
  [/^releases$/, RELEASES],
  [/^releases\.(?:macos|windows)$/, `${RELEASES}, or "none" if you publish no release for it`],
  [/\.asset$/, ', such as "*-arm64.dmg"; platforms can differ: { "macos": …, "windows": … } with a source for each'],
  [/\.cycles\.\d+$/, ', such as { "key": "monthly", "durationMonths": 1, "labelKey": "m", "savingBadge": null }'],
  [/\.plans$/, ', such as [{ "id": "pro", "product": "prod_Abc" }]'],
  [/^names$/, ', such as { "pro": { "title": "Pro" } }'],
  [/^names\.[^.]+$/, ', such as { "title": "Pro" }'],
  [/^api$/, ', such as { "name": "Acme Notes" }'],
  [/^api\.page$/, ', such as ["news", "status"], or [] for none'],
  [/^(?:staleAfter|.*\.timeout)$/, ', such as "30s" or "24h"'],
  [/^metrics$/, ', such as "on" or "127.0.0.1:9464"'],
  [/^guard$/, ', or an object such as { "off": ["price"] }; it is on by default'],
  [/^history$/, ', such as { "keep": 100 }, or 0 for none'],
  [/^crossChecks$/, ', such as [{ "facts": ["plans"], "page": "https://…" }]'],
  [/\.facts$/, ', such as ["plans"]'],
  [/^signing$/, ', such as { "key": "$SIGNING_KEY" }'],
  [/\.headers$/, ', such as { "authorization": "Bearer $NAME" }'],
];

/** As in problems.ts, with the means of the registry: the schema of all settings, and the nearest of some words to a typed one. */
interface Wrong {
  path: readonly string[];
  value: unknown;
  holder: unknown;
  code: string;
  schema(): JsonSchema;
  nearest(typed: string, words: readonly string[]): string | undefined;
}

/** The end of the line about a wrong setting; empty if no remedy is known. */
export function rightWords(wrong: Wrong): string {
  const { path, code } = wrong;
  const isInSource = ["plans", "releases", "crossChecks"].includes(path[0] ?? "") && path.length > 1;
  if (code === "unrecognized_keys") return wordFor(wrong, isInSource);
  if (code === "invalid_union" && isInSource && path.at(-1) === "from") return kindFor(wrong);
  const isOfType = code === "invalid_type" || code === "invalid_value";
  return (isOfType && EXAMPLES.find(([place]) => place.test(path.join(".")))?.[1]) || "";
}

function found(table: Table, typed: readonly string[]): { word: string; remedy: string } | undefined {
  for (const [words, remedy] of table) {
    const word = typed.find((one) => words.split(" ").includes(one.toLowerCase().replaceAll(/[-_]/g, "")));
    if (word !== undefined) return { word, remedy };
  }
  return undefined;
}

function kindFor({ value, holder, nearest }: Wrong): string {
  const kinds = SourceSettings.options.map(({ shape }) => shape.from.value);
  const typed = found(OF_SOURCES, Object.keys(Object(holder)));
  const kind = typeof value === "string" ? nearest(found(KINDS, [value])?.remedy ?? value, kinds) : undefined;
  if (kind !== undefined) return `; did you mean "${kind}"?`;
  return value === undefined && typed ? `; instead of "${typed.word}", ${typed.remedy}` : `: ${kinds.join(", ")}`;
}

const MAX_LISTED = 20;

/** For an unknown setting: the right word, the nearest setting with its place, or all that its place has. */
function wordFor({ path, holder, schema, nearest }: Wrong, isInSource: boolean): string {
  const name = path.at(-1) ?? "";
  const isName = path[0] === "names";
  const word = found(isName ? OF_NAMES : isInSource ? OF_SOURCES : OF_ALL, [name]);
  if (word) return `; ${word.remedy}`;
  // All plans have the same names.
  const here = isName ? "names" : path.slice(0, -1).join(".");
  const places = isInSource ? placesInSource(holder, here, schema()) : placesIn(schema());
  const own = places.filter((place) => place.holder === here);
  const ranked = [...own, ...places];
  const near = nearest(
    name,
    ranked.map((place) => place.name),
  );
  const place = ranked.find((one) => one.name === near);
  if (place && (place.holder === here || place.holder === "")) return `; did you mean "${near}"?`;
  if (place) return `; did you mean "${place.holder}.${near}"?`;
  const isOfSource = SourceSettings.options.some(({ shape }) => Object.hasOwn(shape, name));
  if (isOfSource && here === "") return '; it belongs to a source, beside its "from"';
  return own.length < MAX_LISTED ? `; known here: ${own.map((one) => one.name).join(", ")}` : "";
}

interface Place {
  name: string;
  /** The path of the object that has it. */
  holder: string;
}

/** Where the settings are, except those of sources. */
function placesIn(schema: unknown, holder = ""): Place[] {
  return Object.entries(Object(schema)).flatMap(([key, value]) => {
    if (key === "$defs" || typeof value !== "object") return [];
    if (key !== "properties") return placesIn(value, holder);
    return Object.entries(Object(value)).flatMap(([name, inner]) => [
      { name, holder },
      ...placesIn(inner, holder === "" ? name : `${holder}.${name}`),
    ]);
  });
}

/** The settings of a source whose kind is known; else those of all. */
function placesInSource(source: unknown, holder: string, { $defs = {} }: JsonSchema): Place[] {
  const kind = SourceSettings.options.find(({ shape }) => shape.from.value === Object(source).from);
  const all = Object.values($defs).flatMap((one) => placesIn(one));
  const names = kind ? Object.keys(kind.shape) : all.map(({ name }) => name);
  return names.filter((name) => name !== "from").map((name) => ({ name, holder }));
}
