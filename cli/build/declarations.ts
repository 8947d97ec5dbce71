// The types that ship with the package, without zod: the public shapes, generated with their descriptions from the schemas of
// the OpenAPI document; and for `vitrine/edge` its interface.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { Api } from "../../server/api-settings.ts";
import { SCHEMAS } from "../../server/public-schemas.ts";
import type { JsonSchema } from "../../snapshots/schema.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The type of `api` in the interface of the edge. */
const EDGE_API = /Omit<z\.input<typeof Api>,[^>]*>/;
const OPEN_VENDOR = "export declare function openVendor(folder: string, options: VendorOptions): Vendor;";
/** The clock is missing, because it is for tests. */
const CREATE_HANDLER = "export declare function createHandler(options: HandlerOptions): EdgeHandler;";
/** Renamed because `Error` is a global type. */
const NAMES: Readonly<Record<string, string>> = { Error: "ErrorResponse" };

/** The text of index.d.mts. @throws Error for a schema that has no TypeScript here. */
export function declarations(): string {
  return Object.entries(SCHEMAS)
    .map(([name, schema]) => `${comment(schema)}export type ${nameOf(name)} = ${typeOf(schema)};\n`)
    .join("\n");
}

/** The text of edge.d.mts. @throws Error as above. */
export async function edgeDeclarations(): Promise<string> {
  const source = await readFile(join(ROOT, "server/features/edge/interface.ts"), "utf8");
  const baseUrl = Api.shape.baseUrl.describe("Public base URL of every link");
  const settings = Api.omit({ logo: true, picture: true, overview: true, faq: true }).extend({ baseUrl });
  const api = typeOf(z.toJSONSchema(settings, { io: "input" })).replaceAll("\n", "\n  ");
  const types = source.replaceAll(/^(?:\/\/|import ).*\n/gm, "").replace(EDGE_API, api);
  return `${types.trimStart()}\n/** @throws Error that names the option that is wrong. */\n${CREATE_HANDLER}\n`;
}

/** The text of hosting.d.mts. */
export async function hostingDeclarations(): Promise<string> {
  const source = await readFile(join(ROOT, "cli/features/hosting/interface.ts"), "utf8");
  const types = source.replace(/^\/\/.*\n/, "").replace(/"[^"]*\/edge\/interface.ts"/, '"./edge.mjs"');
  return `${types}\n/** Opens a vendor's folder. Never throws. */\n${OPEN_VENDOR}\n`;
}

function typeOf(schema: JsonSchema): string {
  const { $ref, anyOf, oneOf, type, items, properties, additionalProperties } = schema;
  if ($ref !== undefined) return nameOf($ref.slice($ref.lastIndexOf("/") + 1));
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return [...new Set(alternatives.map((one) => typeOf(asSchema(one))))].join(" | ");
  if (type === "array" && !Array.isArray(items)) return `Array<${typeOf(asSchema(items))}>`;
  if (type === "object" && !properties) return `{ [key: string]: ${typeOf(asSchema(additionalProperties))} }`;
  if (type === "object") return objectOf(schema);
  if (type === "integer") return "number";
  if (type === "string" || type === "number" || type === "boolean" || type === "null") return type;
  throw new Error(`no TypeScript for the schema ${JSON.stringify(schema)}`);
}

function objectOf({ properties = {}, required = [], additionalProperties }: JsonSchema): string {
  const fields = Object.entries(properties).map(([name, property]) => {
    const mark = required.includes(name) ? "" : "?";
    return `${comment(asSchema(property))}${name}${mark}: ${typeOf(asSchema(property))};\n`;
  });
  const rest = additionalProperties === false ? "" : "[more: string]: unknown;\n";
  return `{\n${[...fields, rest].join("").replaceAll(/^(?=.)/gm, "  ")}}`;
}

function comment({ description }: JsonSchema): string {
  return description === undefined ? "" : `/** ${description.replaceAll("*/", "*\\/")}. */\n`;
}

function nameOf(name: string): string {
  return NAMES[name] ?? name;
}

/** @throws Error for `true`, `false` and a missing schema, which have no type here. */
function asSchema(schema: JsonSchema | boolean | undefined): JsonSchema {
  if (typeof schema === "object") return schema;
  throw new Error("a boolean or missing schema has no type");
}
