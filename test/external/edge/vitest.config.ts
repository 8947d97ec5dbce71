// The tests that speak HTTP to a server, with the handler on each runtime in the server's place.
import { join } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";
import { RUNTIMES } from "./runtimes.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** The tests that speak HTTP to a server. Without those of watching a store, of recordings and of sockets, which the handler does
 * not have, and of two doors, whose comparison `differential.ts` makes. */
const FILES = [
  ...["large", "rest", "semantics", "shared-snapshots"].map((name) => `answers/${name}`),
  ...["atom-feed", "discovery", "json-feed", "openapi", "openapi-schemas", "registry-entry"].map(
    (name) => `documents/${name}`,
  ),
  ...["batches", "http", "messages", "notes", "protocol-versions", "server-card", "tools"].map((name) => `mcp/${name}`),
  ...["notices", "page"].map((name) => `page/${name}`),
  ...["badges", "download"].map((name) => `documents/${name}`),
];
/** What tests import, and what they get instead. */
const REPLACED = [
  [/\/server\/serve\.ts$/, "test-server.ts"],
  [/\/prepared-targets\.ts$/, "tests/prepared-targets.ts"],
] as const;

const replacing: Plugin = {
  name: "replacing",
  enforce: "pre",
  resolveId(source, importer) {
    const [, file] = REPLACED.find(([pattern]) => pattern.test(source)) ?? [];
    return file && !importer?.startsWith(import.meta.dirname) ? join(import.meta.dirname, file) : undefined;
  },
};

export default defineConfig({
  test: {
    projects: RUNTIMES.map((name) => ({
      plugins: [replacing],
      test: {
        name,
        root: ROOT,
        include: FILES.map((file) => `test/server/${file}.test.ts`),
        globalSetup: join(import.meta.dirname, "tests/global-setup.ts"),
        setupFiles: join(import.meta.dirname, "tests/leave-out.ts"),
        env: { VITRINE_EDGE_RUNTIME: name },
        testTimeout: 10_000,
        hookTimeout: 10_000,
        isolate: false,
        sequence: { groupOrder: RUNTIMES.indexOf(name) },
      },
    })),
    maxWorkers: 4,
  },
});
