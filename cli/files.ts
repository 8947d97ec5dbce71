// Files of the package that are read while it runs: at the same places from here and from the bundle in dist.
export const PACKAGE = new URL("../package.json", import.meta.url);
export const SCHEMA = new URL("../vitrine.schema.json", import.meta.url);
/** Directory of the demo vendor. */
export const DEMO = new URL("../cli/demo/", import.meta.url);
