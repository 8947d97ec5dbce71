// The directory of the MCP texts that ship with Vitrine. This file must stay one level below the root, as the bundle in
// dist is: the same relative path has to work for both.

/** Directory of overview.md and faq.md. */
export const TEXTS = new URL("../server/texts/", import.meta.url);
