// Compares published facts with other sources and with pages of the vendor, and with the releases that a setting leaves out. For a
// vendor whose feed may stop unnoticed. Without it, `crossChecks` is no setting, and `status`, notes and metrics know of no disagreement.
// after: prices, versions
import * as z from "zod";
import { releaseName, sha256 } from "../../../snapshots/snapshot.ts";
import type { StandIns } from "../../http/fetch.ts";
import { requestTimeout, upstreamUrl } from "../../http/request.ts";
import type { FeatureOptions, Operator, RunPart } from "../../hooks.ts";
import type { SourceContext } from "../../source.ts";
import { openEach, type Placed } from "../../sources/placed.ts";
import { ofAnyKind, openSource, type SourceSettings } from "../../sources/sources.ts";
import { crossCheck, examiner, openWitness, type CrossCheck } from "./cross-check.ts";
import { openPage } from "./page-check.ts";

const facts = z
  .array(z.literal(["plans", "macos", "windows"]))
  .min(1, "must name at least one of plans, macos and windows")
  .refine((facts) => new Set(facts).size === facts.length, "must not repeat a name")
  .describe("What it is asked for: plans, macos, windows");
/** Of a source that is asked for facts from elsewhere. */
const ownFields = {
  facts: facts
    .refine((facts) => facts.length === 1 || !facts.includes("plans"), "give the plans a cross-check of their own")
    .describe("What it is asked for: plans; or macos, windows or both"),
  schedule: z.never("goes: a cross-check is asked after a change, daily, and while it disagrees").optional(),
};

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

export const crossCheckSettings = {
  crossChecks: z
    .array(z.union([ofAnyKind("crossCheck", (settings) => settings.safeExtend(ownFields)), PageSettings]))
    .max(20)
    .default([])
    .describe(
      'Sources and pages to compare with, never published: `[{ "facts": ["macos"], "from": "github", … }, { "facts": ["plans"], "page": "https://…" }]`',
    ),
};

type Witness = SourceSettings | PageSettings;
interface Settings {
  crossChecks?: z.infer<typeof crossCheckSettings.crossChecks> | undefined;
  standIns?: StandIns | undefined;
}

export function crossChecksOf({ crossChecks = [] }: Settings): Placed<Witness>[] {
  return crossChecks.map((source, index) => {
    const names = source.facts.map((fact) => (fact === "plans" ? fact : releaseName(fact)));
    return { path: `crossChecks.${index}`, source, names };
  });
}

/** @throws SettingsProblems with each cross-check that cannot be opened and the reason. */
export function openWitnesses(settings: Settings, options: FeatureOptions & Partial<Operator>): RunPart {
  const checks = openCrossChecks(settings, options);
  const after = (run: Parameters<typeof crossCheck>[1]) => crossCheck(checks, run, options.onCrossCheck);
  return { hooks: [{ name: "crossChecks", after }], examine: examiner(checks) };
}

/** @throws SettingsProblems as above. */
export function openCrossChecks(settings: Settings, options: FeatureOptions): CrossCheck[] {
  const open = (source: Witness, context: SourceContext) =>
    "page" in source ? openPage(source, context) : openWitness(openSource(source, context));
  const opened = openEach(crossChecksOf(settings), open, { ...options, standIns: settings.standIns });
  return opened.map(({ opened, source }) => ({
    ...opened,
    witness: `${source.from} ${placeOf(source)}`.trim(),
    fingerprint: sha256(JSON.stringify(source)),
  }));
}

/** Says where a witness asks: of a URL only the host, because the rest may be a secret; of a public page its path, too. */
function placeOf(source: Witness): string {
  if ("page" in source) return source.page.replace(/^https?:\/\/|[?#].*/g, "");
  const { repo, project, path, url } = source;
  return repo ?? project ?? path ?? (url === undefined ? "" : new URL(url).host);
}
