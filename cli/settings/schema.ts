// Every setting, combined from the schemas of the programs. vitrine.schema.json is generated from this.
import * as z from "zod";
import type { Trust } from "../../snapshots/facts.ts";
import { probableMistakes } from "../features/check/probable-mistakes.ts";
import { rightFiles } from "../features/check/right-files.ts";
import { rightWords, variableWarnings } from "../features/check/right-words.ts";
import { sourceMistakes } from "../features/check/source-mistakes.ts";
import { misfits } from "../features/check/surroundings.ts";
import { textMistakes } from "../features/check/text-mistakes.ts";
import { trustOfSettings, trustSettings } from "../features/signatures/trust.ts";
import { collectorSettings } from "../../collector/settings.ts";
import { serverSettings } from "../../server/settings.ts";
import type { JsonSchema } from "../../snapshots/schema.ts";
import { Product } from "../../snapshots/snapshot.ts";
import { nearest } from "../did-you-mean.ts";
import { OVERRIDES, type WrongSetting } from "./problems.ts";

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

/** The settings with what they were made of. */
interface Configured {
  settings: Settings;
  location: string;
  directory: string;
  environment: Readonly<Record<string, string | undefined>>;
  given: Readonly<Record<string, unknown>>;
  isDemo: boolean;
}

/** Are read. */
const VARIABLES = [...OVERRIDES.map(({ variable }) => variable), "VITRINE_CONFIG", "LOG_FORMAT", "TYPED_AS"];

/** Look at the settings of every command that opens the sources. */
const WARNINGS: readonly ((
  configured: Configured,
  schema: () => JsonSchema,
  variables: typeof VARIABLES,
) => string[])[] = [
  // A line for each.
  textMistakes,
  probableMistakes,
  sourceMistakes,
  variableWarnings,
  misfits,
];

export function settingWarnings(configured: Configured): string[] {
  return configured.isDemo ? [] : WARNINGS.flatMap((warnings) => warnings(configured, settingsJsonSchema, VARIABLES));
}

/** What readers believe of a store. */
const TRUSTS: readonly ((settings: Settings) => Trust | undefined)[] = [
  // At most one.
  trustOfSettings,
];

/** Undefined if any snapshot is believed. @throws Error that says what to write */
export function trustOf(settings: Settings): Trust | undefined {
  return TRUSTS[0]?.(settings);
}

/** Know what people mean by a wrong setting. */
const WORDS: readonly ((wrong: WrongSetting, schema: () => JsonSchema, near: typeof nearest) => string)[] = [
  // A line for each.
  rightWords,
];
export const remedyFor = (wrong: WrongSetting) =>
  WORDS.map((words) => words(wrong, settingsJsonSchema, nearest)).join("");

/** Know what else lies in the place of the settings. */
const FILES: readonly {
  foreign(text: string): string | undefined;
  explain(text: string, offset: number, length: number): string | undefined;
  similar(directory: string): string | undefined;
}[] = [
  // At most one.
  rightFiles,
];
export const otherFiles = FILES[0];

let jsonSchema: JsonSchema | undefined;

/** Made once, because that takes 30 ms. */
export function settingsJsonSchema(): JsonSchema {
  return (jsonSchema ??= z.toJSONSchema(Settings, { io: "input" }));
}

/** The schema of a property; `true` and `false`, which JSON Schema also allows, are read as empty. */
export function subschema(schema: JsonSchema | boolean | undefined): JsonSchema {
  return typeof schema === "object" ? schema : {};
}
