import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: join(import.meta.dirname, "../../.."),
    include: ["test/external/edge/examples.check.ts"],
    globalSetup: "test/support/program/built.ts",
    // Wrangler takes seconds to start.
    testTimeout: 120_000,
  },
});
