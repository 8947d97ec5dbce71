// Reads JSON that people write, the settings and their own files of facts: comments and commas behind the last entry are fine.
// What comes from elsewhere is read by json.ts, strictly.
import { parse, printParseErrorCode, visit } from "jsonc-parser";
import { MAX_DEPTH } from "../../snapshots/store.ts";
import { MAX_VALUES } from "./json.ts";

const QUOTES = "names and texts need double quotes";
const MISTAKES: Record<string, string> = {
  InvalidSymbol: QUOTES,
  PropertyNameExpected: QUOTES,
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing behind a name",
  CommaExpected: "a comma is missing between two entries",
  UnexpectedEndOfComment: "a comment does not end; close it with */",
  UnexpectedEndOfString: "a text does not end in its line; close it with a double quote",
  InvalidEscapeCharacter: "a text has a single backslash; write two",
  InvalidUnicode: "\\u needs four hexadecimal digits",
  EndOfFileExpected: "remove what follows the end",
  InvalidNumberFormat: "a number is incomplete",
  UnexpectedEndOfNumber: "a number is incomplete",
  InvalidCharacter: "a text has a tab or another control character; write \\t",
};

/** The value; or the problems, each with its line: the first mistake, or every key that occurs twice in one object, which JSON
 * readers resolve differently. A problem quotes no value. */
export function parseJsonc(text: string): { value: unknown } | { problems: string[] } {
  const open: { line: number; keys: Set<string> }[] = [];
  const problems: string[] = [];
  const mistakes: string[] = [];
  let [values, left] = [0, 0];
  const enter = (_offset: number, _length: number, line: number) => {
    open.push({ line, keys: new Set() });
    // They stop the reader, which would exhaust the stack or the memory.
    if (open.length > MAX_DEPTH) throw new RangeError(`JSON of more than ${MAX_DEPTH} levels`);
    if (++values > MAX_VALUES) throw new RangeError(`JSON of more than ${MAX_VALUES} values`);
  };
  const leave = () => {
    left = open.pop()?.line ?? 0;
  };
  try {
    visit(
      text,
      {
        onObjectBegin: enter,
        onArrayBegin: enter,
        onObjectEnd: leave,
        onArrayEnd: leave,
        onObjectProperty(key, _offset, _length, line) {
          const keys = open.at(-1)?.keys;
          const shown = /^[\w.$-]{1,64}$/.test(key) ? `the key "${key}"` : "a key";
          if (key === "__proto__") problems.push(`line ${line + 1}: the key "__proto__" is not allowed`);
          else if (keys?.has(key))
            problems.push(`line ${line + 1}: ${shown} occurs twice in one object; remove one of them`);
          keys?.add(key);
        },
        onError(code, _offset, _length, line) {
          const mistake = MISTAKES[printParseErrorCode(code)];
          const isBehind = values > 0 && open.length === 0 && mistake !== undefined;
          // Only a bracket without its other one has no words in the table.
          const told =
            (isBehind ? MISTAKES.EndOfFileExpected : mistake) ?? `the bracket of line ${left + 1} is not closed`;
          mistakes.push(`line ${line + 1}: not valid JSON; ${told}`);
        },
      },
      { allowTrailingComma: true },
    );
  } catch (error) {
    if (error instanceof RangeError) return { problems: [error.message] };
    throw error;
  }
  // What follows a mistake may only follow from it.
  if (mistakes.length > 0) return { problems: mistakes.slice(0, 1) };
  if (problems.length > 0) return { problems };
  return { value: parse(text, [], { allowTrailingComma: true }) };
}
