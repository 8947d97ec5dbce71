// Every kind of source there is. A new one is a file in sources/, a line in SourceSettings and a line in `open`.
import * as z from "zod";
import { discreet } from "./discreet.ts";
import type { Source, SourceContext } from "./source.ts";
import { ElectronBuilderSettings, openElectronBuilder } from "./sources/electron-builder.ts";
import { FileSettings, openFile } from "./sources/file.ts";
import { GitHubSettings, openGitHub } from "./sources/github.ts";
import { JsonSettings, openJson } from "./sources/json.ts";
import { ModuleSettings, openModule } from "./sources/module.ts";
import { openSparkle, SparkleSettings } from "./sources/sparkle.ts";
import { openStripe } from "./sources/stripe.ts";
import { openTauri, TauriSettings } from "./sources/tauri.ts";
import { StripeSettings } from "./stripe/settings.ts";

export const SourceSettings = z
  .discriminatedUnion("from", [
    FileSettings,
    JsonSettings,
    GitHubSettings,
    StripeSettings,
    ElectronBuilderSettings,
    SparkleSettings,
    TauriSettings,
    ModuleSettings,
  ])
  .meta({ id: "source" });
export type SourceSettings = z.infer<typeof SourceSettings>;

/** A source that never repeats a secret. @throws Error when an environment variable is missing, or when the source cannot fill the snapshots it is for. */
export function openSource(settings: SourceSettings, context: SourceContext): Source {
  return discreet(open(settings, context), settings, context.environment);
}

function open(settings: SourceSettings, context: SourceContext): Source {
  switch (settings.from) {
    case "file":
      return openFile(settings, context);
    case "json":
      return openJson(settings, context);
    case "stripe":
      return openStripe(settings, context);
    case "module":
      return openModule(settings, context);
    case "github":
      return openGitHub(settings, context);
    case "electron-builder":
      return openElectronBuilder(settings, context);
    case "sparkle":
      return openSparkle(settings, context);
    case "tauri":
      return openTauri(settings, context);
  }
}
