// The texts of the MCP resources that ship with Vitrine. This file lies one level below the root, as dist does, so that the
// same relative path finds the directory from the source and from the bundle.

/** Directory of overview.md and faq.md. */
export const TEXTS = new URL("../server/texts/", import.meta.url);
