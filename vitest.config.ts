import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/program/built.ts",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Most tests wait for processes and sockets, so two cores can run four workers.
    maxWorkers: 4,
    // A separate process for each file would spend a fifth of the time loading the same modules.
    isolate: false,
    // Room for new objects: with the 16 MB of Node 20, collecting garbage takes a tenth of the time.
    execArgv: ["--max-semi-space-size=64"],
  },
});
