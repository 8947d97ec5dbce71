// Names the habits from JavaScript that JSON refuses: comments, commas behind the last entry, and words without quotes.

/** A string, of which no part is another token; the three mistakes; and the rest of JSON. */
const TOKEN =
  /"(?:[^"\\\n]|\\.)*"?|(?<comment>\/[/*])|(?<comma>,)(?=\s*[}\]])|[\s{}[\]:,]|-?\d[\d.eE+-]*|\b(?:true|false|null)\b|(?<word>[^])/g;

/** The first one with its line, without a quote; undefined if the text has none. */
export function jsonMistake(text: string): string | undefined {
  for (const { groups = {}, index } of text.matchAll(TOKEN)) {
    const { comment, comma, word } = groups;
    const line = text.slice(0, index).split("\n").length;
    if (comment) return `line ${line}: JSON has no comments; remove the ${comment}`;
    if (comma) return `line ${line}: JSON has no comma behind the last entry; remove it`;
    if (word) return `line ${line}: not valid JSON; names and texts need double quotes`;
  }
  return undefined;
}
