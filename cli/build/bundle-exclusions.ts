// What dependencies bring for uses that Vitrine does not make of them, and the bundle therefore goes without: it was half
// of the time to start and a tenth of the memory. Nearly all of it is listhen's, a development server, too, of which Vitrine
// has the listening alone. From source nothing is left out.
import type { Plugin } from "esbuild";

/** Imported late, if ever: the import fails, as that of anything that is not installed. */
export const NEVER_IMPORTED = [
  // Running an entry file, and again when it changes.
  "jiti",
  "@parcel/watcher",
  "@parcel/watcher-wasm",
  // WebSockets, tunnels, the clipboard, the browser.
  "crossws/adapters/node",
  "untun",
  "tinyclip",
  "../chunks/xdg-open.mjs",
];

/** Modules of Node's own, and who loads them for what is never done here: HTTPS, opening a browser, forking. They bring
 * TLS along, 7 ms of a start. */
const UNUSED = /^(?:node:)?(?:https|child_process)$/;
const LOADERS = /[\\/]node_modules[\\/](?:listhen|http-shutdown|node-cron)[\\/]/;

/** node-forge makes certificates for HTTPS, and TLS is the proxy's; consola's basic form draws no boxes, for which the
 * other loads tables of Unicode. */
export const lighter: Plugin = {
  name: "lighter",
  setup(build) {
    build.onResolve({ filter: /^consola$/ }, ({ kind, resolveDir }) =>
      build.resolve("consola/basic", { kind, resolveDir }),
    );
    build.onResolve({ filter: /^node-forge$/ }, ({ path }) => ({ path, namespace: "left-out" }));
    build.onResolve({ filter: UNUSED }, ({ path, importer }) =>
      LOADERS.test(importer) ? { path, namespace: "left-out" } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "left-out" }, ({ path }) => ({ contents: absent(path) }));
  },
};

/** A module that can be loaded, and says why it cannot be used. */
function absent(name: string): string {
  const reason = JSON.stringify(`${name} is not part of Vitrine's bundle`);
  return `module.exports = new Proxy({}, { get() { throw new Error(${reason}); } });`;
}
