// Parses YAML from an upstream: one document of plain data, without aliases, tags or duplicate keys. Every scalar stays
// a text, so that version 2.10 does not become 2.1.
import type { CST, Parser, YAMLMap } from "yaml";
import type { TypedText } from "../../../http/fetch.ts";
import { UpstreamError } from "../../../http/errors.ts";
import { notIn } from "../shape.ts";

const MAX_DEPTH = 16;
/** A MiB takes more than a second. */
const MAX_KIB = 64;

/** Returns objects, lists, texts and null. @throws UpstreamError */
export async function parseYaml(answer: TypedText): Promise<unknown> {
  const { text, bytes } = answer;
  if (bytes > MAX_KIB * 1024) throw new UpstreamError(`a document of more than ${MAX_KIB} KiB`);
  // Loaded on first use: most collectors read no YAML. It is CommonJS: the bundle has its exports only under `default`.
  const { Composer, Parser, visit } = (await import("yaml")).default;
  const tokens = tokensOf(new Parser(), text.replace(/^\uFEFF/, ""));
  // Parsing is iterative, composing is recursive: 16 kB of "[" would end the process, because V8 cannot compile a
  // regular expression when the stack is full, and that error cannot be caught.
  if (isDeeper(tokens)) throw new UpstreamError("YAML nested too deeply");
  // It would compare each key with all others.
  const composer = new Composer({ schema: "failsafe", customTags: ["null"], logLevel: "silent", uniqueKeys: false });
  const documents = [...composer.compose(tokens)];
  const [document] = documents;
  let isRepeated = false;
  const Map = (_: unknown, { items }: YAMLMap) => {
    isRepeated ||= new Set(items.map(({ key }) => String(key))).size < items.length;
  };
  if (document) visit(document, { Map });
  // A page, and any other text, is one scalar in YAML.
  const isText = document?.contents && "value" in document.contents;
  if (!document?.contents || isText || documents.length > 1 || document.errors.length > 0 || isRepeated)
    throw new UpstreamError(notIn("YAML", answer));
  if (document.warnings.length > 0) throw new UpstreamError("YAML with a tag, which is refused");
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    throw new UpstreamError("YAML with an alias, which is refused", { cause: error });
  }
}

/** The parser calls itself for each of many `- ` in a line. */
function tokensOf(parser: Parser, text: string): CST.Token[] {
  try {
    return [...parser.parse(text)];
  } catch (error) {
    if (error instanceof RangeError) throw new UpstreamError("YAML nested too deeply", { cause: error });
    throw error;
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
