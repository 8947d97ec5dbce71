// Serves the demo product with the real program, for the external checks.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProgram } from "./program.ts";
import { pollUntil } from "../serving/server.ts";

/** The longest wait until the demo has its facts. Facts missing afterwards are left for the check to find. */
const DEMO_START_MS = 20_000;

/** Calls `use` while the demo is served from a temporary directory. */
export async function withDemo(use: (base: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-demo-"));
  const cleanUps = [() => rm(directory, { recursive: true, force: true })];
  try {
    const { base, get } = await startProgram(["start"], {
      directory,
      onFinished: (cleanUp) => cleanUps.unshift(cleanUp),
    });
    const latest = performance.now() + DEMO_START_MS;
    await pollUntil(
      () => get("/readyz"),
      ({ status }) => status === 200 || performance.now() > latest,
    );
    await use(base);
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
}
