// The installers of a release are published beside its payload. Nothing here fails a release: a file or a field that cannot be
// published is left out, and the dry run names it.
import { publicUrl } from "../../../../snapshots/rules.ts";
import { ARCHITECTURES } from "../../../../snapshots/processors.ts";
import { ReleaseFile, ReleaseFiles } from "../../../../snapshots/schema.ts";
import type { Payload, Snapshot } from "../../../../snapshots/snapshot.ts";
import { fileName, type StatedFile } from "../../../parsing/link.ts";
import { sizeText } from "../shape.ts";
import { displayName } from "../../../parsing/issues.ts";
import type { Describe } from "../../../source.ts";
import { decoded, readFileName } from "./file-name.ts";
import type { RunPart } from "../../../hooks.ts";
import { TEMPLATE } from "./release.ts";

/** There are fewer processors. */
const MAX_FILES = 20;

/** Adds the files of a release as they can be published, and remarks on what was left out. */
export const releaseFiles: Describe = ({ fact, remarks }, candidate) => {
  const { files, leftOut } = publishedFiles(fact.payload, candidate.files);
  return { files, remarks: [...remarks, ...leftOut] };
};

/** Returns the files of a published release, the one of its `downloadURL` first, and what was left out, for the operator.
 * If not all of it fits, signatures are left out, the last one first, then SHA-512 sums, then files. */
export function publishedFiles(
  payload: Payload,
  stated: readonly StatedFile[] = [],
): { files: ReleaseFile[] | undefined; leftOut: string[] } {
  if (!("latest" in payload)) return { files: undefined, leftOut: [] };
  const { downloadURL: url, size } = payload.latest;
  const all = stated.slice(0, MAX_FILES).map((file) => ({ ...file, url: publicUrl(file.url) }));
  const own = { ...all.find((file) => file.url === url), url, ...(size !== "" && { size }) };
  const others = all.filter((file) => file.url !== url);
  const leftOut = others
    .filter((file) => !isLinked(file))
    .map((file) => `${shownName(file)}: its link is none that can be published`);
  const read = [own, ...others.filter(isLinked)].map((file) => readFile(file, leftOut));
  const files = read.filter((file) => {
    const isFirst = file.arch === undefined || read.find(({ arch }) => arch === file.arch) === file;
    if (!isFirst) leftOut.push(`${shownName(file)}: a second file for ${file.arch}`);
    return isFirst;
  });
  const isTooLong = () => !ReleaseFiles.safeParse(files).success;
  for (const field of ["signature", "sha512"] as const) {
    for (const file of files.toReversed()) {
      if (file[field] === undefined || !isTooLong()) continue;
      leftOut.push(`${field} of ${shownName(file)}: no room for it`);
      delete file[field];
    }
  }
  while (isTooLong()) leftOut.push(...files.splice(-1).map((file) => `${shownName(file)}: no room for it`));
  return { files, leftOut };
}

function isLinked({ url }: StatedFile): boolean {
  return ReleaseFile.safeParse({ url }).success && !TEMPLATE.test(decoded(url));
}

const FORMS = new Map([
  ["arch", `, one of ${ARCHITECTURES.join(", ")}`],
  ["sha256", ", 64 hex digits"],
  ["sha512", ", 128 hex digits"],
]);

/** By the number of hex digits. */
const SUMS = new Map([
  [64, "sha256"],
  [128, "sha512"],
]);

function readFile({ url, ...stated }: StatedFile, leftOut: string[]): ReleaseFile {
  const marked = readFileName(fileName(url), new Set()).arch;
  const fields = {
    arch: stated.arch ?? (marked === "unmarked" ? "" : marked),
    size: Number(sizeText(stated.size)) || "",
    sha256: hexSum(stated.sha256),
    sha512: hexSum(stated.sha512),
    signature: signatureText(stated.signature),
  };
  const readable = Object.entries(fields).filter(([field, value]) => {
    if (value === "" || ReleaseFile.safeParse({ url, [field]: value }).success) return value !== "";
    const kind = typeof value === "string" && /^[0-9a-f]+$/.test(value) ? SUMS.get(value.length) : undefined;
    const form = kind === undefined || kind === field ? (FORMS.get(field) ?? "") : `: call it "${kind}"`;
    leftOut.push(`${field} of ${shownName({ url })}: not in its form${form}`);
    return false;
  });
  return ReleaseFile.parse({ url, ...Object.fromEntries(readable) });
}

function shownName({ url }: { url: string }): string {
  return displayName(decoded(fileName(url)));
}

const BASE64_SUM = /^(?:[A-Za-z0-9+/]{43}=?|[A-Za-z0-9+/]{86}(?:==)?)$/;

/** Writes a sum such as `sha256:9F86…` or, in Base64, `sha512-z4Ph…` in lower-case hex; leaves another text as it is. */
function hexSum(sum: unknown): string {
  const text = typeof sum === "string" ? sum.trim().replace(/^sha-?(?:256|512)[:-]/i, "") : "";
  return BASE64_SUM.test(text) ? Buffer.from(text, "base64").toString("hex") : text.toLowerCase();
}

/** A signature as the upstream writes it, without white space around it; null for a placeholder. */
function signatureText(signature: unknown): string | null {
  const text = typeof signature === "string" ? signature.trim() : "";
  return TEMPLATE.test(text) ? null : text;
}

export function openReplacedFiles(): RunPart {
  return { judges: [({ fact, files }, { published }) => ({ notes: replacedFiles(published, { ...fact, files }) })] };
}

/** Warns of each file that was replaced under the same version: a mistake of the vendor's, or an attack on the upstream. */
function replacedFiles(before: WithFiles | undefined, { payload, files = [] }: WithFiles): string[] {
  if (!before || !("latest" in before.payload && "latest" in payload)) return [];
  if (before.payload.latest.version !== payload.latest.version) return [];
  return files.flatMap((file) => {
    const last = before.files?.find(({ url }) => url === file.url);
    const isOther = (sum: "sha256" | "sha512") => last?.[sum] && file[sum] && last[sum] !== file[sum];
    if (!isOther("sha256") && !isOther("sha512")) return [];
    return [`${shownName(file)} was replaced under the same version: its checksum is another one`];
  });
}

type WithFiles = Pick<Snapshot, "payload" | "files">;
