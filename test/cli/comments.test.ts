// What people type may have comments: the settings, in either of two files, and their files of facts, which need no more of a
// release than its version and its link. `check` reports all their problems at once.
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isIn } from "../support/program/feature.ts";
import { runInProcess, typeInProcess } from "../support/program/in-process.ts";
import { settingsDirectory } from "../support/program/settings.ts";

const COMMENTED = `{
  // Where the facts are: "plans", { and [ mean nothing here.
  "plans": "none", /* the app is free */
  "releases": { "from": "file", "path": "releases.json", },
}
`;

const LINK = "https://dl.acme.com/Notes";
const MACOS = { version: "4.2.1", downloadURL: `${LINK}.dmg` };

/** A folder with these releases, as JSON or as text, and settings of this text. */
async function folder(releases: unknown, settings = COMMENTED) {
  const directory = await settingsDirectory({});
  await writeFile(join(directory, "vitrine.config.json"), settings);
  await writeFile(join(directory, "releases.json"), typeof releases === "string" ? releases : JSON.stringify(releases));
  return directory;
}

/** The findings of a dry run, by short name. */
async function findings(releases: unknown) {
  const { stdout } = await typeInProcess(["collect", "--dry-run", "--json"], { directory: await folder(releases) });
  const found = (JSON.parse(stdout).findings as { name: string }[]).map((one) => [
    one.name.replace("release-", ""),
    one,
  ]);
  return Object.fromEntries(found);
}

describe.runIf(isIn("dry-run"))("a file of facts for people (collector/parsing/jsonc.ts)", () => {
  test("a file of facts has comments, commas behind the last entry, and a release of a version and a link", async () => {
    const text = `{ "macos": { "version": "4.2.1", // ours
    "downloadURL": "${LINK}.dmg", }, "windows": null, }`;
    const { macos, windows } = await findings(text);
    const latest = { platform: "macos", ...MACOS, changelog: "", size: "", date: "" };
    expect(macos.payload).toEqual({ hasUpdate: true, forceUpdate: false, latest });
    expect(windows.payload).toEqual({ hasUpdate: false });
  });
});

test.runIf(isIn("dry-run"))(
  "more is stated beside them: the notes, the date, the size and that the update is forced",
  async () => {
    const more = { changelog: "Faster.", date: "2026-11-02", size: 7, forceUpdate: true };
    const { macos } = await findings({ macos: { ...MACOS, ...more, color: "red" }, windows: null });
    const { forceUpdate, size, ...rest } = more;
    const latest = { platform: "macos", ...MACOS, ...rest, size: String(size) };
    expect(macos).toMatchObject({ payload: { hasUpdate: true, forceUpdate, latest }, dropped: 1 });
  },
);

const GUESSES: [releases: unknown, reason: string][] = [
  [{ macos: null }, 'the answer has no "windows"'],
  [{ macos: null, windows: {} }, 'must be { "version": "4.2.1", "downloadURL": "https://'],
  [{ macos: null, windows: "none" }, "or null if nothing is published"],
  [{ macos: null, win: MACOS }, 'it has "win": call it "windows"'],
  [{ macos: null, windows: { version: "1", link: "https://x" } }, 'it has "link": call it "downloadURL"'],
  [{ macos: null, windows: { version: "1" } }, "latest.downloadURL: must be of type string (it is missing)"],
  [{ macos: null, windows: { ...MACOS, platform: "macos" } }, "latest.platform: must be windows"],
  [{ macos: null, windows: { ...MACOS, hasUpdate: true } }, "latest: must be of type object (it is missing)"],
  ['{ "macos": null,\n "windows": null', "line 2: not valid JSON; the bracket of line 1 is not closed"],
  [
    '{ "windows": null,\n "windows": null }',
    'line 2: the key "windows" occurs twice in one object; remove one of them',
  ],
];
test.for(isIn("dry-run") ? GUESSES : [])("a release in a file is never guessed: %j", async ([releases, reason]) => {
  const { windows } = await findings(releases);
  expect(windows).toMatchObject({ result: "failed", reason: expect.stringContaining(reason) });
});

test.runIf(isIn("check"))("check reports all problems of a file at once, of both platforms", async () => {
  const wrong = { version: 4, downloadURL: "http://acme.com/a", changelog: 1, date: 7, forceUpdate: "no" };
  const { stdout } = await typeInProcess(["check", "--json"], {
    directory: await folder({ macos: wrong, windows: wrong }),
  });
  const { problems } = JSON.parse(stdout) as { problems: string[] };
  expect(problems).toHaveLength(2);
  for (const [index, platform] of ["macos", "windows"].entries()) {
    expect(problems[index]).toContain(`releases.json: ${platform}: `);
    for (const field of ["version", "downloadURL", "changelog", "date"])
      expect(problems[index]).toContain(`latest.${field}: `);
    expect(problems[index]).toContain("forceUpdate: ");
  }
});

test("vitrine.config.jsonc is found, and not overwritten; two settings files are an error that names both", async () => {
  const directory = await folder({ macos: MACOS, windows: null });
  await rename(join(directory, "vitrine.config.json"), join(directory, "vitrine.config.jsonc"));
  if (isIn("check")) {
    const found = await runInProcess(["check"], directory);
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining("vitrine.config.jsonc") });
  }
  if (isIn("init")) {
    const init = await typeInProcess(["init"], { directory });
    expect(init).toMatchObject({ code: 2, stderr: expect.stringContaining("vitrine.config.jsonc already exists") });
  }
  await writeFile(join(directory, "vitrine.config.json"), COMMENTED);
  const both = await typeInProcess(["start"], { directory });
  expect(both.code).toBe(2);
  expect(both.stderr).toMatch(/vitrine\.config\.json\b[^]*vitrine\.config\.jsonc lies beside it: remove one of them/);
  if (!isIn("check")) return;
  expect(await runInProcess(["check", "--config", "vitrine.config.jsonc"], directory)).toMatchObject({ code: 0 });
});
