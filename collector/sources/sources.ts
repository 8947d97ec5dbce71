// The kinds of source are registered here. Adding one is one line in KINDS (see README.md).
import * as z from "zod";
import { requestTimeout, upstreamUrl } from "../http/request.ts";
import type { Source, SourceContext, SourceKind } from "../source.ts";
import { command } from "../features/kinds/command.ts";
import { autoUpdater } from "../features/kinds/feeds/autoupdater.ts";
import { electronBuilder } from "../features/kinds/feeds/electron-builder.ts";
import { sparkle } from "../features/kinds/feeds/sparkle.ts";
import { squirrel } from "../features/kinds/feeds/squirrel.ts";
import { tauri } from "../features/kinds/feeds/tauri.ts";
import { velopack } from "../features/kinds/feeds/velopack.ts";
import { gitea } from "../features/kinds/forges/gitea.ts";
import { github } from "../features/kinds/forges/github.ts";
import { gitlab } from "../features/kinds/forges/gitlab.ts";
import { none } from "../features/kinds/none.ts";
import { file, json } from "../features/kinds/own-shape/own-shape.ts";
import { lemonSqueezy } from "../features/kinds/payments/lemonsqueezy.ts";
import { paddle } from "../features/kinds/payments/paddle.ts";
import { stripe } from "../features/kinds/payments/stripe.ts";
import { withoutSecrets } from "./secret-leak.ts";

const KINDS = [
  file,
  json,
  github,
  gitea,
  gitlab,
  stripe,
  paddle,
  lemonSqueezy,
  electronBuilder,
  sparkle,
  tauri,
  squirrel,
  velopack,
  autoUpdater,
  command,
  none,
] as const;

type KindSettings = (typeof KINDS)[number]["settings"];

/** Editors complete no word that only the alternatives of a union have. */
const forEditors = {
  type: "object" as const,
  properties: {
    from: {
      description: "Kind of source",
      enum: KINDS.map(({ settings }) => settings.shape.from.value),
      enumDescriptions: KINDS.map(({ settings }) => settings.description),
    },
  },
};

export const SourceSettings = z
  // The cast only says that there is a first kind.
  .discriminatedUnion("from", KINDS.map(({ settings }) => settings) as [KindSettings, ...KindSettings[]])
  .meta({ id: "source", ...forEditors });
export type SourceSettings = z.infer<typeof SourceSettings>;

const facts = z
  .array(z.literal(["plans", "macos", "windows"]))
  .min(1, "must name at least one of plans, macos and windows")
  .refine((facts) => new Set(facts).size === facts.length, "must not repeat a name")
  .describe("What it is asked for: plans, macos, windows");
const ownFields = {
  facts: facts
    .refine((facts) => facts.length === 1 || !facts.includes("plans"), "give the plans a cross-check of their own")
    .describe("What it is asked for: plans; or macos, windows or both"),
  schedule: z.never("goes: a cross-check is asked after a change, daily, and while it disagrees").optional(),
};

// The casts only say that each kind is a strict object, that there is a first one, and what the own fields add.
const checked = KINDS.map(({ settings }) => (settings as z.ZodObject).safeExtend(ownFields));
/** A source of any kind that is asked for facts from elsewhere, to compare them. */
export const CrossCheckSettings = z
  .discriminatedUnion("from", checked as unknown as [z.ZodObject])
  .meta({ id: "crossCheck", ...forEditors }) as unknown as z.ZodType<SourceSettings & { facts: z.infer<typeof facts> }>;

/** A public page of the vendor's that is searched for the published prices and versions. */
export const PageSettings = z
  .strictObject({
    from: z.literal("page").default("page").describe("May be left out"),
    facts,
    page: upstreamUrl.describe("URL of a public page that shows the prices or versions"),
    timeout: requestTimeout,
  })
  .meta({ id: "page" });
export type PageSettings = z.infer<typeof PageSettings>;

/** Opens a source that never returns a secret. @throws Error if an environment variable is missing, or if the source cannot
 * fill the snapshots that it is configured for. */
export function openSource(settings: SourceSettings, context: SourceContext): Source {
  const kind = KINDS.find(({ settings: { shape } }) => shape.from.value === settings.from);
  if (!kind) throw new Error(`sources.ts lacks the kind "${settings.from}"`);
  // The cast holds because `from` says which kind the settings are of.
  const source = (kind as SourceKind<z.ZodType<SourceSettings>>).open(settings, context);
  return withoutSecrets(source, settings, context.environment);
}
