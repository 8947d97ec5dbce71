// A refusal names the settings that decide, each of which was tried. They are kept for years, so the most lasting comes first: numbers
// that change with each release become `*`. One that takes an older release than another that is named says so, and never comes first.
import { UpstreamError } from "../../../http/errors.ts";
import { displayName } from "../../../parsing/issues.ts";
import { EXTENSION, nameWithoutNumbers } from "./file-name.ts";
import { productOfFile } from "./installer-rank.ts";
import { fileOf } from "./listed-release.ts";
import type { ListedFile, Published, ReleaseCriteria } from "./listed-release.ts";

/** A release that settings may choose, or this file of it. */
export interface Rival {
  release: Published;
  file?: ListedFile | undefined;
}

type Settings = Partial<ReleaseCriteria>;

export const MAX_NAMED = 3;
const LAST_RESORT = "mark as a prerelease what is not the app, or release the app under a tag with a version";

/** A refusal: the problem, the releases or files between which settings have to decide, the newest release first, and another way
 * out. */
export class Doubt extends Error {
  readonly #rivals: readonly Rival[];
  readonly #otherwise: string | undefined;

  constructor(problem: string, rivals: readonly Rival[] = [], otherwise?: string) {
    super(problem);
    this.#rivals = rivals;
    this.#otherwise = otherwise;
  }

  /** Names for each rival the first settings that choose it. Those of the newest release are the remedy. */
  asUpstreamError(
    chooses: (settings: Settings, rival: Rival) => boolean,
    { criteria: { platform }, skipped }: { criteria: ReleaseCriteria; skipped: string[] },
  ): UpstreamError {
    const newest = this.#rivals[0]?.release;
    const found = this.#rivals.slice(0, MAX_NAMED).flatMap((rival) => {
      const settings = settingsFor(rival).find((one) => chooses(one, rival));
      return settings ? [{ rival, settings }] : [];
    });
    // A pattern with a number of this release, or with as many digits, takes few others. Of two products, the app stays first.
    const products = new Set(found.map(({ rival: { file } }) => file && productOfFile(file).replace(/[\d.]+/g, "")));
    const rank = ({ rival: { release }, settings: { asset = "" } }: (typeof found)[number]) =>
      Number(asset.includes("?") || numbersOf(asset).some((number) => numbersOf(release.tag).includes(number)));
    const ways = products.size > 1 ? found : found.toSorted((a, b) => rank(a) - rank(b));
    const lines = ways.map(({ rival: { release, file }, settings }) => {
      const [pair = ""] = Object.entries(settings).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
      const place = settings.asset === undefined ? "" : `in a source for ${platform} alone, `;
      const wanted = file ? fileOf(file, release) : displayName(release.tag);
      const isOlder = newest !== undefined && release !== newest;
      return `${place}${pair} takes ${wanted}${isOlder ? `, older than ${displayName(newest.tag)}` : ""}`;
    });
    const [first] = ways;
    const isNewest = first?.rival.release === newest;
    const remedy = isNewest ? first?.settings : undefined;
    const otherwise = this.#otherwise ?? (remedy ? undefined : LAST_RESORT);
    const help = remedy ? [...lines, otherwise] : [otherwise?.replace(/^or /, ""), ...lines];
    const known = help.filter((line) => line !== undefined);
    return new UpstreamError(`${this.message}: ${known.join("; ")}`, { skipped, remedy });
  }
}

/** These settings could choose a release, the most lasting first. */
function settingsFor({ release, file }: Rival): Settings[] {
  const { tag, time } = release;
  // It lists an updater's packages.
  if (file?.name === "RELEASES") return [];
  if (file) return [...new Set(patternsFor(file.name, tag))].map((asset) => ({ asset }));
  const [, head = "", major = "", mark = "", minor = ""] = /^(\D*?v?)(\d+)(?:([-._])(\d+))?/i.exec(tag) ?? [];
  const name = /^(.*[@/]|.*\D[-_])v?\d/i.exec(tag)?.[1] ?? head;
  const names = /[-_@/]$/.test(head) ? [head, withoutNumbers(name), name] : [withoutNumbers(name), name];
  const since = time === 0 ? "" : new Date(time).toISOString();
  return [
    { prereleases: true },
    ...names.filter((one) => one !== "").map((one) => ({ tag: `${one}*` })),
    ...(since === "" ? [] : [{ since: since.slice(0, 10) }, { since: since.replace(/\.\d+/, "") }]),
    // They outlive the major version.
    { tag: `${head}*${mark || "."}*` },
    { tag: `${head}${major}${mark || "."}*` },
    // The year of a day without marks: 20270731.
    ...(/^\d{8}$/.test(major) ? [{ tag: `${head}${major.slice(0, 4)}*` }] : []),
    ...(minor === "" ? [] : [{ tag: `${head}${major}${mark}${minor}${mark}*` }]),
  ];
}

function withoutNumbers(text: string): string {
  return text.replace(/\d+(?:[-._]\d+)*/g, "*");
}

/** Such numbers stay from release to release: those of processors, then those of systems. */
const LASTING = [
  String.raw`x86[-_]64|(?:x|arm[-_]?|aarch|amd|win|windows|mac|macos|osx|linux|woa|installer|setup)(?:32|64|86)(?![a-z\d])`,
  String.raw`(?:32|64)[-_. ]?bits?(?![a-z\d])|ia32|[ix][3-6]86|386(?!\d)|(?<![a-z\d])m[1-9](?![a-z\d])|arm[-_]?v\d\w*`,
  String.raw`(?<![\d.])(?:32|64|86)(?!\d|\.\d)`,
  String.raw`(?:mac|macos|osx|os ?x|darwin)[-_. ]?(?:10[._]\d+(?![\d])|1[1-9](?!\d|[._]\d)|2[6-9](?!\d|[._]\d))(?:-10[._]\d+)?(?!\.\d)`,
  String.raw`(?:win|windows)[-_. ]?(?:7|8|8\.1|10|11)(?![\d]|\.\d)`,
].join("|");
const SYSTEMS = new RegExp(LASTING, "gi");
/** Everything else that has a number: commits, then versions with the letters behind them, dates and counts. */
const CHANGING = [
  String.raw`(?<![a-z\d])g?(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,40}(?![a-z\d])`,
  String.raw`\d+(?:\.\d+)*(?:(?:[a-z]|alpha|beta|rc)\d*(?![a-z\d]))?`,
].join("|");
const NUMBERS = new RegExp(`(?<lasting>${LASTING})|${CHANGING}`, "gi");
const DOTTED = /(?<![x\d])\d+(?:[._]\d+)+/g;

function numbersOf(text: string): string[] {
  return text.match(/\d+(?:\.\d+)*/g) ?? [];
}

/** The words of a name, some with a number, such as `java17` and `macos1014`. */
export function lastingName({ name }: ListedFile): string {
  return nameWithoutNumbers({ name: name.replace(SYSTEMS, (number) => number.replace(/[-._ ]/g, "")) });
}

/** The numbers that are no part of a word, as one version. */
export function countsIn({ name }: ListedFile): string {
  return numbersOf(name.replace(SYSTEMS, "").replace(/[a-uw-z]\d[\d.]*/gi, "")).join(".");
}

/** Patterns for the name of a file, the most lasting first. */
export function patternsFor(name: string, tag: string): string[] {
  const extension = EXTENSION.exec(name)?.[0] ?? "";
  const stem = extension === "" ? name : name.slice(0, -extension.length);
  const versions = numbersOf(tag);
  const starred = stem.replace(NUMBERS, (number, ...groups) => {
    const { lasting = "" } = groups.at(-1) as { lasting?: string };
    // `App-mac-12.dmg` of v12 is for any system.
    const [own = "none"] = /1\d$|2\d$|[78]$|\d+\.\d+$/.exec(lasting) ?? [];
    return lasting === "" ? "*" : versions.includes(own) ? lasting.replace(own, "*") : number;
  });
  const withoutTag = (by: (number: string) => string) =>
    name.replace(/\d+(?:\.\d+)*/g, (number) => (versions.includes(number) ? by(number) : number));
  return [
    starred.replace(/\*(?:[-._+ ]*\*)+/g, "*") + extension,
    withoutTag(() => "*"),
    name.replace(DOTTED, "*"),
    // As long as the numbers have as many digits.
    withoutTag((number) => number.replace(/\d/g, "?")),
    name,
  ];
}
