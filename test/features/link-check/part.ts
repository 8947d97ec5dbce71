// The check of links in a run of a test.
import { linkCheck } from "../../../collector/features/link-check/link-check.ts";
import type { RunPart } from "../../../collector/hooks.ts";
import type { PartSettings } from "../../support/collecting/parts.ts";

export function linkPart({ links }: PartSettings): RunPart {
  return links ? { judges: [linkCheck(links)] } : {};
}
