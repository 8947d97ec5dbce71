// Probable mistakes in the settings that need no reading of the sources, for every command that opens them. Quotes patterns of files only.
import { isDeepStrictEqual } from "node:util";
import { longestPause } from "../../../collector/run/longest-pause.ts";
import { secretNamesIn } from "../../../collector/http/request.ts";
import { askedOf, scheduleOf, sourcesOf, type CollectorSettings } from "../../../collector/settings.ts";
import { patternsFor } from "../../../collector/features/kinds/releases/advice.ts";
import { decoded, readFileName } from "../../../collector/features/kinds/releases/file-name.ts";
import { TEMPLATE } from "../../../collector/features/kinds/releases/release.ts";
import { architectureOf } from "../../../snapshots/processors.ts";
import { isLoopback, isThisComputer, repeated, span, whatApplies } from "../../../snapshots/rules.ts";
import type { Platform } from "../../../snapshots/schema.ts";
import { isFollowed } from "../../../snapshots/stores/open-store.ts";

/** As in a Configuration. */
interface Checked {
  settings: CollectorSettings & {
    api: { baseUrl?: string | undefined; home?: string | undefined };
    host: string;
    port: number;
  };
  location: string;
  environment: Readonly<Record<string, string | undefined>>;
  given: Readonly<Record<string, unknown>>;
}

export function probableMistakes(checked: Checked): string[] {
  return [secretWarnings, baseUrlWarnings, foreignFiles, foreignFeeds, choiceWarnings, scheduleWarnings].flatMap(
    (warnings) => warnings(checked),
  );
}

/** Warnings, not problems: another scheduler may run `collect` more often. */
function scheduleWarnings({ settings, location }: Checked): string[] {
  const { staleAfter } = settings;
  const sources = isFollowed(location) ? [] : sourcesOf(settings);
  const schedules = new Set(sources.map(({ source }) => scheduleOf(source, settings)));
  const unclear = [...schedules].filter((schedule) => staleAfter <= 2 * HOUR_MS || !EACH_HOUR.test(schedule));
  const longest = new Map(unclear.map((schedule) => [schedule, longestPause(schedule)]));
  const late = staleAfter > Math.max(LONG_MS, 3 * Math.max(0, ...longest.values()));
  const pauses = sources.flatMap(({ path, source }) => {
    const pause = longest.get(scheduleOf(source, settings)) ?? 0;
    if (pause < staleAfter / 2) return [];
    const consequence = pause < staleAfter ? "it ages between runs" : "502 in between";
    const timing = `${path} waits up to ${span(pause)} for its next run and is stale after ${span(staleAfter)}`;
    return [`${timing}: ${consequence}; raise staleAfter, or collect more often`];
  });
  return [
    ...(late ? [`staleAfter serves what nobody confirms for ${span(staleAfter)}: write less, such as 48h`] : []),
    ...pauses,
  ];
}

const HOUR_MS = 3_600_000;
const LONG_MS = 31 * 24 * HOUR_MS;
/** Pauses for an hour at most, which need not be measured: that takes some 15 ms of each start. */
const EACH_HOUR = /(?:^| )\* \* \* \*$/;

/** As documents write what is to be filled in. */
const UNFILLED = /\.{3}|…|^<|x{4}|your[-_ ]|change[-_ ]?me|^\w*_?here$/i;

/** Of the services that are sources. */
const SECRETS: Record<string, RegExp> = { stripe: /^[prs]k_/, paddle: /^pdl_/, github: /^gh[opsu]_/, gitlab: /^glpat/ };

function secretWarnings({ settings, environment }: Checked): string[] {
  return askedOf(settings).flatMap(({ source: { from, ...source } }) =>
    secretNamesIn(source).flatMap((name) => {
      const value = environment[name] ?? "";
      const isKnown = from in SECRETS;
      const owner = Object.keys(SECRETS).find((kind) => isKnown && SECRETS[kind]?.test(value)) ?? from;
      const isBasic = JSON.stringify(source).includes(`"Basic $${name}"`);
      const faults = whatApplies([
        [UNFILLED.test(value), "a placeholder: fill it in"],
        [
          isBasic && !Buffer.from(value, "base64").includes(":"),
          "no name and password, NAME:PASSWORD, in Base64, as Basic asks for",
        ],
        [owner !== from, `a secret of ${owner}, and is sent to ${from}`],
        [isKnown && /^(?:bearer|basic|token) /i.test(value), "a word before the secret: remove it"],
        [value.startsWith("sk_live_"), "a key that may do everything: make a restricted one, rk_live_…"],
      ]);
      return faults.map((fault) => `the environment variable ${name} has ${fault}`);
    }),
  );
}

function baseUrlWarnings({ settings, environment }: Checked): string[] {
  const {
    api: { baseUrl, home },
    host,
    port: own,
  } = settings;
  const { protocol, hostname, pathname, port } = new URL(baseUrl ?? "https://acme.com");
  // 0.0.0.0 and [::] are no address to ask.
  const isServed = environment.NODE_ENV === "production" || !isLoopback(host) || /^[0.:[\]]+$/.test(hostname);
  // A name without a dot, or an address, is one of a network of one's own.
  const isPublic = !isThisComputer(hostname) && /\.[a-z]+$/.test(hostname);
  return whatApplies([
    [isThisComputer(hostname) && isServed, "api.baseUrl leads to this computer only: give the public address"],
    [isPublic && protocol === "http:", "api.baseUrl begins with http: write https, which browsers and agents expect"],
    [
      home !== undefined && home.replace(/\/+$/, "") === baseUrl,
      "api.home leads to this server: give the product's site, or leave it out",
    ],
    [
      isPublic && protocol === "https:" && port === String(own),
      "api.baseUrl has the port of this server, which speaks http: give the address of the proxy that does TLS",
    ],
    [
      baseUrl === undefined && !isLoopback(host),
      "api.baseUrl is missing, so every link leads to this computer: give the public address, or set BASE_URL",
    ],
    [pathname.includes("/api/v1"), "api.baseUrl ends with /api/v1, which every link adds: leave it out"],
  ]);
}

/** A pipe, another command, or where the output goes. */
const OF_A_LINE = /^(?:\|\|?|&&?|;|<|>>?|[12&]>\S*)$/;

type Guard = { over?: number; releaseOver?: number; priceFactor?: number; off?: string[] };
/** No price is meant to become so many times as high or as low unnoticed. */
const MUCH = 10;

/** Choices that cannot be what is meant. */
function choiceWarnings({ settings, given }: Checked): string[] {
  // The guard may have been taken out.
  const all: { guard?: unknown; history?: unknown; names?: unknown } = settings;
  const { over = 0, releaseOver = 0, priceFactor = 1, off = [] }: Guard = Object(all.guard);
  const { age = HOUR_MS, keep = 1 }: { age?: number; keep?: number } = Object(all.history);
  const called = Object.values(Object(all.names) as object).map(({ title, line }) => title && `${title}: ${line}`);
  const own: object = Object(given.guard ?? {});
  const isOutside = releaseOver < over || releaseOver > settings.staleAfter / 2;
  const asked = askedOf(settings);
  const ofCommands = asked.flatMap(({ path, source }) => {
    const command = ("command" in source && source.command) || [];
    // Behind an option, it is a separator; behind {}, the end of what `find` runs.
    const at = command.findIndex((word, index) => OF_A_LINE.test(word) && !/^[-{]/.test(command[index - 1] ?? "-"));
    return at < 0 ? [] : [`${path}.command.${at} is an argument here: there is no shell; put the line into a script`];
  });
  const ofSources = sourcesOf(settings).flatMap(({ path, source }) => {
    const isAhead = "since" in source && Date.parse(String(source.since)) > Date.now();
    const plans: unknown[] = "plans" in source && Array.isArray(source.plans) ? source.plans : [];
    const twin = repeated(plans.flatMap((plan) => Object(plan).product ?? []));
    const same = plans.findIndex((plan) => {
      const { priceIds, variants = priceIds } = Object(plan);
      return repeated(Object.values(Object(variants))) !== undefined;
    });
    return whatApplies([
      [isAhead, `${path}.since is in the future: no release counts`],
      [twin !== undefined, `${path}.plans has two plans of one product, which get the same prices: name others`],
      [same >= 0, `${path}.plans.${same} has one price for two cycles: name the other's`],
    ]);
  });
  // When, and for which facts, is no difference.
  const asking = (source: object) => ({ ...source, schedule: 0, timeout: 0, facts: 0 });
  const twins = asked.slice(sourcesOf(settings).length).flatMap(({ path, source, names }) => {
    const own = asked.find((one) => names.some((name) => one.names.includes(name)));
    const none = names.filter((name) => asked.find((one) => one.names.includes(name))?.source.from === "none");
    if ("page" in source && none.length === names.length)
      return [`${path} has nothing to compare with its page: the facts are "none"; leave it out`];
    return own && isDeepStrictEqual(asking(source), asking(own.source))
      ? [`${path} asks what ${own.path} asks, and so always agrees: name another source`]
      : [];
  });
  return [
    ...ofCommands,
    ...ofSources,
    ...twins,
    ...whatApplies([
      [
        over >= settings.staleAfter,
        "guard.over is not shorter than staleAfter: shorten it, or what is held is a 502 before it is published",
      ],
      ["releaseOver" in own && isOutside, "guard.releaseOver counts only between guard.over and half of staleAfter"],
      ["priceFactor" in own && off.includes("price"), 'guard.priceFactor has no effect while "off" has "price"'],
      [
        priceFactor > MUCH,
        `guard.priceFactor is a factor: for changes of ${priceFactor} % write ${1 + priceFactor / 100}`,
      ],
      [keep === 0 && "age" in Object(given.history), "history.age has no effect while keep is 0"],
      [age < HOUR_MS, "history.age is less than an hour: m is for minutes, d for days"],
      [repeated(called.filter(Boolean)) !== undefined, "names: two plans are called the same: title each"],
    ]),
  ];
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
    const isTemplate = (source.from !== "tauri" && TEMPLATE.test(decoded(url))) || /(?<!\{)\{\w+\}(?!\})/.test(url);
    const named = Object.entries({ asset, tag }).find(([, glob]) => !pinned && /^[^*?]*\d\.\d[^*?]*$/.test(glob));
    const [name, glob = ""] = named ?? [];
    const [lasting] = patternsFor(glob, "");
    return whatApplies([
      [
        pinned && !asset && !tag && !arch && !since && !prereleases,
        `${path}.pinned has no effect: nothing is left out`,
      ],
      [lasting !== glob, `${path}.${name} takes one release only: write ${lasting}`],
      [
        isForeign,
        `${path}.asset names an installer for another platform${names.length > 1 ? ': give each "from" and an "asset" of its own' : ""}`,
      ],
      [isOtherArch, `${path}.asset names an installer for another processor than "arch": correct one of the two`],
      [isOwn, `${path} asks this server itself, which only repeats what is published: name another address`],
      [
        isTwice,
        `${path}.url has the repository in it, which "${"repo" in source ? "repo" : "project"}" names: leave it out there`,
      ],
      [isTemplate, `${path}.url has a placeholder: fill it in`],
      [repo === "OWNER/REPO", `${path}.repo is still ${repo}: write yours, such as acme/notes`],
    ]);
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

/** Feeds of another tool or platform than they are asked as, and folders of feeds. */
function foreignFeeds({ settings }: Checked): string[] {
  return askedOf(settings).flatMap(({ path, source, names }) => {
    const { from, url = "" }: { from?: string; url?: string | undefined } = source;
    const own = FEEDS.filter(({ kind }) => kind === from);
    const [first, ...others] = own.filter(({ platform }) => names.includes(`release-${platform}`));
    const given = FEEDS.find(({ like }) => like.test(url));
    if (own.length > 0 && url.endsWith("/"))
      return [`${path}.url is a folder: write the file in it, such as ${(first ?? own[0])?.file}`];
    if (first === undefined || given === undefined) return [];
    if (given.kind !== from) return [`${path}.url is a feed of ${given.kind}: write "from": "${given.kind}"`];
    const missed = [first, ...others].find(({ platform }) => platform !== given.platform);
    return missed ? [`${path}.url has no ${missed.platform}, whose feed is another one, such as ${missed.file}`] : [];
  });
}
