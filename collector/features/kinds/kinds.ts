// Kinds of source. Each reads one sort of upstream; releases/ chooses a release and its installer, offers.ts the price of a plan.
// The registry collector/sources/sources.ts lists them, and its README says what they promise; `check` and `init` use them, too.
// Without this feature, the only kind is "none".
// This file has the parts that all sources of releases share: a snapshot for each platform, from any upstream or from one feed.
// after: secret-leak, versions
import type * as z from "zod";
import type { Platform } from "../../../snapshots/schema.ts";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";
import { documentUrl, requestHeaders, requestTimeout, secretHeaders } from "../../http/request.ts";
import { fileName } from "../../parsing/link.ts";
import { documentHints, explain, type Hints } from "./explain.ts";
import { forceUpdate } from "./releases/release.ts";
import { ownSchedule } from "../../setting-values.ts";
import { fetchDocument, platformOf } from "../../source.ts";
import type { Candidate, Read, Source, SourceKind, SourceRequest, UpstreamAnswer } from "../../source.ts";

/** `translate` takes the document that `fetch` returned. @throws Error if it is configured for plans. */
export function releaseSource<T>(
  kind: string,
  names: readonly SnapshotName[],
  adapter: {
    fetch: (request: SourceRequest) => Promise<(UpstreamAnswer & { upstream: T }) | "unchanged">;
    translate: (upstream: T, platform: Platform) => Candidate;
  },
): Source {
  if (names.includes("plans")) throw new Error(`a source of kind "${kind}" provides releases, not plans`);
  // The cast holds because a source is only given the result of its own fetch.
  return {
    kind,
    names,
    fetch: adapter.fetch,
    translate: (upstream, name) => adapter.translate(upstream as T, platformOf(name)),
  };
}

/** The settings of every feed. `url`: the description of the feed's address. */
export const feedSettings = (url: string) => ({
  url: documentUrl.describe(url),
  headers: requestHeaders.optional(),
  forceUpdate,
  timeout: requestTimeout,
  schedule: ownSchedule,
});

interface FeedSettings {
  from: string;
  url: string;
  headers?: Record<string, string> | undefined;
  timeout: number;
}

interface Feed<Settings extends z.ZodType<FeedSettings>, Document> {
  settings: Settings;
  read: Read<Document>;
  /** The upstream is asked for this media type, unless the vendor's headers ask for another. */
  accept?: string;
  /** Whether one document may be for both platforms. */
  hasBoth?: boolean;
  /** @throws Error if the settings cannot work for these snapshots. */
  check?: (settings: z.infer<Settings>, names: readonly SnapshotName[]) => void;
  /** The address to ask, if not simply that of the settings. @throws Error as above */
  addressOf?: (settings: z.infer<Settings>, names: readonly SnapshotName[]) => string;
  translate: (document: Document, platform: Platform, settings: z.infer<Settings> & { isOnly: boolean }) => Candidate;
}

export function feedKind<Settings extends z.ZodType<FeedSettings>, Document>(
  feed: Feed<Settings, Document>,
): SourceKind<Settings> {
  const { read, accept, hasBoth = false, check = () => {}, addressOf = ({ url }) => url, translate } = feed;
  return {
    settings: feed.settings,
    open(settings, { names, environment, standIns }) {
      const { from, timeout: deadline } = settings;
      const isOnly = names.length === 1;
      if (!isOnly && !hasBoth)
        throw new Error(
          `a source of kind "${from}" provides one platform: use { "macos": …, "windows": … } with a source for each`,
        );
      const [, fault] = NO_FEED.find(([file]) => file.test(fileName(settings.url))) ?? [];
      if (fault !== undefined) throw new Error(`url is that of ${fault}`);
      check(settings, names);
      const url = addressOf(settings, names);
      const headers = {
        ...(accept !== undefined && { accept }),
        ...secretHeaders(settings.headers ?? {}, environment),
      };
      return releaseSource<Document>(from, names, {
        fetch: (request) =>
          fetchDocument(read, url, { ...request, headers, standIns, deadline }).catch((error: unknown) =>
            explain(error, { ...documentHints(settings.headers), ...NO_CONTENT }),
          ),
        translate: (document, platform) => translate(document, platform, { ...settings, url, isOnly }),
      });
    },
  };
}

const NO_FEED: readonly [RegExp, string][] = [
  [/\.(?:dmg|pkg|exe|msi|nupkg)$/i, "an installer: write that of the update feed"],
  [
    /^(?:electron-builder|tauri\.(?:\w+\.)?conf)\.(?:ya?ml|json5?|toml)$/i,
    "the build's configuration: write that of the feed, which it has as publish.url or endpoints",
  ],
];

/** So answers the server of an updater to an app of the newest version. */
const NO_CONTENT: Hints = { 204: ": nothing is newer than the version in the address; write 0.0.0 there" };
