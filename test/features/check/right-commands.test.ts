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
    [["help"], 'unknown command "help"; did you mean --help?'],
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
  test.for(HINTS.filter(([, hint]) => isOffered(wordOf(hint) ?? "start")))("%j", async ([args, hint]) => {
    const { code, stdout, stderr } = await typeInProcess([...args], { directory: await temporaryDirectory() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(hint);
  });
});
