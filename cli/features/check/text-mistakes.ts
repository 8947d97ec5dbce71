// Probable mistakes in single texts of the settings: secrets, which every reader of the file would have, and texts that are used as they
// stand, though their author meant something else. The settings go in, a line for each mistake comes out. Shows no value.
import { sep } from "node:path";
import { isThisComputer, parseUrl, repeated, whatApplies } from "../../../snapshots/rules.ts";

/** As in a Configuration. */
interface Checked {
  settings: { api: { baseUrl?: string | undefined } };
  given: Readonly<Record<string, unknown>>;
}

interface Text {
  path: string;
  text: string;
}

export function textMistakes({ given, settings }: Checked): string[] {
  const texts = textsIn({ ...given, api: { baseUrl: settings.api.baseUrl, ...Object(given.api) } });
  return [
    ...nameMistakes(Object(given.names) as object),
    ...texts.flatMap((one, at) => faultsIn(one, texts.slice(0, at)).map((fault) => `${one.path} ${fault}`)),
  ];
}

/** Every text of the settings but those of stand-ins, whose keys may be secrets. */
function textsIn(value: unknown, path: string[] = []): Text[] {
  if (typeof value === "string") return [{ path: path.join("."), text: value }];
  if (typeof value !== "object" || value === null || path[0] === "standIns") return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, [...path, key]));
}

/** Each is of one price. */
const PAYMENT_LINK = /^https:\/\/(?:buy\.stripe\.com|pay\.paddle\.io|[\w-]+\.lemonsqueezy\.com\/(?:buy|checkout))\//i;

/** `given`: the names of plans by their ids. */
function nameMistakes(given: object): string[] {
  const names = Object.entries(given).map(([id, { title, buy = "" }]) => ({ id, title, buy: String(buy) }));
  const links = names.flatMap(({ buy }) => (PAYMENT_LINK.test(buy) ? [buy] : []));
  const titles = names.flatMap(({ title = [] }) => title);
  // By the end of its path: the link may be one of a page for several plans.
  const other = names.find(({ id, buy }) => names.some((one) => one.id !== id && buy.endsWith(`/${one.id}`)));
  return whatApplies({
    "names: two plans have one payment link, which is of one price: give each its own": repeated(links) !== undefined,
    [`names.${other?.id}.buy is the link of another plan: give its own`]: other !== undefined,
    "names: two plans are called the same: title each": repeated(titles) !== undefined,
  });
}

/** Services that give out secrets begin them so. */
const KNOWN_SECRET = /\b(?:[prs]k_(?:live|test)|pdl_\w+|gh[opsu]|github_pat|glpat|xox[abp])[-_]\w/;
const SECRET_NAME = /auth|cookie|credential|key|passw|secret|session|signature|token/i;
/** A value looks like a secret if it has a scheme, is a JSON web token, or has many letters and digits in one word. */
const SECRET_VALUE = /^(?:bearer|basic|token) \S|^eyJ|^(?=.*\d)(?=.*[a-z])[\w-]{20,}$/i;

/** Addresses that readers follow. */
const PUBLIC = /^api\.(?:baseUrl|home|documentation|contact)$|^names\.[^]*\.buy$/;
/** Texts that readers see as they are. */
const WORDS = /^(?:api\.(?:name|description)|names\..*\.(?:title|line))$/;

/** As documents write what is to be filled in. */
const UNFILLED =
  /\bYOUR[-_ ]|^Your (?:App|Product|Company)\b|\byour-?(?:domain|company|org|repo|app|name)\b|<[A-Z_-]+>|\b(?:TODO|CHANGE_?ME)\b|[Ll]orem ipsum/;
/** As templates do, or what a program writes for nothing. */
const SLOT = /\{[\w{.]|^\$[A-Z_{]|^(?:undefined|null)$/;

/** `before`: the texts above it. */
function faultsIn({ path, text }: Text, before: readonly Text[]): string[] {
  const [name = "", holder = ""] = path.split(".").toReversed();
  if (holder === "command") return argumentFaults(text);
  const isSent = /^(?:headers|env)$/.test(holder) && !text.includes("$");
  const isPublic = PUBLIC.test(path);
  const sent = isPublic || name === "page" ? "take a public address" : 'send it as one of the "headers", as "$NAME"';
  const list = /^(.*\.)\d+$/.exec(path)?.[1];
  const twins = before.flatMap((one) => (one.text === text ? [one.path] : []));
  return [
    ...whatApplies({
      'looks like a secret: put it into the environment and write "$NAME" here':
        isSent && (SECRET_NAME.test(name) || SECRET_VALUE.test(text)),
      [`has a secret in it: ${sent}`]: isUrlWithSecret(text),
      "is the file of api.overview: give each its own, or leave one out":
        path === "api.faq" && twins.includes("api.overview"),
      "has a placeholder: fill it in": UNFILLED.test(text) || ((isPublic || WORDS.test(path)) && SLOT.test(text)),
      "begins or ends with a space: remove it": text !== text.trim(),
      "is in the list twice: leave it out": list !== undefined && twins.some((one) => one.startsWith(list)),
    }),
    ...(name === "schedule" ? scheduleFaults(text) : []),
    ...publicationFaults(path, text),
    ...pathFaults(path, text),
    ...(isPublic ? addressFaults(path, text) : []),
    ...(WORDS.test(path) ? wordFaults(text) : []),
  ];
}

function isUrlWithSecret(text: string): boolean {
  if (!/^https?:/i.test(text)) return false;
  // Not ?key=pricing, or ?token_type=public.
  const isSecret = ([name, value]: [string, string]) =>
    SECRET_NAME.test(name) && !/(?:type|name)$/i.test(name) && !(name === "key" && /^[a-z]+$/.test(value));
  return KNOWN_SECRET.test(text) || [...(parseUrl(text)?.searchParams ?? [])].some(isSecret);
}

/** An argument of several words may be a script for a shell or another interpreter, which reads it, but not if it is a header. */
function argumentFaults(text: string): string[] {
  const isUsedAsItStands = !/\S\s+\S/.test(text) || /^[\w-]+: /.test(text);
  const [, name = "", value = ""] = /^-*([\w-]+)(?:=|: )([^$]+)$/.exec(text) ?? [];
  const isSecret = SECRET_NAME.test(name) && SECRET_VALUE.test(value);
  return whatApplies({
    'has a secret in it: give it in "env", as "$NAME"': isSecret || isUrlWithSecret(text) || KNOWN_SECRET.test(text),
    'is used as it stands, ~ and $NAME too: write the whole path, or give the variable in "env"':
      isUsedAsItStands && /(?:^|\/)~\/|\$\{?[A-Z_]{2}/.test(text),
  });
}

function scheduleFaults(text: string): string[] {
  return whatApplies({
    "has six fields, and so begins with the second: leave that out, or write 0 there":
      /^\s*\*(?:\/\d+)?(?:\s+\S+){5}\s*$/.test(text),
    "begins anew each hour, so that one pause is shorter: write */30, or one minute for each hour":
      /^(?:0 )?\*\/(?:3[1-9]|[45]\d) /.test(text),
    "runs each minute of its hours: write 0 for once, or */15, in place of the first *":
      /^\*(?:\/1)? (?!\*(?: |$))\S+(?: \S+){3}$/.test(text),
  });
}

/** An expression of SPDX, without looking up its licences. */
const SPDX = /^\(*[\w.+-]+\)*(?: (?:AND|OR|WITH) \(*[\w.+-]+\)*)*$/;
/** A family of licences without the number of one, or with it as others write it, or none at all. */
const FAMILY =
  /^(?:(?:CC-BY|[AL]?GPL|Apache|MPL|BSD)(?:[a-z-]*|v?\d(?:\.0)?)|licen[sc]e(?:\.\w+)?|proprietary|commercial|custom|none|unlicensed)$/i;

/** Who may use what is published, and for what. */
function publicationFaults(path: string, text: string): string[] {
  return whatApplies({
    "is no SPDX identifier: write one such as CC-BY-4.0, or LicenseRef-NAME for terms of your own":
      path === "api.license" && (!SPDX.test(text) || FAMILY.test(text)),
    "is no pattern: list each origin by itself": path.startsWith("api.origins.") && text.includes("*"),
    "says one thing twice: leave one out":
      path === "api.contentSignal" && repeated(text.match(/[\w-]+(?==)/g) ?? []) !== undefined,
  });
}

/** Of a shell, which no program replaces. */
const OF_SHELL = /(?:^|\/)~[\w-]*(?:\/|$)|\$\{?[A-Z_]+\}?(?:\/|$)|%[A-Z_]+%/i;
const OF_WINDOWS = /(?:^|\/)[a-z]:(?=[\\/])|\\|(?:^|\/)["']/i;

function pathFaults(path: string, text: string): string[] {
  const isFile = /^api\.(?:logo|picture|overview|faq)$/.test(path);
  if (!isFile && !/^(?:snapshots|lastCopy)$|\.path$/.test(path)) return [];
  return whatApplies({
    "is one file, and no pattern: write its whole name": /[*?]/.test(text),
    "is used as it stands, ~ and $NAME too: write the whole path": OF_SHELL.test(text),
    "is the path of another system, or has quotes: write it as this one does, as in /srv/acme":
      sep === "/" && OF_WINDOWS.test(text),
    "is the path of a folder: write it as one, such as snapshots/data": /(?:^|\/):\w+:$/.test(text),
    "is in a folder that the next installation empties: write one of your own, such as snapshots/data":
      !isFile && /(?:^|\/)node_modules\//.test(text),
    "is published as it is: write the path of a Markdown file, which ends with .md":
      /^api\.(?:overview|faq)$/.test(path) && !/\.(?:md|markdown|txt)$/i.test(text),
    "must be the path of a file, not a URL": isFile && /^(?:https?|file|data):/i.test(text),
  });
}

/** RFC 2606. */
const OF_EXAMPLES = /(?:^|\.)example(?:\.(?:com|org|net))?$|\.invalid$/i;
/** Of one customer's payment, or of the vendor. */
const PASSING_LINK = /^https:\/\/(?:checkout\.stripe\.com\/c\/pay\/|dashboard\.|(?:sandbox-)?vendors\.paddle\.com)/i;
const TEST_LINK = /^https:\/\/(?:buy\.stripe\.com\/test_|sandbox-)/i;

function addressFaults(path: string, text: string): string[] {
  const host = parseUrl(text)?.hostname ?? text.replace(/^.*@/, "");
  const isHere = isThisComputer(host);
  // The base URL may be one of a network of one's own, or of a proxy that does TLS.
  const isLink = path !== "api.baseUrl";
  return whatApplies({
    "is an example: give your own address": OF_EXAMPLES.test(host),
    "leads to this computer only: give the public address": isLink && isHere,
    "is read by nobody: give one that is": /^(?:no-?reply|do-?not-?reply)@/i.test(text),
    "is for tests: give the public address": isLink && /^(?:staging|stage|preprod|qa|uat|dev)[.-]/i.test(host),
    "is a link of the test mode: give that of the live mode": isLink && TEST_LINK.test(text),
    "is no link for customers: give one that lasts": isLink && PASSING_LINK.test(text),
    "begins with http: write https, which browsers and agents expect": isLink && /^http:/i.test(text) && !isHere,
  });
}

/** HTML, emphasis or a link anywhere, or a block of Markdown. */
const MARKUP = /<[a-z/]|&(?:\w+|#\d+);|^\s*(?:[-*+>#]|\d+[.)])\s|^-{3}|\*\*\S|\]\(http/i;
/** An amount of money for a time. */
const PRICE = /(?:[€$£¥]\s?\d[\d.,]*|\d\s?(?:[€£¥]|EUR|USD|GBP))\s?(?:\/|an?\b|per\b)/i;

function wordFaults(text: string): string[] {
  return whatApplies({
    "has markup, which readers see as it is: write plain text": MARKUP.test(text),
    "has several lines: write one sentence": /[\n\r]/.test(text),
    "has a price, which no collection keeps true: leave it out": PRICE.test(text),
  });
}
