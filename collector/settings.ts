// The collector's part of the settings: their schema, and the sources opened from them.
import * as z from "zod";
import { MAX_ISSUER, MAX_KEYS, publicKeys, signingKey, type Signing } from "../snapshots/features/signatures/proof.ts";
import { isSafeUrl, parseUrl } from "../snapshots/rules.ts";
import { releaseName, sha256, type SnapshotName } from "../snapshots/snapshot.ts";
import type { Trust } from "../snapshots/store.ts";
import { standIns } from "./http/fetch.ts";
import { secretName, withSecrets, type Environment } from "./http/request.ts";
import { openWitness, type CrossCheck } from "./features/witnesses/cross-check.ts";
import { Guard } from "./features/guard/guard.ts";
import { openPage } from "./features/witnesses/page-check.ts";
import { PageSettings, withFacts } from "./features/witnesses/settings.ts";
import type { Fingerprints } from "./run/upstream-state.ts";
import { cronExpression, duration } from "./setting-values.ts";
import { planNames, withNames } from "./features/names/names.ts";
import { fromSetting, SettingsProblems } from "./settings-problems.ts";
import type { Source, SourceContext } from "./source.ts";
import { ofAnyKind, openSource, SourceSettings } from "./sources/sources.ts";

const none = z.literal("none").transform(() => ({ from: "none" as const }));

/** A source, or `"none"` for a vendor that publishes nothing there. */
const SourceOrNone = z.union([SourceSettings, none]);

const PerPlatform = z
  .strictObject({ macos: SourceOrNone, windows: SourceOrNone })
  .describe("A source for each platform");

export const collectorSettings = {
  plans: SourceOrNone.describe('Where the plans come from; `"none"` if there are none'),
  names: planNames
    .default({})
    .describe('What plans are called: `{ "pro": { "title": "Pro", "line": "For teams", "buy": "https://…" } }`'),
  releases: z
    .union([SourceSettings, none, PerPlatform])
    .describe("Where the releases come from: one source for both platforms, or one for each"),
  standIns,
  checkLink: z
    .boolean()
    .default(true)
    .describe("Whether a new download link is asked, without credentials, before it is published, and then daily"),
  schedule: cronExpression
    .default("*/15 * * * *")
    .describe("When to collect: a cron expression, in UTC; up to two minutes later, the same for one product"),
  staleAfter: duration("24h", "365d").describe("How long a snapshot is served after its source last confirmed it"),
  guard: z
    .union([z.literal(false), Guard])
    .prefault({ confirm: 3, over: "20m", releaseOver: "12h", priceFactor: 5, off: [] })
    .describe("Holds back changes that look like an accident; disabled by `false`, or for single reasons by `off`"),
  crossChecks: z
    .array(z.union([ofAnyKind("crossCheck", withFacts), PageSettings]))
    .max(20)
    .default([])
    .describe(
      'Sources and pages to compare with, never published: `[{ "facts": ["macos"], "from": "github", … }, { "facts": ["plans"], "page": "https://…" }]`',
    ),
  notify: secretName
    .optional()
    .describe('Where to post a message when a fact needs a look, and when it is well again: `"$NOTIFY_URL"`'),
  signing: z
    .strictObject({
      key: secretName.describe('The collector\'s key, which `vitrine keygen` makes: `"$SIGNING_KEY"`'),
      also: publicKeys(MAX_KEYS - 1)
        .default([])
        .describe("Public keys to publish beside its own: the next one, and earlier ones"),
    })
    .optional()
    .describe("Signs each fact when it is confirmed: [operating](operating.md#signed-facts)"),
  history: z
    .strictObject({
      keep: z.int().min(0).max(1_000).default(100).describe("How many changes of each snapshot are kept; 0 keeps none"),
      age: duration("400d", "3650d").describe("How long a change is kept; the newest is always kept"),
    })
    .prefault({})
    .describe("How much history is kept, for `vitrine history`, `vitrine diff` and the feed"),
};

export type CollectorSettings = z.infer<z.ZodObject<typeof collectorSettings>>;

type SourcesOfSettings = Pick<CollectorSettings, "plans" | "releases"> &
  Partial<Pick<CollectorSettings, "names" | "standIns" | "crossChecks">>;

/** `path`: in the settings. `names`: of the snapshots that the source is asked for. */
interface PlacedSource<Settings = SourceSettings> {
  path: string;
  source: Settings;
  names: SnapshotName[];
}

/** Every source that fills snapshots. */
export function sourcesOf({ plans, releases }: SourcesOfSettings): PlacedSource[] {
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

type Witness = SourceSettings | PageSettings;

/** Every source that is asked, cross-checks included. */
export function askedOf(settings: SourcesOfSettings): PlacedSource<Witness>[] {
  return [...sourcesOf(settings), ...crossChecksOf(settings)];
}

function crossChecksOf({ crossChecks = [] }: SourcesOfSettings): PlacedSource<Witness>[] {
  return crossChecks.map((source, index) => {
    const names = source.facts.map((fact) => (fact === "plans" ? fact : releaseName(fact)));
    return { path: `crossChecks.${index}`, source, names };
  });
}

interface OpenOptions {
  directory: string;
  environment: Environment;
  /** The name of the settings file, for error messages. */
  file: string;
  /** The base URL of the API, for which proofs are signed. */
  base?: string | undefined;
  /** The setting of readers, which must trust the collector's key. */
  trust?: Trust | undefined;
  /** Logs a source's line for the operator, prefixed with its path in the settings. */
  log?: (line: string) => void;
}

/** What the settings say of each run, with everything opened. @throws SettingsProblems as below. */
export function openRun(settings: CollectorSettings, options: OpenOptions) {
  const { guard, staleAfter, checkLink, standIns, history } = settings;
  return {
    sources: openSources(settings, options),
    crossChecks: openCrossChecks(settings, options),
    signing: openSigning(settings, options),
    // A hold ends before the fact that it protects is stale.
    guard: guard && { ...guard, releaseOver: Math.min(guard.releaseOver, staleAfter / 2) },
    links: checkLink ? { standIns } : undefined,
    staleAfter,
    history,
  };
}

/** Opens every source that fills snapshots. @throws SettingsProblems with each source that cannot be opened and the reason. */
export function openSources(settings: SourcesOfSettings, options: OpenOptions): Source[] {
  const opened = openEach(sourcesOf(settings), openSource, { ...options, standIns: settings.standIns });
  return opened.map(({ path, opened }) => (path === "plans" ? withNames(opened, settings.names ?? {}) : opened));
}

/** Opens every cross-check. @throws SettingsProblems as above. */
export function openCrossChecks(settings: SourcesOfSettings, options: OpenOptions): CrossCheck[] {
  const open = (source: Witness, context: SourceContext) =>
    "page" in source ? openPage(source, context) : openWitness(openSource(source, context));
  const opened = openEach(crossChecksOf(settings), open, { ...options, standIns: settings.standIns });
  return opened.map(({ opened, source }) => ({
    ...opened,
    witness: `${source.from} ${placeOf(source)}`.trim(),
    fingerprint: sha256(JSON.stringify(source)),
  }));
}

function openEach<Settings, Opened>(
  placed: readonly PlacedSource<Settings>[],
  open: (source: Settings, context: SourceContext) => Opened,
  { directory, environment, file, standIns, log = () => {} }: OpenOptions & Pick<SourceContext, "standIns">,
): (PlacedSource<Settings> & { opened: Opened })[] {
  const problems: string[] = [];
  const sources = placed.flatMap(({ path, source, names }) => {
    try {
      const context = { names, directory, environment, standIns, log: (line: string) => log(`${path}: ${line}`) };
      return [{ path, source, names, opened: open(source, context) }];
    } catch (error) {
      problems.push(`${path}   ${error instanceof Error ? error.message : "cannot be opened"}`);
      return [];
    }
  });
  if (problems.length > 0) throw new SettingsProblems(file, problems);
  return sources;
}

/** Reads the address of `notify` from its variable. @throws SettingsProblems that names the variable, never its value. */
export function openNotify(
  { notify }: Pick<CollectorSettings, "notify">,
  { environment, file }: Pick<OpenOptions, "environment" | "file">,
): string | undefined {
  if (notify === undefined) return undefined;
  const problemIn = (address: string) =>
    isSafeUrl(parseUrl(address)) ? undefined : "must be an https URL without user name (http only on this computer)";
  return fromSetting(file, "notify", () => withSecrets({ notify }, environment, problemIn).notify);
}

/** Returns what to sign with; undefined for a collector that does not sign. @throws SettingsProblems that name the variable,
 * never its value. */
export function openSigning(
  { signing }: Pick<CollectorSettings, "signing">,
  { environment, file, base: issuer, trust }: Pick<OpenOptions, "environment" | "file" | "base" | "trust">,
): Signing | undefined {
  return fromSetting(file, "signing", () => {
    if (!signing && trust) throw new Error("is missing: with trust, readers would refuse what is not signed");
    if (!signing) return undefined;
    if (issuer === undefined) throw new Error("needs api.baseUrl, for which the proofs are: set it, or BASE_URL");
    if (issuer.length > MAX_ISSUER) throw new Error(`needs an api.baseUrl of at most ${MAX_ISSUER} characters`);
    const { text = "" } = withSecrets({ text: signing.key }, environment);
    const key = signingKey(text, signing.key.slice(1));
    if (trust && !trust.keys.includes(key.publicKey))
      throw new Error(`signs with a key that trust does not have: add ${key.publicKey} there`);
    return { key, also: signing.also, issuer };
  });
}

/** Says where a witness asks: of a URL only the host, because the rest may be a secret; of a public page its path, too. */
function placeOf(source: Witness): string {
  if ("page" in source) return source.page.replace(/^https?:\/\/|[?#].*/g, "");
  const { repo, project, path, url } = source;
  return repo ?? project ?? path ?? (url === undefined ? "" : new URL(url).host);
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
const TRANSLATION = 2;

/** Hashes each snapshot's source settings and the program's version; if a hash differs, the saved upstream state is void. */
export function fingerprintsOf(settings: SourcesOfSettings, version: string): Fingerprints {
  const { standIns = {}, names: planNames = {} } = settings;
  return new Map(
    sourcesOf(settings).flatMap(({ path, source, names }) => {
      const own = path === "plans" ? [planNames] : [];
      const fingerprint = sha256(JSON.stringify([version, TRANSLATION, names, source, standIns, ...own]));
      return names.map((name) => [name, fingerprint] as const);
    }),
  );
}
