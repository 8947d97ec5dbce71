// Excludes from the bundle the parts of dependencies that Vitrine never uses: they cost half of the start-up time and a
// tenth of the memory. Nearly all belong to listhen, a development server that Vitrine uses only to listen. Programs
// run from source exclude nothing.
import type { Plugin } from "esbuild";

/** Dynamic imports that are never reached; they would fail like those of packages that are not installed. */
export const NEVER_IMPORTED = [
  // Running an entry file and reloading it.
  "jiti",
  "@parcel/watcher",
  "@parcel/watcher-wasm",
  // WebSockets, tunnels, the clipboard, the browser.
  "crossws/adapters/node",
  "untun",
  "tinyclip",
  "../chunks/xdg-open.mjs",
];

/** Node's own modules that these packages load for HTTPS, opening a browser and forking. They pull in TLS, which costs
 * 7 ms at start-up. */
const UNUSED = /^(?:node:)?(?:https|child_process)$/;
const LOADERS = /[\\/]node_modules[\\/](?:listhen|http-shutdown|node-cron)[\\/]/;

/** Also excludes node-forge, which makes certificates (TLS belongs to the proxy), and ajv, a third of the edge, with which the
 * MCP SDK checks only the answers to forms; and uses consola's basic build, without the Unicode tables for drawing boxes. */
export const exclusions: Plugin = {
  name: "exclusions",
  setup(build) {
    build.onResolve({ filter: /^consola$/ }, ({ kind, resolveDir }) =>
      build.resolve("consola/basic", { kind, resolveDir }),
    );
    build.onResolve({ filter: /^node-forge$/ }, ({ path }) => ({ path, namespace: "excluded" }));
    build.onResolve({ filter: UNUSED }, ({ path, importer }) =>
      LOADERS.test(importer) ? { path, namespace: "excluded" } : undefined,
    );
    build.onLoad({ filter: /[\\/]ajv-provider\.js$/ }, () => ({ contents: "export class AjvJsonSchemaValidator {}" }));
    build.onLoad({ filter: /.*/, namespace: "excluded" }, ({ path }) => ({ contents: absent(path) }));
  },
};

/** A module that can be loaded but throws when it is used. */
function absent(name: string): string {
  const reason = JSON.stringify(`${name} is not part of Vitrine's bundle`);
  return `module.exports = new Proxy({}, { get() { throw new Error(${reason}); } });`;
}
