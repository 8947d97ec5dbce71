// Files that a document names by links: each link is resolved, and tells what its file is called.
import { architectureOf, wordsOf } from "../../../../snapshots/processors.ts";
import { parseUrl } from "../../../../snapshots/rules.ts";
import { fileName } from "../../../parsing/link.ts";
import { decoded, EXTENSION } from "./file-name.ts";

/** Resolves a link against a document's URL without its query, which may hold a secret; `""` if it is not a URL. */
export function linkFrom(link: string, documentUrl: string): string {
  const base = new URL(documentUrl);
  base.search = "";
  base.hash = "";
  const text = link.trim();
  return text === "" ? "" : (parseUrl(text, base)?.href ?? "");
}

export function linkedFrom<T extends { url: string }>(files: readonly T[], documentUrl: string): T[] {
  return files.map((file) => ({ ...file, url: linkFrom(file.url, documentUrl) }));
}

/** Makes a file for each link, called by its label: tauri-action writes `darwin-aarch64` and `darwin-aarch64-app` for one. Where
 * the link's own name marks an architecture, labels of another do not count. */
export function oneForEachLink<T extends { url: string; label: string }>(
  linked: readonly T[],
): (T & { name: string })[] {
  const byLink = new Map<string, { first: T; labels: string[] }>();
  for (const one of linked) {
    const same = byLink.get(one.url);
    if (same) same.labels.push(one.label);
    else byLink.set(one.url, { first: one, labels: [one.label] });
  }
  return [...byLink.values()].map(({ first, labels }) => {
    const file = fileName(first.url);
    const arch = architectureOf(wordsOf(file));
    const names = labels.toSorted();
    const label = names.find((name) => architectureOf(wordsOf(`${name}/${file}`)) === arch) ?? names.join("+");
    return { ...first, label, name: label === "" ? file : `${label}/${file}` };
  });
}

/** Returns the name to judge a link by: its own if that is a file name, otherwise followed by the file name of the first link
 * that has one, such as `macOS (Intel) Notes.dmg`. The links are to one file. */
export function linkedFileName(name: string, links: readonly string[]): string {
  const file = links
    .map((link) => decoded(fileName(parseUrl(link)?.pathname ?? "")))
    .find((file) => EXTENSION.test(file));
  const [extension = ""] = EXTENSION.exec(file ?? "") ?? [];
  return file === undefined || name.toLowerCase().endsWith(extension.toLowerCase()) ? name : `${name} ${file}`;
}
