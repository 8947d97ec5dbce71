// Source `none`: the vendor publishes nothing for the platform, a fact that needs no upstream.
import * as z from "zod";
import { noRelease } from "../releases/release.ts";
import { sourceKind } from "../source.ts";
import { releaseSource } from "./release-source.ts";

export const none = sourceKind({
  settings: z
    .strictObject({ from: z.literal("none") })
    .describe('No release for this platform; `"macos": "none"` is short for it'),
  open: (_, { names }) =>
    releaseSource<null>("none", names, {
      fetch: () => Promise.resolve({ upstream: null }),
      translate: () => noRelease([]),
    }),
});
