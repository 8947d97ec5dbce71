// Every setting with the value in force and where that came from, as `vitrine check` shows it. The list is the settings'
// own schema, so that no setting is left out. Nothing that may be a secret is shown.
import type * as z from "zod";
import { sourcesOf } from "../../collector/settings.ts";
import { parseUrl } from "../../snapshots/rules.ts";
import type { Configuration } from "./configure.ts";
import { OVERRIDES, settingsJsonSchema } from "./schema.ts";

export interface Effective {
  path: string;
  /** As it is written in settings; a word in brackets where nothing is set or nothing may be shown. */
  value: string;
  origin: string;
}

type Schema = z.core.JSONSchema.BaseSchema;

/** What holds where nothing is set. */
const UNSET: Record<string, string> = {
  "api.baseUrl": "(the address listened on)",
  "api.documentation": "(the page at /)",
  "api.origins": "(all, or those of this computer)",
};
const NONE = "(none)";

export function effectiveSettings(configuration: Configuration): Effective[] {
  const schema = settingsJsonSchema();
  const { plans: _plans, releases: _releases, $schema: _, ...properties } = schema.properties ?? {};
  const common = rowsOf({ properties }, { configuration, above: "", given: configuration.given });
  return [...common, ...sourcesOf(configuration.settings).flatMap(({ path }) => rowsOfSource(path, configuration))];
}

interface Place {
  configuration: Configuration;
  /** Path of the parent, with a dot at its end. */
  above: string;
  given: unknown;
}

function rowsOf(schema: Schema, { configuration, above, given }: Place): Effective[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = above + name;
    const own = field(given, name);
    const setting = objectAlternative(node(property), own);
    if (setting.properties) return rowsOf(setting, { configuration, above: `${path}.`, given: own });
    return [row(path, own, { configuration, setting })];
  });
}

function rowsOfSource(path: string, configuration: Configuration): Effective[] {
  const given = path.split(".").reduce<unknown>(field, configuration.given);
  const kinds = node(settingsJsonSchema().$defs?.source).oneOf ?? [];
  const kind = kinds.map(node).find(({ properties }) => node(properties?.from).const === field(given, "from"));
  const schedule = { path: `${path}.schedule`, value: configuration.settings.schedule, origin: "as schedule" };
  return rowsOf(kind ?? {}, { configuration, above: `${path}.`, given }).map((row) =>
    row.path === schedule.path && row.value === NONE ? schedule : row,
  );
}

function row(
  path: string,
  given: unknown,
  { configuration, setting }: { configuration: Configuration; setting: Schema },
): Effective {
  const { settings, isDemo } = configuration;
  const value = given ?? setting.default;
  const origin = configuration.origins.get(path) ?? (given === undefined ? "default" : "file");
  return {
    path,
    value: path === "snapshots" ? settings.snapshots : value === undefined ? (UNSET[path] ?? NONE) : shown(path, value),
    origin: origin === "file" && isDemo ? "demo" : told(path, origin),
  };
}

function told(path: string, origin: string): string {
  const override = OVERRIDES.find((candidate) => candidate.path === path);
  if (origin === "flag") return `flag --${override?.flag}`;
  return origin === "environment" ? `environment ${override?.variable}` : origin;
}

/** Of a secret only the name of the variable that it comes from. */
function shown(path: string, value: unknown): string {
  const name = path.split(".").at(-1) ?? "";
  if (name === "headers" && typeof value === "object" && value !== null) {
    return Object.entries(value)
      .map(([header, text]) => `${header}: ${variable(text)}`)
      .join(", ");
  }
  // Nor is the inside of an upstream's answer anybody's business.
  if (["key", "token", "pick"].includes(name)) return variable(value);
  if (typeof value === "string") return name === "baseUrl" ? value : withoutPath(value);
  if (Array.isArray(value)) return shownList(value);
  return typeof value === "object" && value !== null ? Object.keys(value).join(", ") || NONE : String(value);
}

function shownList(list: readonly unknown[]): string {
  if (list.length === 0) return NONE;
  const isOfTexts = list.every((item) => typeof item === "string");
  return isOfTexts ? list.join(", ") : `${list.length} ${list.length === 1 ? "entry" : "entries"}`;
}

/** `$NAME` and `Bearer $NAME` name a variable; anything else may be the secret itself. */
function variable(text: unknown): string {
  return typeof text === "string" && /^(Bearer )?\$[A-Za-z_][A-Za-z0-9_]*$/.test(text) ? text : "(set, not shown)";
}

/** A path or a query may be a secret, too. */
function withoutPath(text: string): string {
  const url = /^https?:/i.test(text) ? parseUrl(text) : undefined;
  if (!url) return text;
  const { origin, href } = url;
  return href === `${origin}/` ? origin : `${origin}/…`;
}

/** Of a setting that is `false` or an object, the object, unless it is false. */
function objectAlternative(schema: Schema, given: unknown): Schema {
  if (given !== undefined && typeof given !== "object") return schema;
  return schema.anyOf?.map(node).find(({ properties }) => properties) ?? schema;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Reflect.get(value, name) : undefined;
}

/** JSON Schema allows `true` and `false` for a schema; they say nothing of a setting. */
function node(schema: Schema | boolean | undefined): Schema {
  return typeof schema === "object" ? schema : {};
}
