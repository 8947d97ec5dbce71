// The project `unit`: all tests that start neither Vitrine nor Redis as a process.
import { defineConfig } from "vitest/config";
import { unit } from "./vitest.config.ts";

export default defineConfig({ test: unit });
