// The project `unit`: all tests that start no process of Vitrine, Redis or Node, and compute no longer than a second or two.
import { defineConfig } from "vitest/config";
import { unit } from "./vitest.config.ts";

export default defineConfig({ test: unit });
