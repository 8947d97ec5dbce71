// Registry: the kinds of source, and what describes each fact that they find. Both have a line each (see README.md).
import * as z from "zod";
import type { Environment } from "../http/request.ts";
import type { Describe, KindSettings, Source, SourceContext, SourceKind } from "../source.ts";
import { exactAmounts } from "../features/kinds/amounts.ts";
import { command } from "../features/kinds/command.ts";
import { autoUpdater } from "../features/kinds/feeds/autoupdater.ts";
import { electronBuilder } from "../features/kinds/feeds/electron-builder.ts";
import { sparkle } from "../features/kinds/feeds/sparkle.ts";
import { squirrel } from "../features/kinds/feeds/squirrel.ts";
import { tauri } from "../features/kinds/feeds/tauri.ts";
import { velopack } from "../features/kinds/feeds/velopack.ts";
import { gitea, github } from "../features/kinds/forges/github.ts";
import { gitlab } from "../features/kinds/forges/gitlab.ts";
import { file, json } from "../features/kinds/own-shape/own-shape.ts";
import { lemonSqueezy } from "../features/kinds/payments/lemonsqueezy.ts";
import { paddle } from "../features/kinds/payments/paddle.ts";
import { stripe } from "../features/kinds/payments/stripe.ts";
import { releaseFiles } from "../features/kinds/releases/files.ts";
import { withoutSecrets } from "../features/secret-leak/secret-leak.ts";
import { contradictions } from "../features/warnings/warnings.ts";
import { none } from "./none.ts";

const KINDS: readonly SourceKind[] = [
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
];

const DESCRIBERS: readonly Describe[] = [
  // Each sees what those before it have added.
  releaseFiles,
  exactAmounts,
  contradictions,
];

/** Keep from every source what must not pass. */
const FILTERS: readonly ((source: Source, settings: object, environment: Environment) => Source)[] = [
  // A line for each.
  withoutSecrets,
];

/** The settings of any kind, told apart by `from`. `id`: of the schema. `made`: from the settings of each kind. */
export function ofAnyKind<Made extends KindSettings>(id: string, made: (settings: KindSettings) => Made) {
  const [first = none, ...others] = KINDS;
  const options: [Made, ...Made[]] = [made(first.settings), ...others.map(({ settings }) => made(settings))];
  // Editors complete no word that only the alternatives of a union have.
  const from = {
    description: "Kind of source",
    enum: KINDS.map(({ settings }) => settings.shape.from.value),
    enumDescriptions: KINDS.map(({ settings }) => settings.description),
  };
  return z.discriminatedUnion("from", options).meta({ id, type: "object", properties: { from } });
}

export const SourceSettings = ofAnyKind("source", (settings) => settings);

/** What the rest of the program reads of the settings of a source, whatever its kind. */
export interface SourceSettings extends Partial<Record<Field, string | undefined>> {
  from: string;
  command?: readonly [string, ...string[]] | undefined;
  env?: Record<string, string> | undefined;
}
type Field = "schedule" | "path" | "url" | "repo" | "project" | "asset";

/** Opens a source that never returns a secret. @throws Error if an environment variable is missing, or if the source cannot
 * fill the snapshots that it is configured for. */
export function openSource(settings: SourceSettings, context: SourceContext): Source {
  const kind = KINDS.find(({ settings: { shape } }) => shape.from.value === settings.from);
  if (!kind) throw new Error(`sources.ts lacks the kind "${settings.from}"`);
  const opened = kind.open(settings, context);
  const source = FILTERS.reduce((one, filter) => filter(one, settings, context.environment), opened);
  return { ...source, describers: DESCRIBERS };
}
