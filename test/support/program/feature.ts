// Which features are in: tests of the whole house must not be red because one of them was taken out.
import { existsSync } from "node:fs";

export function isIn(feature: string): boolean {
  return ["snapshots", "collector", "server", "cli"].some((program) =>
    existsSync(new URL(`../../../${program}/features/${feature}`, import.meta.url)),
  );
}
