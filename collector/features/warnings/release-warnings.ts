// Probable mistakes in a release: a link that is not the installer's, or does not last, and a version or a date that misleads. A release
// goes in, a line for each mistake comes out.
import { attempt, isThisComputer, parseUrl, whatApplies } from "../../../snapshots/rules.ts";
import type { Release } from "../../../snapshots/schema.ts";
import { displayName } from "../../parsing/issues.ts";
import { fileName } from "../../parsing/link.ts";
import { isNoDay } from "../kinds/releases/date.ts";
import { decoded, readFileName } from "../kinds/releases/file-name.ts";
import { namesOtherVersion, TEMPLATE, versionsIn } from "../kinds/releases/release.ts";
import { proseIn } from "./prose.ts";

export function releaseWarnings(latest: Release): string[] {
  return [
    ...namesOtherVersion(latest),
    ...proseIn("version", latest.version),
    ...(isDateInWords(latest.date) ? [] : proseIn("date", latest.date)),
    ...fileFaults(latest),
    ...linkFaults(latest.downloadURL),
    ...versionFaults(latest),
    ...dateFaults(latest.date),
  ];
}

/** Updates, and programs for Linux. */
const ELSEWHERE = /\.(?:nupkg|appimage|deb|rpm)$/i;

function fileFaults({ platform, downloadURL }: Release): string[] {
  const name = fileName(downloadURL);
  const { form, platform: marked } = readFileName(name, new Set());
  // A product may be called after a system, and so its name begins.
  const { platform: archived } = readFileName(name.replace(/^\p{L}+/u, ""), new Set());
  const isForOther = form === "archive" && archived === (platform === "macos" ? "windows" : "macos");
  const ending = platform === "macos" ? "dmg" : "exe";
  return whatApplies({
    [`the file's name is that of no installer for ${platform}: give the link of one, such as a .${ending}`]:
      (form === "installer" && marked !== platform) || form === "side" || isForOther || ELSEWHERE.test(downloadURL),
    [`the file is the updater's archive: give the link of an installer, such as a .${ending}, if there is one`]:
      /\.(?:app\.t(?:ar\.)?gz|nsis\.zip|msi\.zip)$/i.test(name),
  });
}

/** A list of releases, or a file as GitHub, Google Drive or Dropbox shows it. */
const PAGE =
  /\/releases(?:\/latest|\/tag\/[^/]+)?\/?$|^https:\/\/(?:github\.com\/[^/]+\/[^/]+\/blob\/|drive\.google\.com\/file\/|www\.dropbox\.com\/(?!.*[?&](?:dl|raw)=1))/;
/** The API of GitHub, and what a build there has left. */
const FOR_PROGRAMS = /^https:\/\/api\.github\.com\/|\/actions\/runs\/\d+\/artifacts\//;
/** Those of Firebase last. */
const PASSING = /^(?!.*[?&]alt=media).*[?&](?:x-(?:amz|goog)-signature|signature|sig|(?:access_|private_)?token)=/i;
/** Has no dot, or ends as names do that only a network of one's own knows. */
const NEARBY = /^(?!localhost$)[^.:]+$|\.(?:local|lan|internal|home\.arpa)$/;
const UNFILLED = /(?:^|\.)your-?(?:domain|company|site|server|app|bucket)\b/;

function linkFaults(link: string): string[] {
  const { protocol = "", hostname = "" } = parseUrl(link) ?? {};
  // Addresses in digits without TLS are those of doubles, in a rehearsal.
  const isHere = isThisComputer(hostname) && (protocol === "https:" || hostname === "localhost");
  return whatApplies({
    "downloadURL leads to a page: give the link of the file": PAGE.test(link),
    "downloadURL leads to this computer only": isHere,
    "downloadURL leads to a network of your own: give a public link": NEARBY.test(hostname),
    "downloadURL is for programs, or needs a login: give the link that people click": FOR_PROGRAMS.test(link),
    "downloadURL has a signature or token, which expires: give a link that lasts": PASSING.test(link),
    "downloadURL has a placeholder: a template that was not filled in?":
      TEMPLATE.test(decoded(link)) || UNFILLED.test(hostname),
  });
}

function versionFaults({ version, downloadURL }: Release): string[] {
  const [own, another] = versionsIn(fileName(downloadURL));
  const instead = own !== undefined && another === undefined ? `that of the file, ${own}` : "one such as 4.2.1";
  return whatApplies({
    [`version has no digit: write ${instead}, which readers compare with their own`]: !/\d/.test(version),
    "version is a range: write that of the file": /(?:^|\.)[x*](?:\.|$)/i.test(version),
    [`version has a comma: write ${displayName(version.replaceAll(",", "."))}`]: /\d,\d/.test(version),
  });
}

const DAY_MS = 24 * 60 * 60_000;
const LONG_PAST = Date.UTC(2000);
const DAY_IN_DOUBT = /^(\d{1,2})[./-](\d{1,2})[./-](\d{2}|\d{4})$/;

function dateFaults(date: string): string[] {
  const time = Date.parse(date);
  const meant = daysMeant(date);
  return whatApplies({
    "date names a day or a time that does not exist": isNoDay(date) || (Number.isNaN(time) && /^\d{4}-/.test(date)),
    [`date is a number, perhaps of seconds since 1970: write ${meant}`]: /^\d{9,}(?:\.\d+)?$/.test(date),
    [`date has its day and month in doubt: write ${meant}`]: DAY_IN_DOUBT.test(date),
    [`date is none for who reads it later: write ${meant}`]: /\bago$|^(?:to|yester)day$/i.test(date),
    "date is in the future: write the day of the release, or leave it out": time > Date.now() + DAY_MS,
    "date is before 2000: correct it, or leave it out": time < LONG_PAST,
  });
}

/** The days that a date may stand for. */
function daysMeant(date: string): string {
  const [, one = "", other = "", year = ""] = DAY_IN_DOUBT.exec(date) ?? [];
  const [first, second] = [one, other].map((part) => part.padStart(2, "0"));
  const inOrder = [`${second}-${first}`, `${first}-${second}`].map((day) => `${year.padStart(4, "20")}-${day}`);
  // As milliseconds, today's number of seconds is of 1970.
  const time = Number(date) * (Number(date) < 1e11 ? 1000 : 1);
  const counted = attempt(() => new Date(time).toISOString().slice(0, 10)) ?? "";
  const days = [...inOrder, counted].filter((day) => /^20\d\d-\d\d-\d\d$/.test(day) && !isNoDay(day));
  return [...new Set(days)].join(" or ") || "a day such as 2026-11-02";
}

/** Such as `November 22, 2026`. JavaScript also reads past other words before a date, and what is in brackets. */
function isDateInWords(date: string): boolean {
  return /^(?:\d|[A-Z][a-z]{2,8} \d)[^<>()]*$/.test(date) && Date.parse(date) > 0;
}
