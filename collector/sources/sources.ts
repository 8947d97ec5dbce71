// Every kind of source. A new one is a folder, an entry in SourceSettings and a case in `open` (see README.md).
import * as z from "zod";
import { withoutSecrets } from "./secret-leak.ts";
import type { Source, SourceContext } from "../source.ts";
import { AutoUpdaterSettings, openAutoUpdater } from "./autoupdater/source.ts";
import { ElectronBuilderSettings, openElectronBuilder } from "./electron-builder/source.ts";
import { FileSettings, openFile } from "./own-shape/file.ts";
import { GiteaSettings, openGitea } from "./gitea/source.ts";
import { GitHubSettings, openGitHub } from "./github/source.ts";
import { GitLabSettings, openGitLab } from "./gitlab/source.ts";
import { JsonSettings, openJson } from "./own-shape/json.ts";
import { openLemonSqueezy } from "./lemonsqueezy/source.ts";
import { LemonSqueezySettings } from "./lemonsqueezy/settings.ts";
import { ModuleSettings, openModule } from "./module/source.ts";
import { NoneSettings, openNone } from "./none/source.ts";
import { openPaddle } from "./paddle/source.ts";
import { PaddleSettings } from "./paddle/settings.ts";
import { openSparkle, SparkleSettings } from "./sparkle/source.ts";
import { openSquirrel, SquirrelSettings } from "./squirrel/source.ts";
import { openStripe } from "./stripe/source.ts";
import { openTauri, TauriSettings } from "./tauri/source.ts";
import { StripeSettings } from "./stripe/settings.ts";
import { openVelopack, VelopackSettings } from "./velopack/source.ts";

export const SourceSettings = z
  .discriminatedUnion("from", [
    FileSettings,
    JsonSettings,
    GitHubSettings,
    GiteaSettings,
    GitLabSettings,
    StripeSettings,
    PaddleSettings,
    LemonSqueezySettings,
    ElectronBuilderSettings,
    SparkleSettings,
    TauriSettings,
    SquirrelSettings,
    VelopackSettings,
    AutoUpdaterSettings,
    ModuleSettings,
    NoneSettings,
  ])
  .meta({ id: "source" });
export type SourceSettings = z.infer<typeof SourceSettings>;

/** Opens a source that never returns a secret. @throws Error if an environment variable is missing, or if the source cannot
 * fill the snapshots that it is configured for. */
export function openSource(settings: SourceSettings, context: SourceContext): Source {
  return withoutSecrets(open(settings, context), settings, context.environment);
}

function open(settings: SourceSettings, context: SourceContext): Source {
  switch (settings.from) {
    case "file":
      return openFile(settings, context);
    case "json":
      return openJson(settings, context);
    case "stripe":
      return openStripe(settings, context);
    case "paddle":
      return openPaddle(settings, context);
    case "lemonsqueezy":
      return openLemonSqueezy(settings, context);
    case "module":
      return openModule(settings, context);
    case "none":
      return openNone(context);
    case "github":
      return openGitHub(settings, context);
    case "gitea":
      return openGitea(settings, context);
    case "gitlab":
      return openGitLab(settings, context);
    case "electron-builder":
      return openElectronBuilder(settings, context);
    case "sparkle":
      return openSparkle(settings, context);
    case "tauri":
      return openTauri(settings, context);
    case "squirrel":
      return openSquirrel(settings, context);
    case "velopack":
      return openVelopack(settings, context);
    case "autoupdater":
      return openAutoUpdater(settings, context);
  }
}
