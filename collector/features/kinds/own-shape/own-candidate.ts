// A document in Vitrine's own shape: unlisted fields are dropped and counted, because refusing them would turn a harmless addition into
// an outage.
import * as z from "zod";
import { publicUrl, whatApplies } from "../../../../snapshots/rules.ts";
import type { Platform } from "../../../../snapshots/schema.ts";
import { FACTS, type SnapshotName } from "../../../../snapshots/snapshot.ts";
import { UpstreamError } from "../../../http/errors.ts";
import type { TypedText } from "../../../http/fetch.ts";
import { displayName, fieldPath } from "../../../parsing/issues.ts";
import { fileName, type StatedFile } from "../../../parsing/link.ts";
import { problemsOf } from "../../../parsing/jsonc.ts";
import { platformOf, type Candidate } from "../../../source.ts";
import { isUnfinished } from "../../versions/version.ts";
import { readFileName } from "../releases/file-name.ts";
import { namesOtherVersion, noRelease } from "../releases/release.ts";
import { changelogText, linkText, listOf, parseJson, sizeText, unreadSize } from "../shape.ts";

/** Reads a document for `ownCandidate`, which finds each snapshot in it. @throws UpstreamError if it is not JSON. */
export function parseDocument(text: TypedText): unknown {
  const document = parseJson(text);
  const [ambiguous] = problemsOf(text.text);
  if (ambiguous !== undefined) throw new UpstreamError(ambiguous);
  return document;
}

interface OwnShape {
  names: readonly SnapshotName[];
  /** True if a person has typed it: `null` says that nothing is published, which from elsewhere may be an accident. */
  isTyped?: boolean;
}

/** Reads a release from `{ macos, windows }`; from a source for one platform, also alone. @throws UpstreamError */
export function ownCandidate(upstream: unknown, name: SnapshotName, shape: OwnShape): Candidate {
  const { names, isTyped = false } = shape;
  refuseOthers(upstream, name, isTyped);
  if (name === "plans") return dropUnlisted(name, upstream);
  const platform = platformOf(name);
  const found = names.length === 1 && isAlone(upstream, platform) ? upstream : member(upstream, platform);
  if (isTyped && found === null) return noRelease([]);
  if (!isRelease(found))
    throw new UpstreamError(`must be ${EXAMPLE}, or ${isTyped ? "null" : NONE} if nothing is published`);
  const answer = inFull(found, platform);
  const { latest } = answer;
  if (!isObject(latest)) return dropUnlisted(name, answer);
  if (answer.hasUpdate === false) {
    throw new UpstreamError('"hasUpdate" is false, yet "latest" describes a release');
  }
  const link = Object.keys(latest).find((key) => LINK.test(key));
  if (link !== undefined && !Object.hasOwn(latest, "downloadURL")) throw otherName(link, "downloadURL");
  const { arch, sha256, sha512, signature, files = [], ...release } = latest;
  const { size, downloadURL } = release;
  const others = OtherFiles.safeParse(files);
  const all = [{ url: String(downloadURL), arch, sha256, sha512, signature }, ...(others.data ?? [])];
  return {
    ...dropUnlisted(name, { ...answer, latest: normalRelease(release) }),
    files: all,
    warnings: [
      ...unreadSize(size),
      ...doubtsOf(release),
      ...all.flatMap(otherProcessor),
      ...fileDoubts(all, platform, upstream),
      ...all.slice(1).flatMap(({ url }) => namesOtherVersion({ version: String(release.version), downloadURL: url })),
      ...(others.success ? [] : ['files is not a list such as [{ "url": "https://…", "arch": "x64" }]: left out']),
    ],
  };
}

/** What a person, or a program of the vendor's, has probably written by mistake. */
function doubtsOf({ version, changelog, size }: Record<string, unknown>): string[] {
  const [text, number] = [String(changelog).trim(), String(version)];
  const bytes = Number(sizeText(size));
  return whatApplies({
    [`size is ${bytes} bytes, which is too small for an installer`]: bytes > 0 && bytes < 1_000,
    "changelog has markup, which readers see as it is": /^<(?:!doctype|html|body|div|p|ul|ol|h[1-6])\b/i.test(text),
    "changelog is a link only: write what has changed": /^https?:\/\/\S+$/.test(text),
    "changelog is not written yet: write it, or leave it out": /^(?:todo|tbd|fixme|lorem ipsum)\b/i.test(text),
    "changelog shows \\n: in JSON, a line ends with one backslash and n, not two": /\\n(?: *[-*#•]|\\n)/.test(text),
    // A product may be unfinished until its first release.
    "version is a prerelease, and read as the latest release": isUnfinished(number) && !/^v?(?:0|1\.0)\b/i.test(number),
  });
}

/** Warns if a file is stated to be for another processor than its name says. */
function otherProcessor({ url, arch }: StatedFile): string[] {
  const marked = readFileName(fileName(url), new Set()).arch;
  if (typeof arch !== "string" || arch === marked || ![marked, arch].every((one) => ONE_PROCESSOR.has(one))) return [];
  return [`arch is ${arch}, and the file's name says ${marked}`];
}

/** SHA-256 of no bytes. */
const EMPTY_SUM = /e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855/i;

/** `all`: the one of the release is first. `upstream`: may have the other platform's release, too. */
function fileDoubts(all: readonly StatedFile[], platform: Platform, upstream: unknown): string[] {
  const marks = all.slice(1).map(({ url }) => readFileName(fileName(url), new Set()).platform);
  const releases: Record<string, Partial<Record<string, unknown>>> = Object(upstream);
  const known = [...all, ...["macos", "windows"].map((key) => ({ ...releases[key], url: releases[key]?.downloadURL }))];
  const isShared = ({ url, sha256 }: StatedFile) =>
    typeof sha256 === "string" && known.some((one) => "sha256" in one && one.sha256 === sha256 && one.url !== url);
  return whatApplies({
    [`files has one that is not for ${platform}: leave it out`]: marks.some((mark) => mark && mark !== platform),
    "sha256 is that of an empty file: compute it anew": all.some(({ sha256 }) => EMPTY_SUM.test(String(sha256))),
    "two files have one sha256: compute each from its file": all.some(isShared),
  });
}

const ONE_PROCESSOR = new Set<string>(["arm64", "x64"]);

const OWN_KEYS = ["hasUpdate", "latest", "version", "downloadURL"];
const EXAMPLE = '{ "version": "4.2.1", "downloadURL": "https://dl.acme.com/Notes.dmg" }';
const NONE = '{"hasUpdate": false}';
/** As people call it first. */
const LINK = /^(?:download[_-]?)?(?:url|link|href)$/i;

const OtherFiles = listOf(z.looseObject({ url: linkText }), 100);

/** A release may be written as `{ "version": "4.2.1", "downloadURL": "https://…" }` only. */
function inFull(release: Record<string, unknown>, platform: Platform): Record<string, unknown> {
  const isShort = ["version", "downloadURL"].some((key) => Object.hasOwn(release, key));
  if (!isShort || ["hasUpdate", "latest"].some((key) => Object.hasOwn(release, key))) return release;
  const { forceUpdate = false, ...latest } = release;
  return { hasUpdate: true, forceUpdate, latest: { platform, changelog: "", size: "", date: "", ...latest } };
}

function normalRelease(release: Record<string, unknown>): Record<string, unknown> {
  const { size, changelog, downloadURL } = release;
  return {
    ...release,
    size: sizeText(size),
    ...(typeof changelog === "string" && { changelog: changelogText(changelog) }),
    ...(typeof downloadURL === "string" && { downloadURL: publicUrl(downloadURL) }),
  };
}

const NAMES = { macos: /^(?:mac|mac ?os|os ?x|darwin)(?![a-z])/i, windows: /^win(?:dows)?(?![a-z])/i };

function isRelease(value: unknown): value is Record<string, unknown> {
  return isObject(value) && OWN_KEYS.some((key) => Object.hasOwn(value, key));
}

/** True for the release of one platform without its name. */
function isAlone(upstream: unknown, platform: Platform): boolean {
  if (!isObject(upstream)) return true;
  if (Object.hasOwn(upstream, platform)) return false;
  return isRelease(upstream) || !Object.keys(upstream).some((key) => NAMES[platform].test(key));
}

function member(upstream: unknown, platform: Platform): unknown {
  const keys = isObject(upstream) ? Object.keys(upstream) : [];
  if (isObject(upstream) && keys.includes(platform)) return upstream[platform];
  const near = keys.find((key) => NAMES[platform].test(key));
  if (near !== undefined) throw otherName(near, platform);
  throw new UpstreamError(
    `the answer has no "${platform}": it needs a release there, as for each platform, or ${NONE} if nothing is published`,
  );
}

/** @throws UpstreamError for a document of releases for the plans, and the other way round */
function refuseOthers(upstream: unknown, name: SnapshotName, isTyped: boolean): void {
  const hasOf = (part: unknown, ...keys: string[]) => isObject(part) && keys.some((key) => Object.hasOwn(part, key));
  const has = (...keys: string[]) => hasOf(upstream, ...keys);
  const [isOfPlans, isOfReleases] = [has("plans", "currency"), has("macos", "windows", ...OWN_KEYS)];
  if (name === "plans" && Array.isArray(upstream))
    throw new UpstreamError(
      'it is a list alone: put it into { "currency": ..., "cycles": [...], "plans": [...] } as the plans',
    );
  const sought = name === "plans" ? ["plans"] : ["macos", "windows"];
  const around = Object.entries(Object(upstream) as object).find(([, part]) => hasOf(part, ...sought));
  if (!isOfPlans && !isOfReleases && around) {
    const at = displayName(`/${around[0]}`);
    const or = isTyped ? "" : `; or "pick": "${at}" reads them in a "json" source`;
    throw new UpstreamError(`the facts are at ${at}: put them at the top${or}`);
  }
  if (isOfPlans === isOfReleases || isOfPlans === (name === "plans")) return;
  throw new UpstreamError(`it has what belongs to "${isOfPlans ? "plans" : "releases"}": name it there`);
}

function otherName(found: string, name: string): UpstreamError {
  return new UpstreamError(`it has "${displayName(found)}": call it "${name}"`);
}

const MAX_NAMED_FIELDS = 20;

/** Removes the keys that the strict schema reports as unlisted, at every level. @throws UpstreamError for too many entries. */
function dropUnlisted(name: SnapshotName, value: unknown): Candidate {
  if (countEntries(value) > MAX_ENTRIES) throw new UpstreamError(`more than ${MAX_ENTRIES} plans, cycles and prices`);
  const payload = structuredClone(value);
  const { error } = FACTS[name].safeParse(payload);
  let dropped = 0;
  const droppedFields: string[] = [];
  for (const issue of error?.issues ?? []) {
    if (issue.code !== "unrecognized_keys") continue;
    const holder = issue.path.reduce<unknown>((at, step) => (isObject(at) ? at[String(step)] : undefined), payload);
    for (const key of issue.keys) {
      if (!isObject(holder) || !delete holder[key]) continue;
      dropped++;
      if (droppedFields.length < MAX_NAMED_FIELDS) droppedFields.push(displayName(fieldPath([...issue.path, key])));
    }
  }
  return { payload, dropped, droppedFields };
}

/** The schema check makes several issues of each bad entry: without a limit, 10 MiB of `{}` would take a gigabyte. */
const MAX_ENTRIES = 20_000;
/** Each of them is compared with each plan. */
const MAX_CYCLES = 1_000;

function countEntries(value: unknown): number {
  if (!isObject(value)) return 0;
  const { plans, cycles } = value;
  if (Array.isArray(cycles) && cycles.length > MAX_CYCLES) throw new UpstreamError(`more than ${MAX_CYCLES} cycles`);
  const listed = [plans, cycles].filter((list) => Array.isArray(list)).flat();
  const prices = listed.map((entry) =>
    isObject(entry) && isObject(entry.prices) ? Object.keys(entry.prices).length : 0,
  );
  return prices.reduce((sum, count) => sum + count, listed.length);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
