// The registry of the kinds of source. Adding a kind is one line in KINDS (see README.md).
import * as z from "zod";
import type { DocumentReader, Source, SourceContext, SourceKind } from "../source.ts";
import { vendorModule } from "./command.ts";
import { autoUpdater } from "./feeds/autoupdater.ts";
import { electronBuilder } from "./feeds/electron-builder.ts";
import { sparkle } from "./feeds/sparkle.ts";
import { squirrel } from "./feeds/squirrel.ts";
import { tauri } from "./feeds/tauri.ts";
import { velopack } from "./feeds/velopack.ts";
import { gitea } from "./forges/gitea.ts";
import { github } from "./forges/github.ts";
import { gitlab } from "./forges/gitlab.ts";
import { none } from "./none.ts";
import { file, json } from "./own-shape/own-shape.ts";
import { lemonSqueezy } from "./payments/lemonsqueezy.ts";
import { paddle } from "./payments/paddle.ts";
import { stripe } from "./payments/stripe.ts";
import { withoutSecrets } from "./secret-leak.ts";

/** In the order in which messages and documents list them. */
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
  vendorModule,
  none,
] as const;

type KindSettings = (typeof KINDS)[number]["settings"];

export const SourceSettings = z
  // The cast only says that there is a first kind.
  .discriminatedUnion("from", KINDS.map(({ settings }) => settings) as [KindSettings, ...KindSettings[]])
  .meta({ id: "source" });
export type SourceSettings = z.infer<typeof SourceSettings>;

/** The readers of all kinds. */
export const READERS: readonly DocumentReader<unknown, unknown>[] = KINDS.flatMap(({ readers }) => readers);

/** For the thread that reads large documents. @throws Error if no kind lists the reader. */
export function readerOf(name: string): DocumentReader<unknown, unknown> {
  const reader = READERS.find((reader) => reader.name === name);
  if (!reader) throw new Error(`no kind in sources.ts lists the reader "${name}"`);
  return reader;
}

/** Opens a source that never returns a secret. @throws Error if an environment variable is missing, or if the source cannot
 * fill the snapshots that it is configured for. */
export function openSource(settings: SourceSettings, context: SourceContext): Source {
  const kind = KINDS.find(({ settings: { shape } }) => shape.from.value === settings.from);
  if (!kind) throw new Error(`sources.ts lacks the kind "${settings.from}"`);
  // The cast holds because `from` says which kind the settings are of.
  const source = (kind as SourceKind<z.ZodType<SourceSettings>>).open(settings, context);
  return withoutSecrets(source, settings, context.environment);
}
