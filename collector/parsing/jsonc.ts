// Reads JSON that people write, the settings and their own files of facts: comments and commas behind the last entry are fine.
import { parse, printParseErrorCode, visit } from "jsonc-parser";
import { isTooDeep, MAX_DEPTH } from "../../snapshots/store.ts";

const MISTAKES: Record<string, string> = {
  InvalidSymbol: "names and texts need double quotes; the other values are numbers, true, false and null",
  PropertyNameExpected: "a name in double quotes is expected",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing behind a name",
  CommaExpected: "a comma is missing between two entries",
  EndOfFileExpected: "remove what follows the end",
  UnexpectedEndOfComment: "a comment does not end; close it with */",
  UnexpectedEndOfString: "a text does not end in its line; close it with a double quote",
  InvalidEscapeCharacter: "a text has a single backslash; write two",
  InvalidCharacter: "a text has a tab or another control character; write \\t",
};

/** The value; or the problems, none of which quotes a value. */
export function parseJsonc(text: string, explain?: Explain): { value: unknown } | { problems: string[] } {
  const problems = problemsOf(text, explain);
  return problems.length > 0 ? { problems } : { value: parse(text, [], { allowTrailingComma: true }) };
}

/** What is wrong at a place, if the text there tells it better than the kind of the mistake. */
type Explain = (text: string, offset: number, length: number) => string | undefined;

/** Returns the first mistake with its line; or every key that JSON readers resolve differently: a second one of its name in
 * one object. None quotes a value. */
export function problemsOf(text: string, explain?: Explain): string[] {
  if (isTooDeep(text)) return [`JSON of more than ${MAX_DEPTH} levels`];
  const open: { line: number; keys: Set<string> }[] = [];
  const ambiguous: string[] = [];
  let mistake: string | undefined;
  let [hasBegun, left] = [false, 0];
  const enter = (_offset: number, _length: number, line: number) => {
    hasBegun = true;
    open.push({ line, keys: new Set() });
  };
  const leave = () => {
    left = open.pop()?.line ?? 0;
  };
  const visitor = {
    onObjectBegin: enter,
    onArrayBegin: enter,
    onObjectEnd: leave,
    onArrayEnd: leave,
    onObjectProperty(key: string, _offset: number, _length: number, line: number) {
      const keys = open.at(-1)?.keys;
      const shown = /^[\w.$-]{1,64}$/.test(key) ? `the key "${key}"` : "a key";
      if (key === "__proto__") ambiguous.push(`line ${line + 1}: ${shown} is not allowed`);
      else if (keys?.has(key))
        ambiguous.push(`line ${line + 1}: ${shown} occurs twice in one object; remove one of them`);
      keys?.add(key);
    },
    onError(code: number, offset: number, length: number, line: number) {
      const name = printParseErrorCode(code);
      const isBehind = hasBegun && open.length === 0;
      const known = MISTAKES[isBehind ? "EndOfFileExpected" : name] ?? "this is no value of JSON";
      const fault = hasBegun || name === "ValueExpected" ? known : "a document begins with {";
      const shown = explain?.(text, offset, length) ?? fault;
      const told = name.startsWith("Close") ? `the bracket of line ${left + 1} is not closed` : shown;
      // What follows a mistake may only follow from it.
      mistake ??= `line ${line + 1}: not valid JSON; ${told}`;
    },
  };
  visit(text, visitor, { allowTrailingComma: true });
  return mistake === undefined ? ambiguous : [mistake];
}
