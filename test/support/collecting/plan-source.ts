// Sources of plans with prices: opens one for a stand-in of its upstream, and collects from it.
import { openSources } from "../../../collector/settings.ts";
import { collect, type Outcome } from "../../../collector/run/collect.ts";
import { SourceSettings } from "../../../collector/sources/sources.ts";
import type { Candidate } from "../../../collector/source.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { temporaryDirectory } from "../directory.ts";
import { snapshotFiles } from "./collector.ts";
import type { Upstream } from "./upstream.ts";

type Environment = Record<string, string>;

const neverAborted = () => new AbortController().signal;

/** The end of every refusal of a price. */
export const WAY_OUT = '; or give the plan fixed "prices"';

export const CYCLES = [
  { key: "monthly", durationMonths: 1, labelKey: "billing.monthly", savingBadge: null },
  { key: "annual", durationMonths: 12, labelKey: "billing.annual", savingBadge: "-17%" },
];

/** Opens a source of plans with these settings, and files for the releases. @throws SettingsProblems, ZodError */
export function openPlans(settings: unknown, directory: string, environment: Environment) {
  const releases = { from: "file" as const, path: "releases.json" };
  const plans = SourceSettings.parse(settings);
  return openSources({ plans, releases }, { directory, environment, file: "vitrine.config.json" });
}

/** Collects once. Returns the outcome, all text that was written or reported, and the requested paths. */
export async function collectPlans(
  upstream: Upstream,
  settings: unknown,
  environment: Environment,
): Promise<{ plans: Outcome; all: string; paths: string[] }> {
  const directory = await temporaryDirectory();
  const [source] = openPlans(settings, directory, environment);
  const outcomes = await collect({
    sources: source ? [source] : [],
    store: openStore(directory),
    fingerprints: new Map(),
    staleAfter: 60_000,
    guard: false,
    signal: neverAborted(),
    onOutcome: () => {},
  });
  if (outcomes === "busy" || !outcomes[0]) throw new Error("no outcome");
  const all = JSON.stringify([outcomes, await snapshotFiles(directory)]);
  return { plans: outcomes[0], all, paths: upstream.requests.map(({ path }) => decodeURIComponent(path)) };
}

/** The candidate: the payload, and the prices that were picked and skipped. @throws UpstreamError */
export async function planCandidate(settings: unknown, environment: Environment): Promise<Candidate> {
  const [source] = openPlans(settings, ".", environment);
  const fetched = await source?.fetch({ signal: neverAborted(), validators: undefined });
  if (!source || !fetched || fetched === "unchanged") throw new Error("no answer");
  return source.translate(fetched.upstream, "plans");
}

/** The problem that the settings have, as text; empty if there is none. */
export function planProblem(settings: object, environment: Environment): string {
  const { success, error } = SourceSettings.safeParse(settings);
  if (!success) return error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("\n");
  try {
    openPlans(settings, ".", environment);
    return "";
  } catch (error) {
    return String(error);
  }
}
