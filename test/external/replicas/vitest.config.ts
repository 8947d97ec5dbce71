import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.check.ts"],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    globalSetup: "../../support/program/built.ts",
    // Both files mostly wait.
    maxWorkers: 2,
  },
});
