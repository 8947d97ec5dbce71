import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.check.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    globalSetup: "../../support/program/built.ts",
  },
});
