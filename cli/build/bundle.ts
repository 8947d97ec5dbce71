// Bundles the TypeScript into a few files of JavaScript, which start in a third of the time and need no tsx. What it
// leaves out of dependencies, Vitrine must never use; programs run from source leave nothing out.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, buildSync, type Metafile, type Plugin } from "esbuild";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Dynamic imports that are never reached; they would fail like those of packages that are not installed. */
const NEVER_IMPORTED = [
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

/** Leaves out the parts of dependencies that Vitrine never uses: they cost half of the start-up time and a tenth of the memory.
 * Nearly all belong to listhen, a development server that Vitrine uses only to listen. node-forge makes certificates (TLS belongs to
 * the proxy); with ajv, a third of the edge, the MCP SDK checks only the answers to forms; consola's basic build lacks the Unicode
 * tables for drawing boxes. */
const exclusions: Plugin = {
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

/** `import` reads every property of these modules, and with `WebSocket` or `webcrypto` loads more than Vitrine uses: the first loads
 * Node's own fetch, a sixth of the start. Read one by one, the properties cost nothing. */
const readOneByOne: Plugin = {
  name: "read one by one",
  setup(build) {
    build.onResolve({ filter: /^(?:node:)?(?:http|crypto)$/ }, ({ path }) => ({ path, namespace: "builtin" }));
    build.onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }));
  },
};

/** The programs of the package, by output name; that of a feature may be gone. */
export const PROGRAMS = Object.fromEntries(
  Object.entries({ vitrine: "cli/main.ts", hosting: "cli/features/hosting/hosting.ts" }).filter(([, path]) =>
    existsSync(join(ROOT, path)),
  ),
);

/** Bundles programs with their imports into `outdir`; a dynamic import stays a file of its own. `entryPoints`: paths in
 * the project by output name. @throws Error if something does not compile. */
export async function bundle(entryPoints: Record<string, string>, outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir,
    chunkNames: "[name]-[hash]",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: NEVER_IMPORTED,
    plugins: [exclusions, readOneByOne],
    // Its other build calls a `require` that no bundler sees.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    // CommonJS dependencies call `require` for Node's own modules.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    // They are in THIRD-PARTY-LICENSES.txt instead.
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  return metafile;
}

/** All of Node's modules that the handler may import. */
export const EDGE_MODULES = ["buffer", "crypto", "net", "timers/promises", "util", "zlib"].map(
  (name) => `node:${name}`,
);

/** Bundles the handler for platforms that are not Node.js into one minified file. They have a few of Node's modules, and none of
 * its globals for certain. @throws Error if something does not compile, or imports another of Node's modules. */
export async function bundleEdge(outfile: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["server/features/edge/handler.ts"],
    outfile,
    bundle: true,
    minify: true,
    format: "esm",
    // Knows no module of Node's, so that every other import is an error.
    platform: "neutral",
    external: EDGE_MODULES,
    mainFields: ["module", "main"],
    conditions: ["worker"],
    target: "es2023",
    plugins: [exclusions],
    inject: ["cli/build/buffer.ts"],
    // They are in THIRD-PARTY-LICENSES.txt instead.
    legalComments: "none",
    metafile: true,
    logLevel: "silent",
  });
  const foreign = Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports.map(({ path }) => path))
    .filter((path) => !EDGE_MODULES.includes(path));
  // An import that may fail is only a warning to the bundler.
  if (foreign.length > 0) throw new Error(`the edge must not import ${foreign.join(", ")}`);
  return metafile;
}

/** The text of server/features/widgets/built.ts: the programs for browsers as texts, which server, package and edge serve as they are: the same
 * bytes everywhere, and so the same hash. @throws Error if something does not compile. */
export function widgets(): string {
  const [embed, card] = ["embed", "card"].map((name) => JSON.stringify(program(`server/features/widgets/${name}.ts`)));
  return `// Written by \`npm run generate\` from the other files of this folder.
export const EMBED = ${embed};
export const CARD = ${card};
`;
}

function program(entryPoint: string): string {
  const { outputFiles } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: [entryPoint],
    write: false,
    bundle: true,
    minify: true,
    format: "iife",
    charset: "utf8",
    target: "es2022",
    logLevel: "warning",
  });
  return outputFiles[0]?.text ?? "";
}
