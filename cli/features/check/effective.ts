// Every setting with its effective value and origin, as `vitrine check` shows them. The list is made from the schema of
// the settings, so it is complete. Values that may be secrets are not shown.
import { isDeepStrictEqual } from "node:util";
import { askedOf } from "../../../collector/settings.ts";
import type { JsonSchema } from "../../../snapshots/schema.ts";
import type { Configuration } from "../../settings/configure.ts";
import { field, OVERRIDES, withoutPath } from "../../settings/problems.ts";
import { settingsJsonSchema, subschema } from "../../settings/schema.ts";

export interface EffectiveSetting {
  path: string;
  /** The value as the settings have it; in brackets if it is not set or may not be shown. */
  value: string;
  origin: string;
  isDefault: boolean;
}

const UNSET: Record<string, string> = {
  "api.baseUrl": "(the address listened on)",
  "api.documentation": "(the page at /)",
  "api.origins": "(all, or those of this computer)",
  product: "(made from api.name)",
};
const NONE = "(none)";

export function effectiveSettings(configuration: Configuration): EffectiveSetting[] {
  const { plans: _plans, releases: _releases, $schema: _, ...properties } = settingsJsonSchema().properties ?? {};
  const rows = leavesOf({ properties }, configuration.given).map((leaf) => rowOf(leaf, configuration));
  return [...rows, ...askedOf(configuration.settings).flatMap(({ path }) => rowsOfSource(path, configuration))];
}

type Leaf = { path: string; given: unknown; setting: JsonSchema };

/** The settings in an object of the schema, with what is given for each. */
function leavesOf(schema: JsonSchema, given: unknown, above = ""): Leaf[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = above + name;
    const own = field(given, name);
    const setting = objectAlternative(subschema(property), own);
    return setting.properties ? leavesOf(setting, own, `${path}.`) : [{ path, given: own, setting }];
  });
}

function rowsOfSource(path: string, configuration: Configuration): EffectiveSetting[] {
  const given = path.split(".").reduce<unknown>(field, configuration.given);
  const isCrossCheck = path.startsWith("crossChecks.");
  const { source, crossCheck, page } = settingsJsonSchema().$defs ?? {};
  const kinds = [...(subschema(isCrossCheck ? crossCheck : source).oneOf ?? []), ...(isCrossCheck ? [page] : [])];
  const from = field(given, "from") ?? "page";
  const kind = kinds.map(subschema).find(({ properties }) => subschema(properties?.from).const === from);
  const { schedule: value } = configuration.settings;
  const schedule = { path: `${path}.schedule`, value, origin: "as schedule", isDefault: true };
  const rows = leavesOf(kind ?? {}, given, `${path}.`).map((leaf) => rowOf(leaf, configuration));
  if (isCrossCheck) return rows.filter((row) => row.path !== schedule.path);
  return rows.map((row) => (row.path === schedule.path && row.value === NONE ? schedule : row));
}

function rowOf({ path, given, setting }: Leaf, { settings, origins, isDemo }: Configuration): EffectiveSetting {
  const value = given ?? setting.default;
  const origin = origins.get(path) ?? (given === undefined ? "default" : "file");
  return {
    path,
    value:
      path === "snapshots" ? settings.snapshots : value === undefined ? (UNSET[path] ?? NONE) : shownValue(path, value),
    origin: origin === "file" && isDemo ? "demo" : originText(path, origin),
    isDefault: given === undefined || isDeepStrictEqual(given, setting.default),
  };
}

function originText(path: string, origin: string): string {
  const override = OVERRIDES.find((candidate) => candidate.path === path);
  if (origin === "flag") return `flag --${override?.flag}`;
  return origin === "environment" ? `environment ${override?.variable}` : origin;
}

/** A secret is shown as the name of its variable. */
function shownValue(path: string, value: unknown): string {
  const name = path.split(".").at(-1) ?? "";
  if (["headers", "env"].includes(name) && typeof value === "object" && value !== null) {
    return Object.entries(value)
      .map(([key, text]) => `${key}: ${variable(text)}`)
      .join(", ");
  }
  // `pick` may reveal the structure of an internal answer.
  if (["key", "token", "pick"].includes(name)) return variable(value);
  if (typeof value === "string") return name === "baseUrl" ? value : withoutPath(value);
  // Its arguments may hold anything.
  if (name === "command" && Array.isArray(value)) return value.length > 1 ? `${value[0]} …` : String(value[0]);
  if (Array.isArray(value) && value.some((item) => typeof item !== "string")) {
    return `${value.length} ${value.length === 1 ? "entry" : "entries"}`;
  }
  if (Array.isArray(value)) return value.join(", ") || NONE;
  return typeof value === "object" && value !== null ? Object.keys(value).join(", ") || NONE : String(value);
}

/** `$NAME` and `Bearer $NAME` are references; anything else may be the secret itself. */
function variable(text: unknown): string {
  return typeof text === "string" && /^(Bearer )?\$[A-Za-z_][A-Za-z0-9_]*$/.test(text) ? text : "(set, not shown)";
}

/** The object of a setting that is `false` or an object, unless `false` or another simple value is given. */
function objectAlternative(schema: JsonSchema, given: unknown): JsonSchema {
  if (given !== undefined && (typeof given !== "object" || Array.isArray(given))) return schema;
  const [only, another] = schema.anyOf?.map(subschema).filter(({ properties }) => properties) ?? [];
  return another ? schema : (only ?? schema);
}
