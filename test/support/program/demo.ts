// Serves the demo product with the real program, for the external checks.
import { withCleanUp } from "../check.ts";
import { temporaryDirectory } from "../directory.ts";
import { startProgram } from "./program.ts";
import { pollUntil } from "../serving/server.ts";

/** The longest wait until the demo has its facts. Facts missing afterwards are left for the check to find. */
const DEMO_START_MS = 20_000;

/** Calls `use` while the demo is served from a temporary directory. */
export function withDemo(use: (base: string) => Promise<void>): Promise<void> {
  return withCleanUp(async (onFinished) => {
    const directory = await temporaryDirectory(onFinished);
    const { base, get } = await startProgram(["start"], { directory, onFinished });
    const latest = performance.now() + DEMO_START_MS;
    await pollUntil(
      () => get("/readyz"),
      ({ status }) => status === 200 || performance.now() > latest,
    );
    await use(base);
  });
}
