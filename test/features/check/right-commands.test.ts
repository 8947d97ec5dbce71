// Commands and options as other tools call them, and those that are misspelt, are told the right word.
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../support/directory.ts";
import { typeInProcess } from "../../support/program/in-process.ts";
import { isOffered } from "../../support/program/offered.ts";

describe("the hint at the end is the right word (cli/features/check/right-commands.ts)", () => {
  type Hint = [words: string[], hint: string];
  const HINTS: Hint[] = [
    [["colect"], 'unknown command "colect"; did you mean collect?'],
    [["validate"], 'unknown command "validate"; did you mean check?'],
    [["dev"], 'unknown command "dev"; did you mean start?'],
    [["fetch"], 'unknown command "fetch"; did you mean collect?'],
    [["new"], 'unknown command "new"; did you mean init?'],
    [["generate-key"], 'unknown command "generate-key"; did you mean keygen?'],
    [["dry-run"], 'unknown command "dry-run"; did you mean collect --dry-run?'],
    [["accept", "plans"], 'unknown command "accept"; did you mean collect --accept NAMES?'],
    [["./vitrine.config.json"], "did you mean --config FILE?"],
    [["serve", "vitrine.config.json"], "unexpected argument: serve takes none; did you mean --config FILE?"],
    [["start", "8080"], "unexpected argument: start takes none; did you mean --port PORT?"],
    [["/help"], "did you mean --help?"],
    [["serve", "—port", "8080"], "unexpected argument: serve takes none; did you mean --port?"],
    [["serve", "/port", "8080"], "unexpected argument: serve takes none; did you mean --port?"],
    [["--Help"], 'unknown option "--Help"; did you mean --help?'],
    [["-V"], 'unknown option "-V"; did you mean --version?'],
    [["build-edge", "--outfile", "a.mjs"], 'unknown option "--outfile"; did you mean --out?'],
    [["status", "--format", "json"], 'unknown option "--format"; did you mean --json?'],
    [["start", "--log-level", "info"], 'unknown option "--log-level"; did you mean --log text?'],
    [["version"], 'unknown command "version"; did you mean --version?'],
    [["preview"], 'unknown command "preview"; did you mean check --page FILE?'],
    [["serve", "--html", "a"], 'unknown option "--html" (see'],
    [["collect", "--force"], 'unknown option "--force" (see'],
    [["-p", "80"], 'unknown option "-p"; did you mean --port?'],
    [["-c", "a.json"], 'unknown option "-c"; did you mean --config?'],
    // Of two options it is neither.
    ...(isOffered("check --cross") ? [[["check", "-c", "a.json"], 'unknown option "-c" (see'] satisfies Hint] : []),
    [["collect", "--wacth"], 'unknown option "--wacth"; did you mean --watch?'],
    [["--portt", "1"], 'unknown option "--portt"; did you mean --port?'],
  ];
  const wordOf = (hint: string) => /did you mean ([a-z].*)\?/.exec(hint)?.[1]?.replace(" FILE", "");
  const isThere = ([[word = ""], hint]: Hint) =>
    isOffered(wordOf(hint) ?? (["build-edge", "status"].includes(word) ? word : "start"));
  test.for(HINTS.filter(isThere))("%j", async ([args, hint]) => {
    const { code, stdout, stderr } = await typeInProcess([...args], { directory: await temporaryDirectory() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(hint);
  });
});
