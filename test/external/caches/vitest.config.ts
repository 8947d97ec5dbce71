import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.check.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // Most wait for the end of facts, or for two minutes: in three files at the same time, on any number of cores.
    maxConcurrency: 10,
    maxWorkers: 3,
  },
});
