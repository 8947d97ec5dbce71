// Of the external checks that vitest runs: `--dir` names the folder of one.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["**/*.check.ts"],
    globalSetup: "../support/program/built.ts",
    // Whole systems start and end, on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // Most wait, for the end of facts or for two minutes: at the same time, on any number of cores.
    maxConcurrency: 10,
    maxWorkers: 3,
  },
});
