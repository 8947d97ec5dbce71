// Every setting there is: the programs' own parts, put together. vitrine.schema.json is made from this.
import * as z from "zod";
import { collectorSettings } from "../../collector/settings.ts";
import { SourceSettings } from "../../collector/sources/sources.ts";
import { serverSettings } from "../../server/settings.ts";

export const Settings = z
  .strictObject({
    $schema: z.string().optional().describe("Where editors find the description of this file"),
    ...serverSettings,
    ...collectorSettings,
    snapshots: z
      .string()
      .min(1)
      .regex(/^(?![a-z][a-z0-9+.-]+:)|^file:\/\/\//i, "use a directory's path or a file:/// URL")
      .default("snapshots/data")
      .describe("Directory of the snapshots"),
  })
  .describe("Settings of Vitrine");
export type Settings = z.infer<typeof Settings>;

/** Where a setting came from; the first beats the second, and so on. */
export type Origin = "flag" | "environment" | "file" | "default";

/** The settings that a flag or the environment can give, too. */
export const OVERRIDES = [
  { path: "host", flag: "host", variable: "HOST" },
  { path: "port", flag: "port", variable: "PORT" },
  { path: "api.baseUrl", flag: "base-url", variable: "BASE_URL" },
  { path: "snapshots", flag: "snapshots", variable: "SNAPSHOTS" },
  { path: "staleAfter", flag: "stale-after", variable: "STALE_AFTER" },
  { path: "metrics", flag: "metrics", variable: "METRICS" },
  { path: "schedule", flag: "schedule", variable: "SCHEDULE" },
] as const;

/** The JSON Schema of the settings file, for editors. */
export function settingsJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(Settings, { io: "input" });
}

/** The kinds of source, as `from` names them. */
export function sourceKinds(): string[] {
  return SourceSettings.options.map(({ shape }) => shape.from.value);
}
