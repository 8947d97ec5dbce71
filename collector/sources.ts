// Every kind of source there is. A new one is a file in sources/, a line in SourceSettings and a line in openSource.
import { z } from "zod";
import type { Source, SourceContext } from "./source.ts";
import { FileSettings, openFile } from "./sources/file.ts";
import { JsonSettings, openJson } from "./sources/json.ts";
import { ModuleSettings, openModule } from "./sources/module.ts";
import { openStripe } from "./sources/stripe.ts";
import { StripeSettings } from "./stripe/settings.ts";

export const SourceSettings = z
  .discriminatedUnion("from", [FileSettings, JsonSettings, StripeSettings, ModuleSettings])
  .meta({ id: "source" });
export type SourceSettings = z.infer<typeof SourceSettings>;

/** @throws Error when an environment variable is missing. */
export function openSource(settings: SourceSettings, context: SourceContext): Source {
  switch (settings.from) {
    case "file":
      return openFile(settings, context);
    case "json":
      return openJson(settings, context);
    case "stripe":
      return openStripe(settings, context);
    case "module":
      return openModule(settings, context);
  }
}
