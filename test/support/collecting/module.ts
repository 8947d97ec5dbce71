// Collects from a vendor's source module that the test has written into a temporary directory.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { collect, type Outcome } from "../../../collector/run/collect.ts";
import { openSources } from "../../../collector/settings.ts";
import { SourceSettings } from "../../../collector/sources/sources.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { snapshotFiles } from "./collector.ts";
import { temporaryDirectory } from "../directory.ts";
import { vendorPlans, vendorReleases } from "./vendor.ts";

/** A valid answer, as JavaScript. */
export const GOOD = JSON.stringify({
  plans: vendorPlans(),
  "release-macos": vendorReleases().macos,
  "release-windows": vendorReleases().windows,
});

interface ModuleOptions {
  name?: string;
  timeout?: string;
  environment?: Record<string, string>;
  /** Collects the releases from the module too, in a separate thread; otherwise from a file. */
  releases?: boolean;
  /** Registers clean-up for the end of the test. Concurrent tests pass `onTestFinished` of their context. */
  onFinished?: (cleanUp: () => Promise<void>) => void;
  /** Aborts the run. */
  signal?: AbortSignal;
  /** Called with each line that the module logs. */
  onLine?: (line: string) => void;
}

/** Collects plans and releases from a module with this text. */
export async function collectModule(text: string, wanted: ModuleOptions = {}) {
  const { name = "my-source.mjs", timeout = "20s", environment = {}, onLine = () => {} } = wanted;
  const directory = await temporaryDirectory(wanted.onFinished);
  await writeFile(join(directory, name), text);
  const source = SourceSettings.parse({ from: "module", path: `./${name}`, timeout });
  await writeFile(join(directory, "releases.json"), JSON.stringify(vendorReleases()));
  const releases = wanted.releases ? source : { from: "file" as const, path: "releases.json" };
  const lines: string[] = [];
  const log = (line: string) => (lines.push(line), onLine(line));
  const outcomes = await collect({
    sources: openSources({ plans: source, releases }, { directory, environment, file: "x", log }),
    store: openStore(join(directory, "facts")),
    fingerprints: new Map(),
    guard: false,
    staleAfter: 60_000,
    signal: wanted.signal ?? new AbortController().signal,
    onOutcome: () => {},
  });
  if (outcomes === "busy") throw new Error("busy");
  const named = Object.fromEntries(outcomes.map((outcome) => [outcome.name, outcome]));
  const [plans, macos, windows] = ["plans", "release-macos", "release-windows"].map((name) => named[name] as Outcome);
  if (!plans || !macos || !windows) throw new Error("an outcome is missing");
  const all = JSON.stringify([outcomes, lines, await snapshotFiles(join(directory, "facts"))]);
  return { plans, macos, windows, lines, all };
}
