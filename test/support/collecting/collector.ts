// A collector over real sources: an upstream that is set by the test, and a store in a directory of its own.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { collect, type Outcome, type CollectRun } from "../../../collector/run/collect.ts";
import { openSources } from "../../../collector/settings.ts";
import { PLATFORMS } from "../../../snapshots/schema.ts";
import { SNAPSHOT_NAMES, type Snapshot, type SnapshotName } from "../../../snapshots/snapshot.ts";
import { readSnapshot } from "../../../snapshots/snapshot-io.ts";
import { openStore } from "../../../snapshots/open-store.ts";
import { temporaryDirectory } from "../directory.ts";
import { json, startUpstream } from "./upstream.ts";
import { vendorPlans, vendorRelease, vendorReleases } from "./vendor.ts";

interface CollectorOptions {
  /** JSON Pointer for both sources. */
  pick?: string;
  /** Longest wait for the macOS release of its own source, milliseconds. */
  timeout?: number;
  /** A source for each platform, `/macos` and `/windows`, in place of `/releases`. */
  perPlatform?: boolean;
}

export type Collector = Awaited<ReturnType<typeof startCollector>>;

/** `/plans` and `/releases` of the upstream answer as the made-up vendor does, until the test sets them otherwise. */
export async function startCollector({ pick = "", timeout = 20_000, perPlatform = false }: CollectorOptions = {}) {
  const upstream = await startUpstream();
  upstream.set("/plans", json(vendorPlans()));
  upstream.set("/releases", json(vendorReleases()));
  for (const platform of PLATFORMS) upstream.set(`/${platform}`, json(vendorRelease(platform)));
  const directory = await temporaryDirectory();
  const store = openStore(directory);
  const source = (path: string) => ({ from: "json" as const, url: upstream.url(path), pick, timeout: 20_000 });
  const each = { macos: { ...source("/macos"), timeout }, windows: source("/windows") };
  const settings = { plans: source("/plans"), releases: perPlatform ? each : source("/releases") };
  const sources = openSources(settings, { directory, environment: {}, file: "vitrine.config.json" });
  const fingerprints = new Map(SNAPSHOT_NAMES.map((name) => [name, "these settings"]));

  /** One run; its outcomes by name, in words: the payload, or why there is none. */
  async function run(changes: Partial<CollectRun> = {}): Promise<Record<SnapshotName, Outcome>> {
    const signal = new AbortController().signal;
    const given: CollectRun = {
      sources,
      store,
      fingerprints,
      staleAfter: 60_000,
      guard: false,
      signal,
      onOutcome: () => {},
      ...changes,
    };
    const outcomes = await collect(given);
    if (outcomes === "busy") throw new Error("busy");
    return Object.fromEntries(outcomes.map((outcome) => [outcome.name, outcome])) as Record<SnapshotName, Outcome>;
  }
  return {
    upstream,
    directory,
    store,
    sources,
    run,
    /** The bytes of every snapshot file, the copies before them left out. */
    files: () => snapshotFiles(directory),
    /** What is stored under a name. @throws Error when nothing whole is. */
    async stored(name: SnapshotName): Promise<Snapshot> {
      const read = await readSnapshot(store, name, Date.now());
      if (read.state !== "found" || read.damage !== undefined) throw new Error(`${name} is not whole: ${read.damage}`);
      return read.snapshot;
    },
  };
}

export async function snapshotFiles(directory: string): Promise<Record<string, string>> {
  const names = new Set(SNAPSHOT_NAMES.map((name) => `${name}.json`));
  const there = (await readdir(directory)).filter((name) => names.has(name)).toSorted();
  const entries = there.map(async (name) => [name, await readFile(join(directory, name), "utf8")] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Resolves when the clock shows another millisecond, so that two runs have two times. */
export async function anotherMillisecond(): Promise<void> {
  const before = Date.now();
  while (Date.now() === before) await new Promise(setImmediate);
}
