// Starts the runtime of a project, for all its tests.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { bundleInto } from "../bundle.ts";
import { start, type RuntimeName } from "../runtimes.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the runtime. */
    port: number;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "vitrine-edge-"));
  await bundleInto(folder);
  const running = await start(project.name as RuntimeName, join(folder, "worker.mjs"));
  project.provide("port", running.port);
  return async () => {
    await running.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
