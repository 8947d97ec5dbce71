// Text in XML: in the Atom feed and in badges.

/** Escapes markup, and drops characters that XML 1.0 does not allow. */
export function xml(text: string): string {
  return text
    .replace(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
