import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/program/built.ts",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Most tests wait for processes and sockets, so two cores have room for four.
    maxWorkers: 4,
    // A process of its own for each file would spend a fifth of all the time with loading the same modules.
    isolate: false,
  },
});
