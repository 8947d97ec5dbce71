// The right words for settings and variables as other tools have them, and as people write them first. Each remedy is the end of a
// problem's line, and quotes no value but the kind of a source.
import { distance } from "fastest-levenshtein";
import { secretNamesIn } from "../../../collector/http/request.ts";
import { SourceSettings } from "../../../collector/sources/sources.ts";
import type { JsonSchema } from "../../../snapshots/schema.ts";

/** What to write instead of the words, which are in lower case without hyphens and underscores; with *, of those that begin so. */
type Table = Readonly<Record<string, string>>;

const OF_NAMES: Table = { '"title"': "name label", '"line"': "description", '"buy"': "url link" };
const KINDS: Table = {
  json: "http https rest api url chargebee revenuecat recurly",
  command: "csv yaml sql script module",
  "electron-builder": "generic",
  sparkle: "appcast",
  gitea: "codeberg forgejo",
};
const UTC: Table = { "leave it out: schedules are in UTC": "timezone tz crontz" };
const CREDENTIALS = "apikey secretkey auth key token headers";
/** Those that begin `"NAME":` are said of the kinds that have it. */
const OF_SOURCES: Table = {
  '{ "from": "github", "repo": "OWNER/REPO" }': "owner repository",
  '{ "from": "electron-builder", "url": "https://…/latest-mac.yml" }': "provider",
  '{ "from": "tauri", "url": "https://…" }': "endpoints pubkey",
  '{ "from": "sparkle", "url": "https://…/appcast.xml" }': "sufeedurl",
  '{ "from": "command", "command": ["node", "facts.mjs"] }': "args method body",
  'the facts into a file, and { "from": "file", "path": "facts.json" }': "version currency",
  '"key": "$NAME"': CREDENTIALS,
  '"token": "$NAME"': CREDENTIALS,
  '"headers": { "authorization": "Bearer $NAME" }': CREDENTIALS,
  '"from"': "type kind source",
  '"macos"': "mac* osx* darwin*",
  '"windows"': "win*",
  'one source, with "arch": "arm64", or none for both': "arm64 aarch64 x64 x8664 amd64 universal",
  '"macos" and "windows" only': "linux* android* ios*",
};
const OF_CROSS_CHECKS: Table = { '"page" for the address of a page': "url href address website" };
const DAILY: Table = { "leave it out: they are asked once a day, and after a change": "schedule cron interval" };
const OF_PLANS: Table = {
  '"id", and what it is called into "names", beside "plans"': "name title label",
  '"priceIds": { "monthly": "…" }, with the id of a price for each cycle': "price",
  '"variants": { "monthly": "…" }, with the id of one for each cycle': "price product",
};
const OF_FIELDS: Table = {
  '"where": { "/status": "active" }': "filter",
  '"require": { "/kind": "app" }': "filter",
  '"downloadURL": "/…"': "url link",
};
const NAMES = 'what plans are called into "names", beside "plans"';
const OF_ALL: Table = {
  ...UTC,
  "what is in it one level up": "vitrine config settings",
  '"schedule": "*/15 * * * *"': "cron interval refresh every poll frequency",
  '"staleAfter": "24h"': "ttl maxage cache",
  '"notify": "$NOTIFY_URL"': "webhook slack alerts",
  '"plans" and "releases" without it': "sources",
  '"plans"': "pricing prices products tiers subscriptions packages",
  '"releases", with a source of SOURCES.md': "downloads publish publishers updater plugins build",
  '"releases": { "from": "github", "repo": "OWNER/REPO" }': "repo repository github",
  '"macos" and "windows" only, in "releases"': "linux* ios* android*",
  '"host" and "port"': "server listen bind",
  '"snapshots"': "database storage store output dist data*",
  '"api": { "picture": "card.png" }': "image ogimage banner cover",
  '"metrics": "on"': "prometheus telemetry monitoring metricsport",
  '"api": { "home": "https://…" }': "homepage site website",
  '"api": { "contact": "…" }': "author email support",
  "it into the source of the plans, or leave it out if the facts have it": "currency cycles",
  '"$NAME" where a source needs a variable': "env environment secrets auth",
  "--log text or --log json behind the command": "log logging logger loglevel",
  '"api": { "baseUrl": "https://…" }, and let a proxy in front do TLS': "https tls ssl certificate",
  "addresses that are reached directly: no proxy is asked": "proxy httpproxy httpsproxy",
  '"api": { "name": "Acme Notes" }': "title",
  '"api": { "baseUrl": "https://…" }': "url domain servers basepath",
  '"api": { "logo": "logo.svg" }': "favicon icon",
  '"api": { "color": "#0f6e60" }': "theme colors",
  '"api": { "origins": ["https://acme.com"] }, or leave it out: every page may read': "cors",
};

const OF_FACTS: Table = {
  '"sha256"': "checksum hash digest sha sha256sum",
  '"changelog"': "releasenotes notes body description changes",
  '"date"': "publishedat publishdate pubdate releasedate releasedat",
  '"signature"': "edsignature sparkleedsignature sig",
};

/** Said of values at such a place that look so. */
const OF_VALUES: readonly [place: RegExp, value: RegExp, remedy: string][] = [
  [/^api\.origins/, /^\*$/, "leave it out: every page may read"],
  [/(?:^|\.)schedule$/, /\s3[01]\s+(?:0?[2469]|11)\s+\S+\s*$/, "write a day that the month has, such as 28"],
  [/\.url$/, /^\.{0,2}[\w/-]+\.jsonc?$/, 'for a file, write "from": "file" with "path"'],
  [/\.minorUnits$/, /^\d+$/, "write 2 for cents"],
  [/./, /^\s*(["']).*\1\s*$/, "it has quotes around it: remove them"],
  [/(?:^|\.)schedule$/, /TZ=/, "leave the time zone out: schedules are in UTC"],
  [/./, /^\d+ ?y(?:ears?)?$/, "write a year as 365d"],
  [/^history$/, /^false$/, 'to keep nothing, write { "keep": 0 }'],
  [/^guard\.(?:over|releaseOver)$/, /^(?:0[smhd]?|off|none|false)$/, 'to hold nothing, write "guard": false'],
];

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
  const { path, code, raw } = wrong;
  const value = valueAt(raw, path);
  if (code === "unrecognized_keys") return wordFor(wrong, schema(), nearest);
  if (code === "invalid_union" && path.at(-1) === "from") return kindFor(wrong, nearest);
  const known = OF_VALUES.find(([at, like]) => at.test(path.join(".")) && like.test(String(value)));
  if (known) return `; ${known[2]}`;
  if (code !== "invalid_type") return "";
  if (/^(?:plans|releases|releases\.macos|releases\.windows)$/.test(path.join(".")))
    return `, a source such as ${sourceFor(String(value), schema(), nearest)}, or "none"`;
  // Of whole objects and lists, descriptions end with an example; that of a list has one of an item.
  const isItem = /^\d+$/.test(path.at(-1) ?? "");
  const place = isItem ? path.slice(0, -1) : path;
  const [only = {}, another] = schemasAt(schema(), { ...wrong, path: place });
  const { description = "", items, default: usual, properties = {}, required = [] } = only;
  const example = /`([{["].*)`$/.exec(description)?.[1];
  if (example !== undefined) return `, such as ${isItem ? example.slice(1, -1) : example}`;
  const { enum: words = ["…"], type = "string" }: JsonSchema = Object(items);
  const word = words.find((one) => one === value) ?? words[0];
  if (items !== undefined && !isItem && type === "string") return `, such as ["${String(word)}"]`;
  const [first = Object.keys(properties)[0]] = required;
  if (first !== undefined && another === undefined) {
    const { default: usual = SAMPLES[first] ?? "…" }: JsonSchema = Object(properties[first]);
    return `, such as { "${first}": ${JSON.stringify(usual)} }`;
  }
  if (path.at(-2) === "fields" && only.type === "string") return `, a JSON Pointer such as "/${path.at(-1)}"`;
  const sample = ["undefined", "object"].includes(typeof value) ? SAMPLES[path.at(-1) ?? ""] : undefined;
  return typeof usual === "number" ? `, such as ${usual}` : sample === undefined ? "" : `, such as "${sample}"`;
}

/** What a field of a release is called, as the end of the line that says it is left out. */
export function factFor(field: string): string {
  const word = /latest\.\w+$/.test(field) ? found(OF_FACTS, [nameOf(field)]) : undefined;
  return word === undefined ? "" : `: call it ${word.remedy}`;
}

/** What a source must have: of a text that it may stand for. */
const SAMPLES: Table = {
  repo: "OWNER/REPO",
  project: "OWNER/REPO",
  url: "https://…",
  path: "facts.json",
  key: "$NAME",
  snapshots: "rediss://HOST/0/NAME",
};

/** The source that a text names by its kind, with the repository in its address; of any other address, one of JSON. */
function sourceFor(text: string, schema: JsonSchema, nearest: Nearest): string {
  const [, word = text, repo] = /^(?:https?:\/\/|git@)?([a-z]+)(?:\.[a-z]+)?[:/]([\w.-]+\/[\w-]+)/i.exec(text) ?? [];
  const kind = kindOf(word, nearest) ?? (/^https?:/i.test(text) ? "json" : "file");
  const [{ required = [] } = {}] = schemasAt(schema, { path: ["plans"], raw: { plans: { from: kind } } });
  const parts = required.map((name) => {
    const sample = name === "from" ? kind : (SAMPLES[name] === SAMPLES.repo && repo) || SAMPLES[name];
    return sample === undefined ? "…" : `"${name}": "${sample}"`;
  });
  return `{ ${[...new Set(parts)].join(", ")} }`;
}

/** `own`: what the place can have, if that is known. */
function found(table: Table, typed: readonly string[], own?: readonly string[]) {
  for (const [remedy, words] of Object.entries(table)) {
    const [, name] = /^"(\w+)":/.exec(remedy) ?? [];
    if (own && name !== undefined && !own.includes(name)) continue;
    const like = new RegExp(`^(?:${words.replaceAll(" ", "|").replaceAll("*", ".*")})$`);
    const word = typed.find((one) => like.test(one.toLowerCase().replaceAll(/[-_]/g, "")) && remedy !== `"${one}"`);
    if (word !== undefined) return { word, remedy };
  }
  return undefined;
}

/** Those that have the settings. */
const kinds = (names: readonly string[] = []) =>
  SourceSettings.options.flatMap(({ shape }) => (names.every((name) => name in shape) ? shape.from.value : []));
function kindOf(typed: string, nearest: Nearest): string | undefined {
  return nearest(found(KINDS, [typed])?.remedy ?? typed, kinds());
}

function kindFor({ path, raw }: Wrong, nearest: Nearest): string {
  const holder = valueAt(raw, path.slice(0, -1));
  const value: unknown = Object(holder).from;
  const kind = typeof value === "string" ? kindOf(value, nearest) : undefined;
  if (kind !== undefined) return `; did you mean "${kind}"?`;
  for (const [key, one] of Object.entries(Object(holder))) {
    if (one !== "none" && kinds().includes(String(one))) return `; instead of "${key}", write "from": "${String(one)}"`;
    if (kinds().includes(key) && Object(one) === one && !Array.isArray(one))
      return `; instead of "${key}", write "from": "${key}", and beside it what is in "${key}"`;
  }
  const table = path[0] === "crossChecks" ? { ...OF_CROSS_CHECKS, ...OF_SOURCES } : OF_SOURCES;
  const isOpen = value === undefined || value === "page";
  const wrong = isOpen ? found(table, Object.keys(Object(holder))) : undefined;
  if (wrong) return `; instead of "${wrong.word}", write ${wrong.remedy}`;
  const given = Object.keys(Object(holder)).filter((key) => key !== "from" && key !== "facts");
  // A kind that is not known is none of those with the same settings. Only sources of plans have "plans", of releases "forceUpdate".
  const fitting = given.length > 0 && value === undefined ? kinds(given) : [];
  const others = path[0] === "plans" ? kinds(["forceUpdate"]) : path[0] === "releases" ? kinds(["plans"]) : [];
  return `: ${(fitting.length > 0 ? fitting : kinds().filter((one) => !others.includes(one))).join(", ")}`;
}

const MAX_LISTED = 20;
const HOLDERS = new Set(["plans", "releases", "crossChecks"]);
function tableOf(above: readonly string[]): Table {
  const [top = "api"] = above;
  if (above.at(-1) === "fields") return top === "plans" ? { ...OF_FIELDS, [NAMES]: "name title label" } : OF_FIELDS;
  if (/^plans\.plans\.\d+$/.test(above.join("."))) return OF_PLANS;
  if (HOLDERS.has(top)) return { ...UTC, ...(top === "crossChecks" && DAILY), ...OF_SOURCES };
  return top === "names" ? OF_NAMES : top === "api" ? OF_ALL : {};
}

/** What it cannot stand beside, the right word, the right place, the nearest setting, or all that the place has. */
function wordFor({ path, raw }: Wrong, schema: JsonSchema, nearest: Nearest): string {
  const [[top = ""], name = "", above] = [path, path.at(-1), path.slice(0, -1)];
  const given = Object.keys(Object(valueAt(raw, above)));
  const at = (above: readonly string[], raw: unknown) =>
    schemasAt(schema, { path: above, raw }).map(({ properties = {}, required = [] }) => ({
      keys: Object.keys(properties).filter((key) => key !== "from"),
      isSource: required.includes("from"),
    }));
  const places = at(above, raw).map(({ keys }) => keys);
  const own = [...new Set(places.flat())];
  const rival = given.find(
    (key) => own.includes(key) && !places.some((keys) => keys.includes(key) && keys.includes(name)),
  );
  if (own.includes(name)) return rival === undefined ? "" : ` beside "${rival}": leave it out, or "${rival}"`;
  if (given.includes("from") && at(above, {}).some(({ keys, isSource }) => !isSource && keys.includes(name)))
    return ` beside "from": ${top === "releases" ? 'write "from" into each' : `leave it out, or "from"`}`;
  const parts = name.split(".").map((part) => `"${part}"`);
  if (own.includes(name.split(".", 1).join(""))) return `; write it as ${parts.toReversed().join(" in ")}: { … }`;
  const isInSource = above.length > 0 && HOLDERS.has(top);
  if (
    /^(?:enabled?|disabled?|active|on)$/.test(name) &&
    schemasAt(schema, { path: above, raw }).some((one) => one.const === false)
  )
    return `; leave it out, or write "${above.at(-1)}": false`;
  const inner = own.find((key) =>
    [[key], [key, "0"]].some((part) => at([...above, ...part], raw).some(({ keys }) => keys.includes(name))),
  );
  if (isInSource && inner === "fields" && !given.includes(inner))
    return '; leave it out: the facts have it in their own shape, and another shape needs "fields"';
  if (isInSource && inner !== undefined) return `; write it into "${inner}"`;
  const [rest, from] = name === "path" ? ["url", "file"] : name === "url" ? ["path", "json"] : [""];
  if (isInSource && own.includes(rest) && !given.includes(rest)) return `; with it, write "from": "${from}"`;
  const fit = (keys: readonly string[]) => given.filter((key) => keys.includes(key)).length;
  const most = Math.max(...places.map(fit));
  const known = [...new Set(places.filter((keys) => fit(keys) === most).flat())];
  const word = found(tableOf(above), [name], isInSource ? known : undefined);
  if (word) return word.remedy.startsWith("leave") ? `; ${word.remedy}` : `; write ${word.remedy}`;
  if (above.length === 0 && kinds().includes(name))
    return `; write "plans" or "releases", with ${sourceFor(name, schema, nearest)}`;
  if (above.length === 0 && kinds([name]).length > 0) return '; write it into a source, beside its "from"';
  const outer = above.findLastIndex((part, index) =>
    at(above.slice(0, index), raw).some(({ keys }) => keys.includes(name) && keys.includes(part)),
  );
  // Outside of a cross-check, or in another object, the same word means something else.
  if (outer !== -1 && above[outer] !== "crossChecks") return `; it belongs beside "${above[outer]}", not in it`;
  const isOpen = above.length === 0 || top === "api";
  const others = settingPaths(schema).filter((path) => isOpen && (nameOf(path) === name || !path.includes("PLAN")));
  const near = nearest(name, [...own, ...others.map(nameOf)]);
  if (near !== undefined)
    return `; did you mean "${own.includes(near) ? near : others.find((path) => nameOf(path) === near)}"?`;
  return known.length < MAX_LISTED ? `; known here: ${known.join(", ")}` : "; leave it out: docs/settings.md lists all";
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
    const from = Object(value).from ?? ("page" in Object(value) ? "page" : NaN);
    const kind = all.filter(({ properties }) => Object(properties?.from).const === from);
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

/** As in configure.ts. */
interface Configured {
  environment: Readonly<Record<string, string | undefined>>;
  given: Readonly<Record<string, unknown>>;
}

/** Heads that others expect. Kubernetes sets such a variable for each service, to a URL of TCP. */
const HEAD = /^(?:(?:vitrine|api)[._])+/i;
/** Words of fewer letters come near to those of other programs. */
const LONG = 7;
const OF_PATHS = /_(?:DIR|DIRECTORY|FILE|PATH)$/;

/** A line for each variable that is not read, but is written nearly as one of `variables`, which are, or as a setting. */
export function variableWarnings(
  { environment, given }: Configured,
  schema: () => JsonSchema,
  variables: readonly string[],
): string[] {
  const letters = (name: string) => name.toLowerCase().replaceAll(/[._]/g, "");
  const known = new Set([...variables, ...secretNamesIn(given)]);
  const set = Object.entries(environment).filter(([, value = ""]) => value !== "" && !value.startsWith("tcp://"));
  return set.flatMap(([name]) => {
    if (known.has(name)) return [];
    const bare = name.replace(HEAD, "");
    const isNear = (typed: string, one: string) =>
      letters(typed) === letters(one) ||
      (one.length > LONG && (distance(letters(typed), letters(one)) === 1 || typed.replace(OF_PATHS, "") === one));
    const meant = variables.find((one) => isNear(bare, one) || isNear(name, one));
    if (meant !== undefined) return [`the environment variable ${name} is not read: did you mean ${meant}?`];
    const path = (bare === name ? [] : settingPaths(schema())).find((path) =>
      [path, `vitrine.${path}`, `vitrine.${path.replace(HEAD, "")}`].map(letters).includes(letters(name)),
    );
    return path === undefined ? [] : [`the environment variable ${name} is not read: write ${path} into the settings`];
  });
}

/** The paths of all settings but those of sources, such as `api.name`. */
function settingPaths({ $defs: _, ...settings }: JsonSchema): string[] {
  return pathsIn(settings);
}

function pathsIn(schema: unknown, above = ""): string[] {
  return Object.entries(Object(schema)).flatMap(([key, value]) => {
    const inside = key === "additionalProperties" ? `${above}PLAN.` : above;
    if (key !== "properties") return typeof value === "object" ? pathsIn(value, inside) : [];
    return Object.entries(Object(value)).flatMap(([name, inner]) => [
      above + name,
      ...pathsIn(inner, `${above}${name}.`),
    ]);
  });
}
