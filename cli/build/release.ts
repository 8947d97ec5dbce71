// `node --import tsx cli/build/release.ts [TAG]`: prints the section of CHANGELOG.md for the version of package.json, which becomes
// the text of the release. Ends with 1 and every reason if that version cannot be released: with a tag, also if the tag is of
// another version or the repository still has no owner.
import { readFileSync } from "node:fs";
import { whatApplies } from "../../snapshots/rules.ts";
import { isUnknown, type Manifest } from "./repository.ts";

/** @throws Error with every problem. `tag`: of the commit; none is a rehearsal. */
export function releaseNotes(manifest: Manifest, changelog: string, tag?: string): string {
  const { version } = manifest;
  const section = changelog.split(/^## /m).find((text) => text.startsWith(`[${version}] - `)) ?? "";
  const notes = section.split("\n").slice(1).join("\n").trim();
  const isTagged = tag !== undefined;
  const problems = whatApplies({
    [`the tag ${tag} is not v${version}, the version in package.json`]: isTagged && tag !== `v${version}`,
    '"repository" in package.json still names OWNER: write your own address': isTagged && isUnknown(manifest),
    [`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD" with a text`]: notes === "",
  });
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return notes;
}

if (import.meta.filename === process.argv[1]) {
  const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
  const tag = process.argv[2] || undefined;
  try {
    process.stdout.write(`${releaseNotes(JSON.parse(read("package.json")) as Manifest, read("CHANGELOG.md"), tag)}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
