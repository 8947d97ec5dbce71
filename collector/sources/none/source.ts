// Source `none`: the vendor publishes nothing for the platform, a fact that needs no upstream.
import * as z from "zod";
import { noRelease, releaseSource } from "../../releases/release.ts";
import type { Source, SourceContext } from "../../source.ts";

export const NoneSettings = z
  .strictObject({ from: z.literal("none") })
  .describe('No release for this platform; `"macos": "none"` is short for it');

export function openNone({ names }: SourceContext): Source {
  return releaseSource<null>("none", names, {
    fetch: () => Promise.resolve({ upstream: null }),
    translate: () => noRelease([]),
  });
}
