// Probable mistakes in the settings of single sources, which need not be read for it: files and feeds of another platform or tool,
// addresses that are no more than the beginning or the pattern of one, and witnesses that always agree. The settings go in, a line for
// each mistake comes out. Quotes patterns of files and names of repositories only.
import { isDeepStrictEqual } from "node:util";
import { askedOf, scheduleOf, sourcesOf, type CollectorSettings } from "../../../collector/settings.ts";
import { currencyMeant } from "../../../collector/features/kinds/own-shape/amount.ts";
import { patternsFor } from "../../../collector/features/kinds/releases/advice.ts";
import { decoded, readFileName } from "../../../collector/features/kinds/releases/file-name.ts";
import { TEMPLATE } from "../../../collector/features/kinds/releases/release.ts";
import { architectureOf } from "../../../snapshots/processors.ts";
import { isCurrencyCode, NO_CURRENCY, repeated, whatApplies } from "../../../snapshots/rules.ts";
import type { Platform } from "../../../snapshots/schema.ts";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";

type Asked = ReturnType<typeof askedOf>[number];

/** Kinds of sources have some of these. */
type Said = Partial<
  Record<"url" | "page" | "repo" | "project" | "asset" | "tag" | "arch" | "since" | "token", string | undefined> &
    Record<"installer" | "currency", string | undefined> &
    Record<"prereleases" | "pinned", boolean>
> & { from: string; plans?: unknown; cycles?: unknown; fields?: object; command?: readonly string[] | undefined };

/** As in a Configuration. */
interface Checked {
  settings: CollectorSettings & { api: { baseUrl?: string | undefined; home?: string | undefined } };
}

export function sourceMistakes({ settings }: Checked): string[] {
  const asked = askedOf(settings);
  return [
    ...asked.flatMap(fileMistakes),
    ...asked.flatMap((one) => addressMistakes(one, settings.api)),
    ...asked.flatMap(feedMistakes),
    ...asked.flatMap(commandMistakes),
    ...sourcesOf(settings).flatMap(({ path, source }) => choiceMistakes(path, source, scheduleOf(source, settings))),
    ...asked.flatMap((one, at) => witnessMistakes(one, asked, asked.slice(0, at))),
  ];
}

const ONE_PROCESSOR = /^(?:arm64|x64|ia32)$/;
/** `win64` may be the beginning of `win64-arm64`. */
const VAGUE = /(?<!x|arm|amd|aarch)(?:32|64|86)(?:bit)?$/;

const UNFINISHED = /(?:^|[-._*])(?:alpha|beta|rc|preview|nightly|canary)(?:[-._*\d]|$)/i;

/** Of the files and releases that are chosen. */
function fileMistakes({ path, source, names }: Asked): string[] {
  const { asset = "", tag = "", arch = "", since = "", prereleases = false, pinned = false }: Said = source;
  const { platform, words } = readFileName(asset, new Set());
  const isForeign = platform !== undefined && names.some((name) => name !== `release-${platform}`);
  const own = names.length > 1 ? 'give each "from" and an "asset" of its own' : "write one such as *.dmg or *.exe";
  const marked = architectureOf(words.filter((word) => !VAGUE.test(word)));
  const isOfOne = ({ 1: glob }: [string, string]) => !pinned && /^[^*?]*\d\.\d[^*?]*$/.test(glob);
  const [name, glob = ""] = Object.entries({ asset, tag }).find(isOfOne) ?? [];
  const [lasting] = patternsFor(glob, "");
  return whatApplies({
    [`${path}.tag has refs/tags/ in front, which no tag has: write ${tag.slice(10)}`]: tag.startsWith("refs/tags/"),
    [`${path}.pinned has no effect: nothing is left out`]: pinned && !asset && !tag && !arch && !since && !prereleases,
    [`${path}.${name} takes one release only: write ${lasting}`]: lasting !== glob,
    [`${path}.asset names an installer for another platform: ${own}`]: isForeign,
    [`${path}.asset names an installer for another processor than "arch": correct one of the two`]:
      marked !== arch && ONE_PROCESSOR.test(arch) && ONE_PROCESSOR.test(marked),
    [`${path}.asset names no installer: write one such as *.dmg or *.exe`]:
      /\.(?:blockmap|ya?ml|json|sig|asc|sha\d+)$/i.test(asset),
    [`${path}.arch is of no Mac: write arm64, x64 or universal`]: arch === "ia32" && names.includes("release-macos"),
    [`${path}.tag takes what is not finished: add "prereleases": true`]: !prereleases && UNFINISHED.test(tag),
    [`${path}.since is in the future, so no release counts: write a day that has passed, or leave it out`]:
      Date.parse(since) > Date.now(),
  });
}

const OF_FEEDS = new Set(["electron-builder", "sparkle", "tauri", "squirrel", "velopack", "autoupdater"]);
/** Under the base URL. */
const OWN = /^\/(?:api\/v1\/|(?:pricing|download)\.md$|llms[\w-]*\.txt$|openapi\.json$)/;

function addressMistakes({ path, source }: Asked, { baseUrl: base = "(none)", home = "" }: Checked["settings"]["api"]) {
  const { from, url = "", installer = "", page, repo, project = repo }: Said = source;
  const holder = repo === undefined ? "project" : "repo";
  const asked = (page ?? url).replace(/[?#].*|\/+$/g, "");
  // A proxy may leave the site where it is, and pass on the API alone.
  const isSite = asked === home.replace(/\/+$/, "");
  return whatApplies({
    [`${path} asks this server itself, which only repeats what is published: name another address`]:
      (asked === base && !isSite) || (asked.startsWith(base) && OWN.test(asked.slice(base.length))),
    [`${path}.url has the repository in it, which "${holder}" names: leave it out there`]:
      project !== undefined && url.includes(project),
    [`${path}.page is no page of text: name one that people read`]:
      page !== undefined && /\.(?:pdf|json|xml|zip|png|jpe?g)$/i.test(asked),
    [`${path}.url is that of one version: write the address that stays, with {{current_version}} in a tauri one`]:
      OF_FEEDS.has(from) && /\/v?\d+\.\d+\.\d+(?:[/-]|$)/.test(url),
    [`${path}.installer is that of one version: write {version} in its place`]: /\d\.\d+\.\d/.test(installer),
    [`${path}.url has a placeholder: fill it in`]:
      from !== "tauri" && (TEMPLATE.test(decoded(url)) || /(?<!\{)\{\w+\}(?!\})/.test(url)),
    [`${path}.${holder} is still ${project}: write yours, such as acme/notes`]: project === "OWNER/REPO",
  });
}

interface Feed {
  kind: string;
  platform: Platform;
  file: string;
  like: RegExp;
}
/** What tools call the feed of a platform. */
const FEEDS: readonly Feed[] = [
  { kind: "electron-builder", platform: "macos", file: "latest-mac.yml", like: /-mac\.ya?ml$/ },
  { kind: "electron-builder", platform: "windows", file: "latest.yml", like: /\/(?:latest|beta|alpha)\.ya?ml$/ },
  { kind: "squirrel", platform: "macos", file: "RELEASES.json", like: /\/RELEASES\.json$/ },
  { kind: "squirrel", platform: "windows", file: "RELEASES", like: /\/RELEASES$/ },
  { kind: "velopack", platform: "macos", file: "releases.osx.json", like: /\/releases\.osx[\w-]*\.json$/ },
  { kind: "velopack", platform: "windows", file: "releases.win.json", like: /\/releases\.win[\w-]*\.json$/ },
  { kind: "sparkle", platform: "macos", file: "appcast.xml", like: /\/appcast\.xml$/ },
];

/** Those whose feeds have no such names. */
const OTHER_KINDS = new Set(["tauri", "autoupdater"]);
const OF_GITHUB = /^https:\/\/api\.github\.com\/repos\/([\w.-]+\/[\w.-]+)\/releases/;

/** Feeds of another tool or platform than they are asked as, and folders of feeds. */
function feedMistakes({ path, source, names }: Asked): string[] {
  const { from, url = "" }: Said = source;
  const repo = from === "json" ? OF_GITHUB.exec(url)?.[1] : undefined;
  if (repo !== undefined) return [`${path} reads releases of GitHub: write "from": "github" and "repo": "${repo}"`];
  const own = FEEDS.filter(({ kind }) => kind === from);
  const asked = own.filter(({ platform }) => names.includes(`release-${platform}`));
  if (own.length > 0 && url.endsWith("/"))
    return [`${path}.url is a folder: write the file in it, such as ${(asked[0] ?? own[0])?.file}`];
  const given = FEEDS.find(({ like }) => like.test(url));
  // JSON may be of any shape.
  const isFeed = own.length > 0 || OTHER_KINDS.has(from) || (from === "json" && /\.(?:ya?ml|xml)$/.test(url));
  if (given === undefined || !isFeed) return [];
  if (given.kind !== from) return [`${path}.url is a feed of ${given.kind}: write "from": "${given.kind}"`];
  const missed = asked.find(({ platform }) => platform !== given.platform);
  return missed ? [`${path}.url has no ${missed.platform}, whose feed is another one, such as ${missed.file}`] : [];
}

/** A pipe, another command, or where the output goes. */
const OF_A_LINE = /^(?:\|\|?|&&?|;|<|>>?|[12&]>\S*)$/;

function commandMistakes({ path, source }: Asked): string[] {
  const { command = [] }: Said = source;
  // Behind an option, it is a separator; behind {}, the end of what `find` runs.
  const at = command.findIndex((word, index) => OF_A_LINE.test(word) && !/^[-{]/.test(command[index - 1] ?? "-"));
  return at < 0 ? [] : [`${path}.command.${at} is an argument here: there is no shell; put the line into a script`];
}

const MONTHS = new Map([
  ["monthly", 1],
  ["quarterly", 3],
  ["annual", 12],
  ["yearly", 12],
]);

/** Of what is asked, and when. */
function choiceMistakes(path: string, source: Said, schedule: string): string[] {
  const { from, token, plans, currency = "/", cycles = [] }: Said = { ...source.fields, ...source };
  const isCode = currency.startsWith("/") || currency === NO_CURRENCY || isCurrencyCode(currency);
  const odd = [cycles]
    .flat()
    .map(Object)
    .find(({ key, durationMonths }) => (MONTHS.get(key) ?? durationMonths) !== durationMonths);
  // Looking up all currencies takes a moment of each start.
  const instead = isCode ? currency : (currencyMeant(currency) ?? "one such as USD");
  const all: unknown[] = Array.isArray(plans) ? plans : [];
  const same = all.findIndex((plan) => {
    const { priceIds, variants = priceIds } = Object(plan);
    return repeated(Object.values(Object(variants))) !== undefined;
  });
  return whatApplies({
    [`${path} asks each minute, and GitHub answers 60 requests an hour without a "token": ask less often, or give one`]:
      from === "github" && !token && /^(?:\S+ )?\*(?:\/1)?(?: \S+){4}$/.test(schedule),
    [`${path}.currency is not an ISO 4217 code: write ${instead}`]: !isCode,
    [`${path}.cycles: "${odd?.key}" has ${odd?.durationMonths} months: write ${MONTHS.get(odd?.key)}`]:
      odd !== undefined,
    [`${path}.plans has two plans of one product, which get the same prices: name others`]:
      repeated(all.flatMap((plan) => Object(plan).product ?? [])) !== undefined,
    [`${path}.plans.${same} has one price for two cycles: name the other's`]: same >= 0,
  });
}

/** `all`: what is asked; `before`: that of it which comes before the witness. */
function witnessMistakes({ path, source, names }: Asked, all: readonly Asked[], before: readonly Asked[]): string[] {
  if (!path.startsWith("crossChecks.")) return [];
  // When, for which facts, and how it is spelt, is no difference.
  const asking = (one: object): unknown =>
    JSON.parse(
      JSON.stringify({ ...one, schedule: 0, timeout: 0, facts: 0 })
        .toLowerCase()
        .replaceAll('"./', '"'),
    );
  const others = before.filter((one) => names.some((name) => one.names.includes(name)));
  const twin = others.find((one) => isDeepStrictEqual(asking(source), asking(one.source)));
  const isNone = (name: SnapshotName) => all.find((one) => one.names.includes(name))?.source.from === "none";
  if ("page" in source && names.every(isNone))
    return [`${path} has nothing to compare with its page: the facts are "none"; leave it out`];
  return twin ? [`${path} asks what ${twin.path} asks, and so always agrees: name another source`] : [];
}
