// Everything that the page shows. A fact that is stale or missing has no payload here, so no section can show it.
import { PLATFORMS, type LatestReleaseResponse, type Platform, type PlansResponse } from "../../../snapshots/schema.ts";
import type { Collections } from "../../../snapshots/records.ts";
import { SNAPSHOT_NAMES, type FactState, type Snapshot, type SnapshotName } from "../../../snapshots/snapshot.ts";
import type { Site } from "../../answers/addition.ts";
import { dateTime } from "../words/words.ts";
import type { Lookup } from "../../mirror/mirror.ts";
import type { Section } from "./markup.ts";

/** A snapshot as the page shows it. Times are ISO 8601, UTC. */
export type PageFact<P> = FactState<Times & { payload: P } & Pick<Snapshot, "names" | "files">, Times>;
type Times = Pick<Snapshot, "confirmedAt" | "freshUntil">;

/** The part of the view that stays the same while the server runs. */
export interface PageSite extends Pick<Site, "api" | "index" | "base" | "logo" | "picture" | "mentions"> {
  /** Those of other features. */
  sections: readonly ((view: View) => Section | undefined)[];
}

export interface PageFacts {
  get: (name: SnapshotName) => Lookup;
  collections: Collections;
}

export interface View extends PageSite, Omit<PageFacts, "get"> {
  facts: {
    /** The first plans and cycles only. */
    plans: PageFact<PlansResponse>;
    "release-macos": PageFact<LatestReleaseResponse>;
    "release-windows": PageFact<LatestReleaseResponse>;
  };
  /** Those with a release first. */
  releases: readonly ReleaseView[];
  /** False for a vendor whose list of plans is empty, fresh or not. */
  hasPlans: boolean;
  /** The number of plans that the page leaves to the API. */
  morePlans: number;
  /** The stale and missing snapshots. */
  unavailable: readonly SnapshotName[];
}

export interface ReleaseView {
  platform: Platform;
  name: SnapshotName;
  fact: PageFact<LatestReleaseResponse>;
}

/** The page shows no more; the API has all. */
const MAX_PLANS = 60;
const MAX_CYCLES = 24;

export function viewOf(site: PageSite, { get, collections }: PageFacts): View {
  const plans = factOf<PlansResponse>(get("plans"));
  const facts: View["facts"] = {
    plans: shortened(plans),
    "release-macos": factOf(get("release-macos")),
    "release-windows": factOf(get("release-windows")),
  };
  return {
    ...site,
    collections,
    facts,
    releases: PLATFORMS.map((platform) => {
      const name = `release-${platform}` as const;
      return { platform, name, fact: facts[name] };
    }).toSorted((a, b) => Number(isWithout(a)) - Number(isWithout(b))),
    hasPlans: !isEmpty(get("plans")),
    morePlans: plans.state === "fresh" ? Math.max(0, plans.payload.plans.length - MAX_PLANS) : 0,
    unavailable: SNAPSHOT_NAMES.filter((name) => facts[name].state !== "fresh"),
  };
}

function isEmpty(lookup: Lookup): boolean {
  return lookup.state !== "missing" && "plans" in lookup.snapshot.payload && lookup.snapshot.payload.plans.length === 0;
}

function isWithout({ fact }: ReleaseView): boolean {
  return fact.state !== "fresh" || !fact.payload.hasUpdate;
}

function factOf<P>(lookup: Lookup): PageFact<P> {
  if (lookup.state === "missing") return { state: "missing" };
  const { confirmedAt, freshUntil, names, files, payload } = lookup.snapshot;
  const times = { confirmedAt, freshUntil };
  if (lookup.state === "stale") return { state: "stale", ...times };
  return { state: "fresh", ...times, names, files, payload: payload as P };
}

export function unavailableText(fact: Exclude<PageFact<never>, { state: "fresh" }>): string {
  return fact.state === "missing"
    ? "Not collected yet, so nothing is shown here."
    : `Not confirmed since ${dateTime(fact.confirmedAt)}: not shown until it is confirmed again.`;
}

function shortened(plans: PageFact<PlansResponse>): PageFact<PlansResponse> {
  if (plans.state !== "fresh") return plans;
  const { payload } = plans;
  const cycles = payload.cycles.slice(0, MAX_CYCLES);
  return { ...plans, payload: { ...payload, cycles, plans: payload.plans.slice(0, MAX_PLANS) } };
}
