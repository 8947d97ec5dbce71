// Chooses a release's installer for a platform from the file names alone, with a reason for each rejected file. The
// order of the files never decides: two that are equally good are an error.
import * as z from "zod";
import { ARCHITECTURES, wordsOf, type Architecture } from "../../../../snapshots/processors.ts";
import type { Platform } from "../../../../snapshots/schema.ts";
import { UpstreamError } from "../../../http/errors.ts";
import { fileName } from "../../../parsing/link.ts";
import { displayName } from "../../../parsing/issues.ts";
import { FILE_REASONS, type FileReason, type InstallerChoice } from "./listed-release.ts";
import { COMPANION, isCompanion, matchesGlob, markedByTag, readFileName, type FileName } from "./file-name.ts";
import {
  archOrder,
  bestOf,
  compareSpelling,
  productOf,
  productOfFile,
  rank,
  type InstallerCriteria,
  type Rank,
} from "./installer-rank.ts";

export const architecture = z
  .enum(ARCHITECTURES)
  .optional()
  .describe("Architecture of the installer; by default universal, then arm64 for macOS and x64 for Windows");

export function chooseInstaller<T extends { name: string }>(
  files: readonly T[],
  criteria: InstallerCriteria,
): InstallerChoice<T> {
  const own = wordsOf(criteria.product ?? "");
  // A release may have nothing but an accessory so far.
  const productWords = new Set([...own, ...sharedWords(files).filter((word) => !isAccessory(word))]);
  // With a single file, every word counts as shared, though it may be the file's only mark.
  const unmarking = files.length > 1 ? productWords : new Set(own);
  const { glob, platform } = criteria;
  const byName = files.map((file) => ({ file, marks: readFileName(file.name, unmarking, own[0]) }));
  const read = markedByTag(byName, criteria);
  const named = read.filter(
    ({ file, marks }) => glob !== undefined && matchesGlob(file.name, glob) && !isElsewhere(marks, platform),
  );
  const only = named.length === 1 && !isUnnamed(named[0]?.file, criteria) ? named[0]?.file : undefined;
  const classified = read.map(({ file, marks }) => ({
    file,
    marks,
    ...(file === only
      ? { kind: "installer" as const, rank: rank(file.name, marks, { criteria, own: [] }) }
      : classify(file.name, marks, { criteria, productWords })),
  }));
  const installers = classified.flatMap((one) => (one.kind === "installer" ? [one] : []));
  const { best, rival: equal } = bestOf(installers, criteria);
  // `App_x86_win7.zip` beside `App_x64.zip`, which names no platform but may be the one for most people.
  const order = archOrder(criteria);
  const better = best?.marks.form === "archive" ? order.slice(0, order.indexOf(best.marks.arch)) : [];
  const [unmarked] = classified
    .filter((one) => one.kind === "unclear" && one.reason === "unmarked" && one.marks.arch !== "unmarked")
    .filter(({ marks }) => better.includes(marks.arch))
    .toSorted((a, b) => compareSpelling(a.file.name, b.file.name));
  return {
    file: best?.file,
    rival: (equal ?? unmarked)?.file,
    rejected: classified
      .filter(({ file }) => file !== best?.file)
      .map((one) => ({ file: one.file, kind: one.kind, reason: one.kind === "installer" ? "lesser" : one.reason })),
    unrecognized: classified.find((one) => one.kind === "unclear" && one.reason === "kind")?.file,
    files: best ? installersLike(best, read, { criteria, productWords }) : [],
  };
}

const MAX_NAMED = 3;

export function rejectedLines({ rejected }: InstallerChoice<{ name: string }>): string[] {
  return rejected.map(({ file: { name }, reason }) => `${displayName(name)}: ${FILE_REASONS[reason]}`);
}

/** Returns the installer that was chosen. @throws UpstreamError naming two that are equally good, or files in the way and the
 * setting that helps. `where`: such as `the feed`. */
export function settle<T extends { name: string }>(choice: InstallerChoice<T>, platform: Platform, where: string): T {
  const { file, rival, rejected } = choice;
  if (file && rival) {
    const names = `${displayName(file.name)} and ${displayName(rival.name)}`;
    const help = where === "the release" ? 'name the installer with "asset"' : `leave one of them out of ${where}`;
    throw new UpstreamError(`${names} are equally good: ${help}, or give each product a source of its own`);
  }
  if (file) return file;
  const files = rejectedLines(choice);
  const some = files.length > 0 ? ` (${files.slice(0, MAX_NAMED).join("; ")})` : "";
  const ofSettings = where === "the settings" ? `; name one for ${platform} in "installer"` : "";
  const help = rejected.some(({ reason }) => reason === "arch") ? '; see "arch"' : ofSettings;
  throw new UpstreamError(`no file in ${where} is known to be an installer for ${platform}${some}${help}`, {
    skipped: files,
  });
}

/** Accepts a link without evidence against it, as the only one there is. `where`: such as `the feed`.
 * @throws UpstreamError if its name marks another platform or another kind of file. */
export function refuseForeign(link: string, platform: Platform, where: string): void {
  settle(chooseInstaller([{ name: fileName(link) }], { platform, glob: "*" }), platform, where);
}

/** Words that are in every file's name distinguish none. */
function sharedWords(files: readonly { name: string }[]): string[] {
  const [first = new Set<string>(), ...others] = files.map(({ name }) => new Set(wordsOf(name.replace(/\.\w+$/, ""))));
  return [...first].filter((word) => others.every((words) => words.has(word)));
}

function isElsewhere({ form, platform: marked }: FileName, platform: Platform): boolean {
  return form === "side" || (marked !== undefined && marked !== platform);
}

/** `other`: certainly not an installer for this platform. `unclear`: not chosen, but no evidence that there is none. */
type Classification = { kind: "installer"; rank: Rank } | { kind: "other" | "unclear"; reason: FileReason };

/** A file with such a word is not the app, wherever the word stands. */
const NEVER_THE_APP = /uninstall(?:er)?$|^(?:redist|vcredist)$/;

/** A pattern takes an accessory only if it names it: `notes-*.zip` does not take `notes-1.1-src.zip`. */
function isUnnamed(file: { name: string } | undefined, { glob = "*", product = "" }: InstallerCriteria): boolean {
  return file !== undefined && glob !== "*" && isCompanion(file, `${product} ${glob}`);
}

function isAccessory(word: string): boolean {
  return NEVER_THE_APP.test(word) || COMPANION.test(word);
}

function classify(
  name: string,
  marks: FileName,
  { criteria, productWords }: { criteria: InstallerCriteria; productWords: ReadonlySet<string> },
): Classification {
  const { platform, glob, acceptsUnmarked = false } = criteria;
  const { form, words, arch } = marks;
  if (form === "side") return { kind: "other", reason: "no-installer" };
  if (isElsewhere(marks, platform)) return { kind: "other", reason: "platform" };
  // It is not "other", because the pattern may be wrong.
  if (glob !== undefined && !matchesGlob(name, glob)) return { kind: "unclear", reason: "pattern" };
  if (form === "unknown") return { kind: "unclear", reason: "kind" };
  const isUnmarked = marks.platform === undefined;
  if (isUnmarked && glob === undefined && (!acceptsUnmarked || platform === "windows")) {
    return { kind: "unclear", reason: "unmarked" };
  }
  const own = words.filter((word) => !productWords.has(word));
  const [last = ""] = own.at(-1) === words.at(-1) ? own.slice(-1) : [];
  // An installer is no source code, whatever it is called: `enso-open-source-0.4.2.exe`.
  const endsAsCompanion = COMPANION.test(last) && !(form === "installer" && /^(?:sources?|src)$/.test(last));
  const isBeside = endsAsCompanion || own.some((word) => NEVER_THE_APP.test(word));
  if (glob === undefined ? isBeside : isUnnamed({ name }, criteria)) return { kind: "unclear", reason: "companion" };
  if (!archOrder(criteria).includes(arch)) return { kind: "unclear", reason: "arch" };
  return { kind: "installer", rank: rank(name, marks, { criteria, own }) };
}

/** The better of files of which nothing says for sure that they are installers; undefined if there is none. */
export function bestOffered<T extends { name: string }>(
  files: readonly T[],
  { platform, arch, product }: Pick<InstallerCriteria, "platform" | "arch"> & { product: string },
): T | undefined {
  return chooseInstaller(files, { platform, arch, product, glob: "*", acceptsAnyArch: true }).file ?? files[0];
}

/** Puts first the file that is named after the product, then the one with fewer words. */
export function ownFirst<T extends { name: string }>(files: readonly T[], product: string): T[] {
  const own = wordsOf(product).join("");
  const order = (file: T) =>
    productOfFile(file).replace(own, "").length + (productOfFile(file).includes(own) ? 0 : 100);
  return files.toSorted((a, b) => order(a) - order(b));
}

/** Adds the best one for each other architecture, the most common first; none where two are equally good. The pattern of the
 * settings chooses the first one only, so the others must have its extension and its words. */
function installersLike<T extends { name: string }>(
  chosen: { file: T; marks: FileName },
  read: readonly { file: T; marks: FileName }[],
  { criteria, productWords }: { criteria: InstallerCriteria; productWords: ReadonlySet<string> },
): (T & { arch?: Architecture })[] {
  const { glob, ...others } = criteria;
  const [product, { extension }] = [productOf(chosen.marks), chosen.marks];
  const isLike = (marks: FileName) => productOf(marks) === product && (!glob || marks.extension === extension);
  const own = chosen.marks.arch === "unmarked" ? chosen.file : { ...chosen.file, arch: chosen.marks.arch };
  const order = archOrder({ ...others, arch: undefined, acceptsAnyArch: true });
  return [
    own,
    ...order.flatMap((arch) => {
      if (arch === "unmarked" || arch === chosen.marks.arch) return [];
      const ranked = read.flatMap(({ file, marks }) => {
        if (marks.arch !== arch || !isLike(marks)) return [];
        const classified = classify(file.name, marks, { criteria: { ...others, arch }, productWords });
        return classified.kind === "installer" ? [{ file, marks, rank: classified.rank }] : [];
      });
      const { best, rival } = bestOf(ranked, criteria);
      return best && !rival ? [{ ...best.file, arch }] : [];
    }),
  ];
}
