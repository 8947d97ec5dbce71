// Lists of releases as a forge would answer with, for the choice among them.
import type { ReleaseCriteria } from "../../../collector/features/kinds/releases/listed-release.ts";
import { newestRelease } from "../../../collector/features/kinds/releases/release-list.ts";
import type { Candidate } from "../../../collector/source.ts";

/** A tag, its day, and its files. */
export type ListedRow = [tag: string, day: string, ...files: string[]];

/** Chooses from a list, by default for macOS and the product "notes". @throws UpstreamError */
export function chooseFrom(rows: readonly ListedRow[], criteria: Partial<ReleaseCriteria>): Candidate {
  const releases = rows.map(([tag, day, ...names]) => ({
    tag,
    isDraft: false,
    isPrerelease: false,
    date: `${day}T00:00:00Z`,
    notes: "",
    files: names.map((name) => ({ name, url: `https://dl.example.com/${name}`, size: 1, isUploaded: true })),
  }));
  const defaults = { prereleases: false, forceUpdate: false, product: "notes", platform: "macos" as const };
  return newestRelease({ releases, isWhole: true, askedAt: Date.UTC(2027, 0) }, { ...defaults, ...criteria });
}
