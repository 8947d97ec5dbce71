// Probable mistakes in single texts of the settings: secrets, which every reader of the file would have, and texts that are used as they
// stand, though their author meant something else. Shows no value.
import { sep } from "node:path";
import { isThisComputer, parseUrl, repeated, whatApplies } from "../../../snapshots/rules.ts";

/** As in a Configuration. */
interface Checked {
  settings: { api: { baseUrl?: string | undefined } };
  given: Readonly<Record<string, unknown>>;
}

/** Services that give out secrets begin them so. */
const KNOWN_SECRET = /\b(?:[prs]k_(?:live|test)|pdl_\w+|gh[opsu]|github_pat|glpat|xox[abp])[-_]\w/;
const SECRET_NAME = /auth|cookie|credential|key|passw|secret|session|signature|token/i;
/** A value looks like a secret if it has a scheme, is a JSON web token, or has many letters and digits in one word. */
const SECRET_VALUE = /^(?:bearer|basic|token) \S|^eyJ|^(?=.*\d)(?=.*[a-z])[\w-]{20,}$/i;

/** Of a shell, which no program replaces. */
const OF_SHELL = /(?:^|\/)~[\w-]*(?:\/|$)|\$\{?[A-Z_]+\}?(?:\/|$)|%[A-Z_]+%/i;
const OF_WINDOWS = /(?:^|\/)[a-z]:(?=[\\/])|\\|(?:^|\/)["']/i;

/** RFC 2606. */
const OF_EXAMPLES = /(?:^|\.)example(?:\.(?:com|org|net))?$|\.invalid$/i;
/** Of one customer's payment, or of the vendor. */
const PASSING_LINK = /^https:\/\/(?:checkout\.stripe\.com\/c\/pay\/|dashboard\.|(?:sandbox-)?vendors\.paddle\.com)/i;
const TEST_LINK = /^https:\/\/(?:buy\.stripe\.com\/test_|sandbox-)/i;

const PUBLIC = /^api\.(?:baseUrl|home|documentation|contact)$|^names\.[^]*\.buy$/;
const WORDS = /^(?:api\.(?:name|description)|names\..*\.(?:title|line))$/;
/** HTML, emphasis or a link anywhere, or a block of Markdown. */
const MARKUP = /<[a-z/]|&(?:\w+|#\d+);|^\s*(?:[-*+>#]|\d+[.)])\s|^-{3}|\*\*\S|\]\(http/i;
/** A family of licences without the number of one, or with it as others write it, or none at all. */
const FAMILY =
  /^(?:(?:CC-BY|[AL]?GPL|Apache|MPL|BSD)(?:[a-z-]*|v?\d(?:\.0)?)|licen[sc]e(?:\.\w+)?|proprietary|commercial|custom)$/i;
/** An expression of SPDX, without looking up its licences. */
const SPDX = /^\(*[\w.+-]+\)*(?: (?:AND|OR|WITH) \(*[\w.+-]+\)*)*$/;

/** As documents write what is to be filled in. */
const UNFILLED =
  /\bYOUR[-_ ]|\byour-?(?:domain|company|org|repo|app|name)\b|<[A-Z_-]+>|\b(?:TODO|CHANGE_?ME)\b|[Ll]orem ipsum/;
/** As templates do, or what a program writes for nothing. */
const SLOT = /\{[\w{.]|^\$[A-Z_{]|^(?:undefined|null)$/;
/** Each is of one price. */
const PAYMENT_LINK = /^https:\/\/(?:buy\.stripe\.com|pay\.paddle\.io|[\w-]+\.lemonsqueezy\.com\/(?:buy|checkout))\//i;
/** An amount of money for a time. */
const PRICE = /(?:[€$£¥]\s?\d[\d.,]*|\d\s?(?:[€£¥]|EUR|USD|GBP))\s?(?:\/|an?\b|per\b)/i;

interface Text {
  path: string;
  text: string;
}

/** A line for each mistake. */
export function textMistakes({ given, settings }: Checked): string[] {
  const texts = textsIn({ ...given, api: { baseUrl: settings.api.baseUrl, ...Object(given.api) } });
  return [
    ...nameMistakes(Object(given.names) as object),
    ...texts.flatMap((one, at) => mistakesIn(one, texts.slice(0, at))),
  ];
}

/** `given`: the names of plans by their ids. */
function nameMistakes(given: object): string[] {
  const names = Object.entries(given).map(([id, { title, buy = "" }]) => ({ id, title, buy: String(buy) }));
  const links = names.flatMap(({ buy }) => (PAYMENT_LINK.test(buy) ? [buy] : []));
  // By the end of its path: the link may be one of a page for several plans.
  const other = names.find(({ id, buy }) => names.some((one) => one.id !== id && buy.endsWith(`/${one.id}`)));
  return whatApplies({
    "names: two plans have one payment link, which is of one price: give each its own": repeated(links) !== undefined,
    [`names.${other?.id}.buy is the link of another plan: give its own`]: other !== undefined,
    "names: two plans are called the same: title each":
      repeated(names.flatMap(({ title = [] }) => title)) !== undefined,
  });
}

function mistakesIn({ path, text }: Text, before: readonly Text[]): string[] {
  const [name = "", holder] = path.split(".").toReversed();
  if (holder === "command") return argumentMistakes(path, text);
  const isSent = (holder === "headers" || holder === "env") && !text.includes("$");
  const isPublic = name === "page" || PUBLIC.test(path);
  const list = /^(.*\.)\d+$/.exec(path)?.[1];
  const isRepeated = before.some((one) => list !== undefined && one.path.startsWith(list) && one.text === text);
  return [
    ...whatApplies({
      [`${path} looks like a secret: put it into the environment and write "$NAME" here`]:
        isSent && (SECRET_NAME.test(name) || SECRET_VALUE.test(text)),
      [`${path} has a secret in it: ${isPublic ? "take a public address" : 'send it as one of the "headers", as "$NAME"'}`]:
        isUrlWithSecret(text),
      [`${path} is no SPDX identifier: write one such as CC-BY-4.0, or LicenseRef-NAME for terms of your own`]:
        path === "api.license" && (!SPDX.test(text) || FAMILY.test(text)),
      [`${path} is no pattern: list each origin by itself`]: path.startsWith("api.origins.") && text.includes("*"),
      [`${path} has six fields, and so begins with the second: leave that out, or write 0 there`]:
        name === "schedule" && /^\s*\*(?:\/\d+)?(?:\s+\S+){5}\s*$/.test(text),
      [`${path} begins anew each hour, so that one pause is shorter: write */30, or one minute for each hour`]:
        name === "schedule" && /^(?:0 )?\*\/(?:3[1-9]|[45]\d) /.test(text),
      [`${path} runs each minute of its hours: write 0 for once, or */15, in place of the first *`]:
        name === "schedule" && /^\*(?:\/1)? (?!\*(?: |$))\S+(?: \S+){3}$/.test(text),
      [`${path} says one thing twice: leave one out`]:
        path === "api.contentSignal" && repeated(text.match(/[\w-]+(?==)/g) ?? []) !== undefined,
      [`${path} is the file of api.overview: give each its own, or leave one out`]:
        path === "api.faq" && before.some((one) => one.path === "api.overview" && one.text === text),
      [`${path} has a placeholder: fill it in`]:
        UNFILLED.test(text) || ((PUBLIC.test(path) || WORDS.test(path)) && SLOT.test(text)),
      [`${path} begins or ends with a space: remove it`]: text !== text.trim(),
      [`${path} is in the list twice: leave it out`]: isRepeated,
    }),
    ...pathMistakes(path, text),
    ...addressMistakes(path, text),
    ...wordMistakes(path, text),
  ];
}

function pathMistakes(path: string, text: string): string[] {
  const isFile = /^api\.(?:logo|picture|overview|faq)$/.test(path);
  if (!isFile && !/^(?:snapshots|lastCopy)$|\.path$/.test(path)) return [];
  return whatApplies({
    [`${path} is one file, and no pattern: write its whole name`]: /[*?]/.test(text),
    [`${path} is used as it stands, ~ and $NAME too: write the whole path`]: OF_SHELL.test(text),
    [`${path} is the path of another system, or has quotes: write it as this one does, as in /srv/acme`]:
      sep === "/" && OF_WINDOWS.test(text),
    [`${path} is the path of a folder: write it as one, such as snapshots/data`]: /(?:^|\/):\w+:$/.test(text),
    [`${path} is in a folder that the next installation empties: write one of your own, such as snapshots/data`]:
      !isFile && /(?:^|\/)node_modules\//.test(text),
    [`${path} is published as it is: write the path of a Markdown file, which ends with .md`]:
      /^api\.(?:overview|faq)$/.test(path) && !/\.(?:md|markdown|txt)$/i.test(text),
    [`${path} must be the path of a file, not a URL`]: isFile && /^(?:https?|file|data):/i.test(text),
  });
}

/** Of addresses that readers follow. */
function addressMistakes(path: string, text: string): string[] {
  if (!PUBLIC.test(path)) return [];
  const host = parseUrl(text)?.hostname ?? text.replace(/^.*@/, "");
  const isHere = isThisComputer(host);
  const faults = OF_EXAMPLES.test(host) ? [`${path} is an example: give your own address`] : [];
  // May be one of a network of one's own, or of a proxy that does TLS.
  if (path === "api.baseUrl") return faults;
  return [
    ...faults,
    ...whatApplies({
      [`${path} leads to this computer only: give the public address`]: isHere,
      [`${path} is read by nobody: give one that is`]: /^(?:no-?reply|do-?not-?reply)@/i.test(text),
      [`${path} is a link of the test mode: give that of the live mode`]: TEST_LINK.test(text),
      [`${path} is no link for customers: give one that lasts`]: PASSING_LINK.test(text),
      [`${path} begins with http: write https, which browsers and agents expect`]: /^http:/i.test(text) && !isHere,
    }),
  ];
}

/** Of what readers see as it is. */
function wordMistakes(path: string, text: string): string[] {
  if (!WORDS.test(path)) return [];
  return whatApplies({
    [`${path} has markup, which readers see as it is`]: MARKUP.test(text),
    [`${path} has several lines: write one sentence`]: /[\n\r]/.test(text),
    [`${path} has a price, which no collection keeps true: leave it out`]: PRICE.test(text),
  });
}

/** An argument of several words may be a script for a shell or another interpreter, which reads it, but not if it is a header. */
function argumentMistakes(path: string, text: string): string[] {
  const isUsedAsItStands = !/\S\s+\S/.test(text) || /^[\w-]+: /.test(text);
  const [, name = "", value = ""] = /^-*([\w-]+)(?:=|: )([^$]+)$/.exec(text) ?? [];
  const isSecret = SECRET_NAME.test(name) && SECRET_VALUE.test(value);
  return whatApplies({
    [`${path} has a secret in it: give it in "env", as "$NAME"`]:
      isSecret || isUrlWithSecret(text) || KNOWN_SECRET.test(text),
    [`${path} is used as it stands, ~ and $NAME too: write the whole path, or give the variable in "env"`]:
      isUsedAsItStands && /(?:^|\/)~\/|\$\{?[A-Z_]{2}/.test(text),
  });
}

function isUrlWithSecret(text: string): boolean {
  if (!/^https?:/i.test(text)) return false;
  // Not ?key=pricing, or ?token_type=public.
  const isSecret = ([name, value]: [string, string]) =>
    SECRET_NAME.test(name) && !/(?:type|name)$/i.test(name) && !(name === "key" && /^[a-z]+$/.test(value));
  return KNOWN_SECRET.test(text) || [...(parseUrl(text)?.searchParams ?? [])].some(isSecret);
}

/** Every text of the settings but those of stand-ins, whose keys may be secrets. */
function textsIn(value: unknown, path: string[] = []): Text[] {
  if (typeof value === "string") return [{ path: path.join("."), text: value }];
  if (typeof value !== "object" || value === null || path[0] === "standIns") return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, [...path, key]));
}
