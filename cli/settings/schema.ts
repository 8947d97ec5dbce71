// Every setting, combined from the schemas of the programs. vitrine.schema.json is generated from this.
import * as z from "zod";
import type { Trust } from "../../snapshots/facts.ts";
import { trustOfSettings, trustSettings } from "../features/signatures/trust.ts";
import { collectorSettings } from "../../collector/settings.ts";
import { SourceSettings } from "../../collector/sources/sources.ts";
import type { JsonSchema } from "../../server/features/openapi/openapi-schemas.ts";
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
    ...trustSettings,
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

/** What readers believe of a store. */
const TRUSTS: readonly ((settings: Settings) => Trust | undefined)[] = [
  // At most one.
  trustOfSettings,
];

/** Undefined if any snapshot is believed. @throws Error that says what to write */
export function trustOf(settings: Settings): Trust | undefined {
  return TRUSTS[0]?.(settings);
}

export function settingsJsonSchema(): JsonSchema {
  return z.toJSONSchema(Settings, { io: "input" });
}

/** The schema of a property; `true` and `false`, which JSON Schema also allows, are read as empty. */
export function subschema(schema: JsonSchema | boolean | undefined): JsonSchema {
  return typeof schema === "object" ? schema : {};
}

export function sourceKinds(): string[] {
  return SourceSettings.options.map(({ shape }) => shape.from.value);
}

export function settingNames(schema: unknown = settingsJsonSchema()): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own =
    "properties" in schema && typeof schema.properties === "object" ? Object.keys(schema.properties ?? {}) : [];
  return [...own, ...Object.values(schema).flatMap(settingNames)];
}
