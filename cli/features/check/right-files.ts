// What lies in the place of the settings, or beside it, if that can be told: another format, or an encrypted file. Quotes nothing but a
// file's name.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../../snapshots/rules.ts";

/** Said of files that begin so, behind the comments of YAML, TOML and the like. */
const FILES: readonly [said: string, beginning: RegExp][] = [
  ["is empty: fill it in, or remove it and let the command init write one", /^$/],
  ["is encrypted: decrypt it first", /^(?:\0GITCRYPT|-----BEGIN PGP|age-encr|\$ANSIBLE_VAULT|\{.*"ENC\[AES256_GCM,)/s],
  ["is a pointer of Git LFS: fetch the file itself with git lfs pull", /^version https:\/\/git-lfs/],
  ["is the schema of the settings: name the file of the settings instead", /^\{\s*"\$comment": "Vitrine /],
  ["is HTML or XML: write it as JSON", /^<[!?a-z]/i],
  ["is in Base64: decode it first", /^[a-z0-9+/\s]{40,}={0,2}\s*$/i],
  ["is YAML: write it as JSON", /^(?:---\s|[\w$-]+:(?:\s|$))/],
  ["is TOML: write it as JSON", /^(?:\[+[a-z][\w.-]*\]+[ \t]*\r?\n|\w+ = )/i],
  ["has the form of variables, NAME=VALUE, which belong into the environment: settings are JSON", /^(?:export )?\w+=/],
  ["is JavaScript: write it as JSON", /^(?:(?:module\.)?exports\b|export |import |const )/],
];
/** The same for the text at the place of a mistake, with the character before it. */
const MISTAKES: typeof FILES = [
  ["a merge conflict is not resolved: keep one side, and no line of <, = and >", /^\n?(?:<{7}|={7}|>{7})/],
  ["a template is not filled in: write the value itself", /^(?:.?\$\{?\w|\{[{%]|.?<%)/s],
  ["a comment begins with //, not with #", /^\s?#/],
  ['quotes are typographic: write " instead', /^.?[“”„‘’«»]/s],
  ["write a colon instead of =", /^.?=/s],
];
/** White space of typesetters, and what is not seen at all. */
const UNSEEN = /[^\S \t\r\n]|\p{Cf}/u;
const COMMENTS = /^(?:#.*(?:\n|$)|\s)+/;

/** Not what `init` writes. */
const SIMILAR =
  /^\.?vitrine(?:[._-]?(?:config|settings|rc)\b[\w.-]*\.(?:[cm]?[jt]s|txt|json\w?|ya?ml|toml)|\.(?:json\w?|ya?ml|toml))$/i;

export const rightFiles = {
  /** Undefined for what may be JSON. `text`: read as Latin-1 if it is no UTF-8. */
  foreign(text: string): string | undefined {
    const bare = text.replace(COMMENTS, "");
    const isText = /^\s*#/.test(text) && !bare.startsWith("{");
    return (
      FILES.find(([, beginning]) => beginning.test(bare))?.[0] ??
      (isText ? "is a text such as Markdown: settings are JSON" : undefined)
    );
  },

  /** Of a mistake in JSON. */
  explain(text: string, offset: number, length: number): string | undefined {
    const code = UNSEEN.exec(text.slice(offset, offset + length))?.[0]
      .codePointAt(0)
      ?.toString(16)
      .toUpperCase();
    if (code !== undefined)
      return `an invisible character is outside of the texts, U+${code.padStart(4, "0")}: remove it`;
    const near = text.slice(Math.max(0, offset - 1), offset + 8);
    return MISTAKES.find(([, like]) => like.test(near))?.[0];
  },

  /** The end of the line that says that a folder has no settings: what there was probably meant as them. */
  similar(directory: string): string | undefined {
    const file = attempt(() => readdirSync(directory))?.find((name) => SIMILAR.test(name));
    if (file?.includes(".json")) return `, but ${file}`;
    const text = attempt(() => readFileSync(join(directory, "package.json"), "utf8")) ?? "{}";
    const other = file ?? (attempt(() => "vitrine" in JSON.parse(text)) ? '"vitrine" in package.json' : undefined);
    return other && `, and ${other} is not read, as settings are JSON in a file of their own`;
  },
};
