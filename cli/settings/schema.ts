// Every setting, combined from the schemas of the programs. vitrine.schema.json is generated from this.
import * as z from "zod";
import { collectorSettings } from "../../collector/settings.ts";
import { SourceSettings } from "../../collector/sources/sources.ts";
import type { JsonSchema } from "../../server/documents/openapi-schemas.ts";
import { serverSettings } from "../../server/settings.ts";
import { Product } from "../../snapshots/snapshot.ts";

export const Settings = z
  .strictObject({
    $schema: z.string().optional().describe("JSON Schema of this file, for editors"),
    ...serverSettings,
    ...collectorSettings,
    product: Product.optional().describe(
      "Short name of the product, which its snapshots name; by default made from `api.name`",
    ),
    snapshots: z
      .string()
      .min(1)
      .default("snapshots/data")
      .describe(
        "Directory of the snapshots, or a URL: rediss://host/0/acme, s3://bucket/acme, https://host/snapshots/",
      ),
  })
  .describe("Settings of Vitrine");
export type Settings = z.infer<typeof Settings>;

/** Where a setting came from, in order of precedence. */
export type Origin = "flag" | "environment" | "file" | "default";

/** The settings that a flag or a variable can override. */
export const OVERRIDES = [
  { path: "host", flag: "host", variable: "HOST" },
  { path: "port", flag: "port", variable: "PORT" },
  { path: "api.baseUrl", flag: "base-url", variable: "BASE_URL" },
  { path: "snapshots", flag: "snapshots", variable: "SNAPSHOTS" },
  { path: "lastCopy", flag: "last-copy", variable: "LAST_COPY" },
  { path: "staleAfter", flag: "stale-after", variable: "STALE_AFTER" },
  { path: "metrics", flag: "metrics", variable: "METRICS" },
  { path: "schedule", flag: "schedule", variable: "SCHEDULE" },
] as const;

/** The JSON Schema of the settings file. */
export function settingsJsonSchema(): JsonSchema {
  return z.toJSONSchema(Settings, { io: "input" });
}

/** The schema of a property; `true` and `false`, which JSON Schema also allows, are read as empty. */
export function subschema(schema: JsonSchema | boolean | undefined): JsonSchema {
  return typeof schema === "object" ? schema : {};
}

/** A property of an object or array; undefined for any other value. */
export function field(value: unknown, name: PropertyKey): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** The values of `from`. */
export function sourceKinds(): string[] {
  return SourceSettings.options.map(({ shape }) => shape.from.value);
}
