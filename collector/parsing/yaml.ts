// YAML as an upstream sends it: plain data only, every scalar a text (2.10 is a version, not 2.1), no alias, no tag, one
// document, no key twice.
import type { CST } from "yaml";
import type { TypedText } from "../http/fetch.ts";
import { UpstreamError } from "../http/upstream-error.ts";

const MAX_DEPTH = 16;

/** Objects, lists, texts and null. @throws UpstreamError */
export async function parseYaml({ text, type, bytes }: TypedText): Promise<unknown> {
  // Loaded on first use: most collectors read no YAML. It is CommonJS: the bundle has its exports only under `default`.
  const { Composer, Parser } = (await import("yaml")).default;
  const tokens = [...new Parser().parse(text.replace(/^\uFEFF/, ""))];
  // Composing calls itself for each level, and 16 kB of "[" end the process: V8 cannot compile a regular expression at the
  // end of the stack, which no catch catches. Parsing does not.
  if (isDeeper(tokens)) throw new UpstreamError("YAML that is nested too deep");
  const composer = new Composer({ schema: "failsafe", customTags: ["null"], logLevel: "silent" });
  const documents = [...composer.compose(tokens)];
  const [document] = documents;
  if (!document || documents.length > 1 || document.errors.length > 0) {
    throw new UpstreamError(`not YAML: ${type}, ${bytes} bytes`);
  }
  if (document.warnings.length > 0) throw new UpstreamError("YAML with a tag, which is refused");
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    throw new UpstreamError("YAML with an alias, which is refused", { cause: error });
  }
}

function isDeeper(tokens: readonly CST.Token[]): boolean {
  const ahead = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    const { token, depth } = next;
    if (depth > MAX_DEPTH) return true;
    if (token.type === "document" && token.value) ahead.push({ token: token.value, depth });
    if (!("items" in token)) continue;
    for (const { key, value } of token.items) {
      for (const inner of [key, value]) if (inner) ahead.push({ token: inner, depth: depth + 1 });
    }
  }
  return false;
}
