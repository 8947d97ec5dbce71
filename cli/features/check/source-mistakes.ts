// Probable mistakes in single sources that need no reading of them: files and feeds of another platform or tool, addresses that are no
// more than the beginning or the pattern of one, and witnesses that always agree. Quotes patterns of files only.
import { isDeepStrictEqual } from "node:util";
import { askedOf, scheduleOf, sourcesOf, type CollectorSettings } from "../../../collector/settings.ts";
import { patternsFor } from "../../../collector/features/kinds/releases/advice.ts";
import { decoded, readFileName } from "../../../collector/features/kinds/releases/file-name.ts";
import { TEMPLATE } from "../../../collector/features/kinds/releases/release.ts";
import { architectureOf } from "../../../snapshots/processors.ts";
import { repeated, whatApplies } from "../../../snapshots/rules.ts";
import type { Platform } from "../../../snapshots/schema.ts";

/** As in a Configuration. */
interface Checked {
  settings: CollectorSettings & { api: { baseUrl?: string | undefined; home?: string | undefined } };
}

export function sourceMistakes(checked: Checked): string[] {
  return [foreignFiles, foreignFeeds, commandMistakes, choiceMistakes, witnessMistakes].flatMap((mistakes) =>
    mistakes(checked),
  );
}

/** A pipe, another command, or where the output goes. */
const OF_A_LINE = /^(?:\|\|?|&&?|;|<|>>?|[12&]>\S*)$/;

function commandMistakes({ settings }: Checked): string[] {
  return askedOf(settings).flatMap(({ path, source }) => {
    const command = ("command" in source && source.command) || [];
    // Behind an option, it is a separator; behind {}, the end of what `find` runs.
    const at = command.findIndex((word, index) => OF_A_LINE.test(word) && !/^[-{]/.test(command[index - 1] ?? "-"));
    return at < 0 ? [] : [`${path}.command.${at} is an argument here: there is no shell; put the line into a script`];
  });
}

/** Choices of single sources that cannot be what is meant. */
function choiceMistakes({ settings }: Checked): string[] {
  return sourcesOf(settings).flatMap(({ path, source }) => {
    const isAhead = "since" in source && Date.parse(String(source.since)) > Date.now();
    const plans: unknown[] = "plans" in source && Array.isArray(source.plans) ? source.plans : [];
    const twin = repeated(plans.flatMap((plan) => Object(plan).product ?? []));
    const same = plans.findIndex((plan) => {
      const { priceIds, variants = priceIds } = Object(plan);
      return repeated(Object.values(Object(variants))) !== undefined;
    });
    const isOften = /^(?:\S+ )?\*(?:\/1)?(?: \S+){4}$/.test(scheduleOf(source, settings));
    return whatApplies({
      [`${path} asks each minute, and GitHub answers 60 requests an hour without a "token": ask less often, or give one`]:
        isOften && source.from === "github" && !("token" in source && source.token),
      [`${path}.since is in the future, so no release counts: write a day that has passed, or leave it out`]: isAhead,
      [`${path}.plans has two plans of one product, which get the same prices: name others`]: twin !== undefined,
      [`${path}.plans.${same} has one price for two cycles: name the other's`]: same >= 0,
    });
  });
}

function witnessMistakes({ settings }: Checked): string[] {
  const asked = askedOf(settings);
  // When, and for which facts, is no difference.
  const asking = (source: object) => ({ ...source, schedule: 0, timeout: 0, facts: 0 });
  return asked.flatMap(({ path, source, names }, at) => {
    if (!path.startsWith("crossChecks.")) return [];
    const others = asked.slice(0, at).filter((one) => names.some((name) => one.names.includes(name)));
    const twin = others.find((one) => isDeepStrictEqual(asking(source), asking(one.source)));
    const none = names.filter((name) => asked.find((one) => one.names.includes(name))?.source.from === "none");
    if ("page" in source && none.length === names.length)
      return [`${path} has nothing to compare with its page: the facts are "none"; leave it out`];
    return twin ? [`${path} asks what ${twin.path} asks, and so always agrees: name another source`] : [];
  });
}

/** Of this server. */
const OWN = /^\/(?:api\/v1\/|(?:pricing|download)\.md$|llms[\w-]*\.txt$|openapi\.json$)/;

type Chosen = { asset?: string; tag?: string; arch?: string; since?: string; prereleases?: boolean; pinned?: boolean };
const ONE_PROCESSOR = /^(?:arm64|x64|ia32)$/;
/** `win64` may be the beginning of `win64-arm64`. */
const VAGUE = /(?<!x|arm|amd|aarch)(?:32|64|86)(?:bit)?$/;

/** Names of files for the other platform, and addresses that are no more than the beginning or the pattern of one. */
function foreignFiles({ settings }: Checked): string[] {
  const { baseUrl: base = "(none)", home = "" } = settings.api;
  return askedOf(settings).flatMap(({ path, source, names }) => {
    const { asset = "", tag = "", arch = "", since = "", prereleases = false, pinned = false }: Chosen = Object(source);
    const { platform, words } = readFileName(asset, new Set());
    const isForeign = platform !== undefined && names.some((name) => name !== `release-${platform}`);
    const marked = architectureOf(words.filter((word) => !VAGUE.test(word)));
    const isOtherArch = marked !== arch && ONE_PROCESSOR.test(arch) && ONE_PROCESSOR.test(marked);
    const url = ("url" in source && source.url) || "";
    const repo = ("repo" in source && source.repo) || ("project" in source && source.project) || undefined;
    const isTwice = repo !== undefined && url.includes(repo);
    const asked = String("page" in source ? source.page : url).replace(/[?#].*|\/+$/g, "");
    // A proxy may leave the site where it is, and pass on the API alone.
    const isSite = asked === home.replace(/\/+$/, "");
    const isOwn = (asked === base && !isSite) || (asked.startsWith(base) && OWN.test(asked.slice(base.length)));
    const isTemplate = source.from !== "tauri" && (TEMPLATE.test(decoded(url)) || /(?<!\{)\{\w+\}(?!\})/.test(url));
    const named = Object.entries({ asset, tag }).find(([, glob]) => !pinned && /^[^*?]*\d\.\d[^*?]*$/.test(glob));
    const [name, glob = ""] = named ?? [];
    const [lasting] = patternsFor(glob, "");
    return whatApplies({
      [`${path}.tag has refs/tags/ in front, which no tag has: write ${tag.slice(10)}`]: tag.startsWith("refs/tags/"),
      [`${path}.pinned has no effect: nothing is left out`]:
        pinned && !asset && !tag && !arch && !since && !prereleases,
      [`${path}.${name} takes one release only: write ${lasting}`]: lasting !== glob,
      [`${path}.asset names an installer for another platform${names.length > 1 ? ': give each "from" and an "asset" of its own' : ""}`]:
        isForeign,
      [`${path}.asset names an installer for another processor than "arch": correct one of the two`]: isOtherArch,
      [`${path} asks this server itself, which only repeats what is published: name another address`]: isOwn,
      [`${path}.url has the repository in it, which "${"repo" in source ? "repo" : "project"}" names: leave it out there`]:
        isTwice,
      [`${path}.page is no page of text: name one that people read`]: /\.(?:pdf|json|xml|zip|png|jpe?g)$/i.test(
        "page" in source ? asked : "",
      ),
      [`${path}.url has a placeholder: fill it in`]: isTemplate,
      [`${path}.repo is still ${repo}: write yours, such as acme/notes`]: repo === "OWNER/REPO",
    });
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
function foreignFeeds({ settings }: Checked): string[] {
  return askedOf(settings).flatMap(({ path, source, names }) => {
    const { from = "", url = "" }: { from?: string; url?: string | undefined } = source;
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
  });
}
