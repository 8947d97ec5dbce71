// The collector's part of the settings: their schema, and what a run is opened with. A registry of features: each has lines of its own.
import * as z from "zod";
import { sha256, type SnapshotName } from "../snapshots/snapshot.ts";
import { guardSettings, openGuard } from "./features/guard/guard.ts";
import { historySettings, openHistory } from "./features/history/recording.ts";
import { openReplacedFiles } from "./features/kinds/releases/files.ts";
import { linkCheckSettings, openLinkCheck } from "./features/link-check/link-check.ts";
import { namesSettings, withPlanNames } from "./features/names/names.ts";
import { notifySettings, openNotify } from "./features/notify/notify.ts";
import { openSigning, signingSettings } from "./features/signatures/signing.ts";
import { rememberUpstreams } from "./features/upstream-state/upstream-state.ts";
import { crossChecksOf, crossCheckSettings, openWitnesses } from "./features/witnesses/witnesses.ts";
import { standIns } from "./http/fetch.ts";
import type { FeatureOptions, Fingerprints, OpenMemory, Operator, RunPart, SourceWrap } from "./hooks.ts";
import { cronExpression, duration } from "./setting-values.ts";
import type { Source, SourceContext } from "./source.ts";
import { openEach, type Placed } from "./sources/placed.ts";
import { openSource, SourceSettings } from "./sources/sources.ts";

const none = z.literal("none").transform(() => ({ from: "none" as const }));

/** A source, or `"none"` for a vendor that publishes nothing there. */
const SourceOrNone = z.union([SourceSettings, none]);

const PerPlatform = z
  .strictObject({ macos: SourceOrNone, windows: SourceOrNone })
  .describe("A source for each platform");

export const collectorSettings = {
  plans: SourceOrNone.describe('Where the plans come from; `"none"` if there are none'),
  ...namesSettings,
  releases: z
    .union([SourceSettings, none, PerPlatform])
    .describe("Where the releases come from: one source for both platforms, or one for each"),
  standIns,
  ...linkCheckSettings,
  schedule: cronExpression
    .default("*/15 * * * *")
    .describe("When to collect: a cron expression, in UTC; up to two minutes later, the same for one product"),
  staleAfter: duration("24h", "365d").describe("How long a snapshot is served after its source last confirmed it"),
  ...guardSettings,
  ...crossCheckSettings,
  ...notifySettings,
  ...signingSettings,
  ...historySettings,
};

export type CollectorSettings = z.infer<z.ZodObject<typeof collectorSettings>>;

/** Take part in every run, also in a dry one; they judge in this order. */
const PARTS: readonly ((settings: CollectorSettings, options: FeatureOptions & Partial<Operator>) => RunPart)[] = [
  openLinkCheck,
  openReplacedFiles,
  openHistory,
  openGuard,
  openWitnesses,
  openSigning,
];

/** Follow a run that publishes, in this order. */
const FOLLOWING: readonly ((settings: CollectorSettings, options: FeatureOptions & Operator) => RunPart)[] = [
  openNotify,
];

/** Change what an opened source says. Their settings are part of its fingerprint. */
const WRAPS: readonly ((settings: SourcesOfSettings, filled: readonly SnapshotName[]) => SourceWrap | undefined)[] = [
  // A line for each.
  withPlanNames,
];

/** Remember upstreams from run to run. */
const MEMORIES: readonly ((fingerprints: Fingerprints) => OpenMemory)[] = [
  // At most one.
  rememberUpstreams,
];

type SourcesOfSettings = Pick<CollectorSettings, "plans" | "releases"> & Partial<CollectorSettings>;

/** Every source that fills snapshots. */
export function sourcesOf({ plans, releases }: SourcesOfSettings): Placed<SourceSettings>[] {
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

/** Every source that is asked. */
export function askedOf(settings: SourcesOfSettings) {
  return [
    ...sourcesOf(settings),
    // Those of features.
    ...crossChecksOf(settings),
  ];
}

/** What a dry run takes part in, with everything opened. @throws SettingsProblems as below. */
export function openRun(settings: CollectorSettings, options: FeatureOptions & Partial<Operator>) {
  const sources = openSources(settings, options);
  const parts = PARTS.map((open) => open(settings, options));
  return { sources, staleAfter: settings.staleAfter, ...together(parts) };
}

/** The same with what follows a run that publishes. @throws SettingsProblems as below. */
export function openPublishingRun(settings: CollectorSettings, options: FeatureOptions & Operator) {
  const run = openRun(settings, options);
  const following = together(FOLLOWING.map((open) => open(settings, options)));
  return { ...run, hooks: [...run.hooks, ...following.hooks] };
}

/** Opens each part by itself, for a check that reports every problem. */
export function openings(settings: CollectorSettings, options: FeatureOptions): (() => unknown)[] {
  const operator: Operator = { title: "", acceptance: String, warn() {}, onCrossCheck() {} };
  return [
    () => openSources(settings, options),
    ...[...PARTS, ...FOLLOWING].map((open) => () => open(settings, { ...options, ...operator })),
  ];
}

function together(parts: readonly RunPart[]) {
  return {
    judges: parts.flatMap(({ judges = [] }) => judges),
    traces: parts.flatMap(({ traces = [] }) => traces),
    recorders: parts.flatMap(({ recorders = [] }) => recorders),
    hooks: parts.flatMap(({ hooks = [] }) => hooks),
    examiners: parts.flatMap(({ examine = [] }) => examine),
    signing: parts.find(({ signing }) => signing)?.signing,
  };
}

/** Opens every source that fills snapshots. @throws SettingsProblems with each source that cannot be opened and the reason. */
export function openSources(settings: SourcesOfSettings, options: FeatureOptions): Source[] {
  const open = (source: SourceSettings, context: SourceContext) => openWrapped(source, context, settings);
  return openEach(sourcesOf(settings), open, { ...options, standIns: settings.standIns }).map(({ opened }) => opened);
}

/** Opens a source as a run asks it. @throws Error if it cannot be opened */
export function openWrapped(source: SourceSettings, context: SourceContext, settings: SourcesOfSettings): Source {
  return WRAPS.reduce(
    (opened, wrap) => wrap(settings, context.names)?.wrap(opened) ?? opened,
    openSource(source, context),
  );
}

/** Maps each cron expression to the snapshots that are due then. */
export function schedulesOf(settings: SourcesOfSettings & Pick<CollectorSettings, "schedule">) {
  const due = new Map<string, SnapshotName[]>();
  for (const { source, names } of sourcesOf(settings)) {
    const expression = scheduleOf(source, settings);
    due.set(expression, [...(due.get(expression) ?? []), ...names]);
  }
  return due;
}

export function scheduleOf(source: SourceSettings, { schedule }: Pick<CollectorSettings, "schedule">): string {
  return source.schedule ?? schedule;
}

/** Raised whenever the same answer of an upstream becomes another fact, so that a 304 does not keep the old one. */
const TRANSLATION = 3;

/** Hashes each snapshot's source settings and the program's version; if a hash differs, the saved upstream state is void. */
export function fingerprintsOf(settings: SourcesOfSettings, version: string): Fingerprints {
  const { standIns = {} } = settings;
  return new Map(
    sourcesOf(settings).flatMap(({ source, names }) => {
      const own = WRAPS.flatMap((wrap) => wrap(settings, names)?.setting ?? []);
      const fingerprint = sha256(JSON.stringify([version, TRANSLATION, names, source, standIns, ...own]));
      return names.map((name) => [name, fingerprint] as const);
    }),
  );
}

/** What runs with these settings remember of their upstreams. */
export function memoryOf(settings: SourcesOfSettings, version: string): OpenMemory | undefined {
  return MEMORIES[0]?.(fingerprintsOf(settings, version));
}
