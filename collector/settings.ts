// The collector's part of the settings.
import * as z from "zod";
import { duration } from "./settings/duration.ts";
import { HOLD_REASON_NAMES } from "../snapshots/held.ts";
import { sha256, type SnapshotName } from "../snapshots/snapshot.ts";
import type { Fingerprints } from "./run/upstream-state.ts";
import type { Environment } from "./http/secrets.ts";
import type { Source } from "./source.ts";
import { cronExpression } from "./settings/cron.ts";
import { SettingsProblems } from "./settings/problems.ts";
import { openSource, SourceSettings } from "./sources/sources.ts";
import { standIns } from "./http/stand-ins.ts";

const Guard = z
  .strictObject({
    confirm: z.int().min(1).max(100).default(3).describe("Equal sightings in a row that publish what is held"),
    over: duration("20m", "30d").describe("Time that must have passed since the first of them"),
    priceFactor: z.number().min(1.1).max(1_000_000).default(5).describe("Factor from which a price's move is held"),
    off: z.array(z.enum(HOLD_REASON_NAMES)).default([]).describe("What is not looked at"),
  })
  .describe("When a held candidate is published by itself, and what is not looked at");

const PerPlatform = z
  .strictObject({ macos: SourceSettings, windows: SourceSettings })
  .describe("A source for each platform");

/** The collector's settings, to be spread into the settings file's schema. */
export const collectorSettings = {
  plans: SourceSettings.describe("Where the plans come from"),
  releases: z
    .union([SourceSettings, PerPlatform])
    .describe("Where the releases come from: one source for both platforms, or one for each"),
  standIns,
  schedule: cronExpression.default("*/15 * * * *").describe("When to collect: a cron expression, in UTC"),
  staleAfter: duration("24h", "365d").describe("How long a snapshot is served after its source last confirmed it"),
  guard: z
    .union([z.literal(false), Guard])
    .prefault({ confirm: 3, over: "20m", priceFactor: 5, off: [] })
    .describe("Holds back what looks like an accident; `false`, or reasons in `off`, switch it off"),
  history: z
    .strictObject({
      keep: z
        .int("use a whole number from 0 to 1000")
        .min(0, "use a whole number from 0 to 1000")
        .max(1_000, "use a whole number from 0 to 1000")
        .default(100)
        .describe("How many changes of each snapshot are kept; 0 keeps none"),
      age: duration("400d", "3650d").describe("How long a change is kept; the newest one always is"),
    })
    .prefault({})
    .describe("How much of the past is kept, for `vitrine history`, `vitrine diff` and the feed"),
};

const Collector = z.object(collectorSettings);
export type CollectorSettings = z.infer<typeof Collector>;

type SourcesOfSettings = Pick<CollectorSettings, "plans" | "releases"> & Partial<Pick<CollectorSettings, "standIns">>;

/** Every source of the settings: where it stands in the file, and which snapshots it fills. */
export function sourcesOf({ plans, releases }: SourcesOfSettings): {
  path: string;
  source: SourceSettings;
  names: SnapshotName[];
}[] {
  const ofPlans = { path: "plans", source: plans, names: ["plans" as const] };
  if ("from" in releases) {
    return [ofPlans, { path: "releases", source: releases, names: ["release-macos", "release-windows"] }];
  }
  return [
    ofPlans,
    { path: "releases.macos", source: releases.macos, names: ["release-macos"] },
    { path: "releases.windows", source: releases.windows, names: ["release-windows"] },
  ];
}

interface Opening {
  directory: string;
  environment: Environment;
  /** The settings file, as given. */
  file: string;
  /** Takes what sources say to the operator, each line with its source's place in the settings. */
  log?: (line: string) => void;
}

/** Opens every source of the settings. @throws SettingsProblems naming each one that cannot be opened and why. */
export function openSources(
  settings: SourcesOfSettings,
  { directory, environment, file, log = () => {} }: Opening,
): Source[] {
  const problems: string[] = [];
  const sources = sourcesOf(settings).flatMap(({ path, source, names }) => {
    try {
      const { standIns } = settings;
      const context = { names, directory, environment, standIns, log: (line: string) => log(`${path}: ${line}`) };
      return [openSource(source, context)];
    } catch (error) {
      problems.push(`${path}   ${error instanceof Error ? error.message : "cannot be opened"}`);
      return [];
    }
  });
  if (problems.length > 0) throw new SettingsProblems(file, problems);
  return sources;
}

/** What is due when: the sources, as opened from these settings, by cron expression. */
export function schedulesOf(
  settings: SourcesOfSettings & Pick<CollectorSettings, "schedule">,
  sources: readonly Source[],
): Map<string, Source[]> {
  const due = new Map<string, Source[]>();
  for (const { source, names } of sourcesOf(settings)) {
    const expression = ("schedule" in source ? source.schedule : undefined) ?? settings.schedule;
    const opened = sources.filter((candidate) => names.some((name) => candidate.names.includes(name)));
    due.set(expression, [...(due.get(expression) ?? []), ...opened]);
  }
  return due;
}

/** Sums of what each source is opened with, for what runs remember: other settings, or another version of the program,
 * and what was remembered says nothing any more. */
export function fingerprintsOf(settings: SourcesOfSettings, version: string): Fingerprints {
  const { standIns = {} } = settings;
  return new Map(
    sourcesOf(settings).flatMap(({ source, names }) => {
      const sum = sha256(JSON.stringify([version, names, source, standIns]));
      return names.map((name) => [name, sum] as const);
    }),
  );
}
