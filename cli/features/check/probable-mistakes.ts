// Probable mistakes in what the settings say together, and in the variables that they name: schedules, secrets, addresses, choices. It
// reads no source, so every command that opens the sources asks. A configuration goes in, a line for each mistake comes out. Quotes no
// value of a variable.
import { longestPause } from "../../../collector/run/longest-pause.ts";
import { secretNamesIn } from "../../../collector/http/request.ts";
import { askedOf, scheduleOf, sourcesOf, type CollectorSettings } from "../../../collector/settings.ts";
import { isLoopback, isThisComputer, span, whatApplies } from "../../../snapshots/rules.ts";
import { isFollowed } from "../../../snapshots/stores/open-store.ts";

/** As in a Configuration. */
interface Checked {
  settings: CollectorSettings & {
    api: { baseUrl?: string | undefined; home?: string | undefined };
    host: string;
    port: number;
  };
  location: string;
  directory: string;
  environment: Readonly<Record<string, string | undefined>>;
  given: Readonly<Record<string, unknown>>;
}

export function probableMistakes(checked: Checked): string[] {
  return [variableWarnings, addressWarnings, choiceWarnings, scheduleWarnings].flatMap((warnings) => warnings(checked));
}

const HOUR_MS = 3_600_000;
/** Readers do not expect a fact that nobody has confirmed for so long. */
const LONG_MS = 31 * 24 * HOUR_MS;
/** More is refused. */
const LONGEST_MS = 365 * 24 * HOUR_MS;
/** Pauses for an hour at most, which need not be measured: that takes some 15 ms of each start. */
const EACH_HOUR = /(?:^| )\* \* \* \*$/;

/** Warnings, not problems: another scheduler may run `collect` more often. */
function scheduleWarnings({ settings, location }: Checked): string[] {
  const { staleAfter } = settings;
  const sources = isFollowed(location) ? [] : sourcesOf(settings);
  const schedules = new Set(sources.map(({ source }) => scheduleOf(source, settings)));
  const unclear = [...schedules].filter((schedule) => staleAfter <= 2 * HOUR_MS || !EACH_HOUR.test(schedule));
  const longest = new Map(unclear.map((schedule) => [schedule, longestPause(schedule)]));
  const pauses = sources.map(({ path, source }) => ({ path, pause: longest.get(scheduleOf(source, settings)) ?? 0 }));
  return [
    ...whatApplies({
      [`staleAfter serves what nobody confirms for ${span(staleAfter)}: write less, such as 48h`]:
        staleAfter > Math.max(LONG_MS, 3 * Math.max(0, ...longest.values())),
    }),
    ...pauses.flatMap(({ path, pause }) => (pause > staleAfter / 2 ? [`${path} ${tooLong(pause, staleAfter)}`] : [])),
  ];
}

function tooLong(pause: number, staleAfter: number): string {
  const consequence = pause < staleAfter ? "it ages between runs" : "502 in between";
  const hours = Math.ceil((2 * pause) / HOUR_MS);
  const enough = hours % 24 === 0 ? `${hours / 24}d` : `${hours}h`;
  const raise = 2 * pause > LONGEST_MS ? "" : `raise staleAfter to ${enough}, or `;
  return `waits up to ${span(pause)} for its next run and is stale after ${span(staleAfter)}: ${consequence}; ${raise}collect more often`;
}

/** The variables with secrets, if what they are set to is none, or that of another service. */
function variableWarnings({ settings, environment }: Checked): string[] {
  // The feature may have been taken out.
  const { notify, api }: { notify?: unknown } & Checked["settings"] = settings;
  const ofSources = askedOf(settings).flatMap(({ source: { from, ...source } }) =>
    secretNamesIn(source).map((name) => {
      const isBasic = JSON.stringify(source).includes(`"Basic $${name}"`);
      return { name, faults: secretFaults(environment[name] ?? "", { from, isBasic }) };
    }),
  );
  const ofNotify = secretNamesIn({ notify }).map((name) => {
    return { name, faults: webhookFaults(environment[name] ?? "", api.baseUrl) };
  });
  return [...ofSources, ...ofNotify].flatMap(({ name, faults }) =>
    faults.map((fault) => `the environment variable ${name} has ${fault}`),
  );
}

/** As documents write what is to be filled in. */
const UNFILLED = /\.{3}|…|\{\{|^<|x{4}|your[-_ ]|change[-_ ]?me|^\w*_?here$/i;

/** Of the services that are sources. */
const KEYED = new Set(["stripe", "paddle", "lemonsqueezy", "github", "gitlab", "gitea"]);
const SECRETS: Record<string, RegExp> = { stripe: /^[prs]k_/, paddle: /^pdl_/, github: /^gh[opsu]_/, gitlab: /^glpat/ };

function secretFaults(value: string, { from, isBasic }: { from: string; isBasic: boolean }): string[] {
  const isKnown = KEYED.has(from);
  const ownerOf = (text: string) => Object.keys(SECRETS).find((kind) => isKnown && SECRETS[kind]?.test(text));
  const owner = ownerOf(value) ?? from;
  const decoded = Buffer.from(value, "base64").toString("latin1");
  return whatApplies({
    "a placeholder: fill it in": UNFILLED.test(value),
    "no secret, but the word for none: give it the secret": /^(?:undefined|null|none|\*+)$/i.test(value),
    "the path of a file: give it what is in the file": /^(?:\/[\w.-]+)+$/.test(value),
    "a comment behind it: remove it": /\s#/.test(value),
    "a secret in Base64: give it as it was": ownerOf(decoded) !== undefined,
    "no name and password, NAME:PASSWORD, in Base64, as Basic asks for": isBasic && !decoded.includes(":"),
    [`a secret of ${owner}, and is sent to ${from}: give it one of ${from}`]: owner !== from,
    "a word before the secret: remove it": isKnown && /^(?:bearer|basic|token) /i.test(value),
    "a key that may do everything: make a restricted one, rk_live_…": value.startsWith("sk_live_"),
  });
}

/** Where people talk or read, not where a program posts. */
const OF_PEOPLE =
  /^https:\/\/(?:(?!hooks\.)[\w-]+\.slack\.com\/|discord\.com\/(?!api\/)|teams\.microsoft\.com\/|t\.me\/)/;

/** Google Chat and Microsoft Teams. */
const OF_OTHER_SHAPE = /^https:\/\/(?:chat\.googleapis\.com|[\w.-]+\.(?:webhook\.office\.com|logic\.azure\.com))[:/]/;

/** Hosts of RFC 2606. */
const OF_EXAMPLES = /^https:\/\/(?:[\w.-]+\.)?example(?:\.(?:com|org|net))?(?:[:/]|$)/i;

function webhookFaults(value: string, baseUrl: string | undefined): string[] {
  return whatApplies({
    "a placeholder: fill it in": /XXX/.test(value) || UNFILLED.test(value) || OF_EXAMPLES.test(value),
    "the address of a chat that wants another shape: let a service of yours pass it on": OF_OTHER_SHAPE.test(value),
    "the address of a page: give the webhook that the service makes for you": OF_PEOPLE.test(value),
    "an address of this server, which takes no messages: give that of a service which does":
      baseUrl !== undefined && value.startsWith(`${baseUrl}/`),
  });
}

/** Where the API, MCP and the OpenAPI document are under the base URL. */
export const OWN_PATHS = /\/(?:api\/v1|mcp|openapi\.json)\b.*/;

function addressWarnings({ settings, environment }: Checked): string[] {
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
  return whatApplies({
    "api.baseUrl leads to this computer only: give the public address": isThisComputer(hostname) && isServed,
    "api.baseUrl begins with http: write https, which browsers and agents expect": isPublic && protocol === "http:",
    "api.home leads to this server: give the product's site, or leave it out":
      home !== undefined && home.replace(/\/+$/, "") === baseUrl,
    "api.baseUrl has the port of this server, which speaks http: give the address of the proxy that does TLS":
      isPublic && protocol === "https:" && port === String(own),
    "api.baseUrl is missing, so every link leads to this computer: give the public address, or set BASE_URL":
      baseUrl === undefined && !isLoopback(host),
    [`api.baseUrl has an address of the server in it, which links add: write ${baseUrl?.replace(OWN_PATHS, "")}`]:
      OWN_PATHS.test(pathname),
    "api.baseUrl has no name of a host: correct it": /^[-.]|\.\.|[,*]/.test(hostname),
    "api.baseUrl begins with https:// twice: leave one out": hostname === "https",
    "port is 0, another one at each start: write the one that the proxy in front asks":
      baseUrl !== undefined && own === 0,
  });
}

const OF_SYSTEM = /^(?:\/var)?\/tmp\//;

type Guard = { confirm?: number; over?: number; releaseOver?: number; priceFactor?: number; off?: string[] };
/** No price is meant to become so many times as high or as low unnoticed. */
const MUCH = 10;

/** Choices that have no effect, or cannot be what is meant. */
function choiceWarnings({ settings, given, location, directory }: Checked): string[] {
  // The features may have been taken out.
  const { guard, history, staleAfter }: { guard?: unknown; history?: unknown } & Checked["settings"] = settings;
  const { over = 0, releaseOver = 0, confirm = 1, priceFactor = 1, off = [] }: Guard = Object(guard);
  const { age = HOUR_MS, keep = 1 }: { age?: number; keep?: number } = Object(history);
  const own: object = Object(given.guard ?? {});
  const { plans = [] }: { plans?: unknown } = Object(given.plans);
  const ids = [plans].flat().flatMap((plan) => Object(plan).id ?? []);
  const other = Object.keys(Object(given.names)).find((id) => ids.length > 0 && !ids.includes(id));
  // Not as in the settings of a server, which reads no sources.
  const isWithout = given.plans === "none" || Object(given.plans).from === "none";
  return whatApplies({
    "snapshots is the folder of the settings: write one of its own, such as snapshots/data": location === directory,
    "snapshots is in a folder that the system empties: write another, such as /srv/acme":
      OF_SYSTEM.test(location) && !OF_SYSTEM.test(directory),
    'names has no effect, for plans are "none": leave it out': isWithout && "names" in given,
    [`names.${other} is no plan of plans.plans, which has ${ids.join(", ")}`]: other !== undefined,
    "guard.over is not shorter than staleAfter: shorten it, or what is held is a 502 before it is published":
      over >= staleAfter,
    "guard.releaseOver counts only between guard.over and half of staleAfter":
      "releaseOver" in own && (releaseOver < over || releaseOver > staleAfter / 2),
    "guard.confirm takes so many runs that what is held is a 502 before it is published: write fewer":
      "confirm" in own && confirm * longestPause(settings.schedule) > staleAfter,
    'guard.priceFactor has no effect while "off" has "price"': "priceFactor" in own && off.includes("price"),
    [`guard.priceFactor is a factor: for changes of ${priceFactor} % write ${1 + priceFactor / 100}`]:
      priceFactor > MUCH && priceFactor <= 100,
    'guard.priceFactor lets nearly every price through: write one such as 5, or "off": ["price"]': priceFactor > 100,
    "history.age has no effect while keep is 0": keep === 0 && "age" in Object(given.history),
    "history.age is less than an hour: m is for minutes, d for days": age < HOUR_MS,
  });
}
