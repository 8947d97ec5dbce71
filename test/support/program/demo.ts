// Serves the demo product with the real program, for the external checks.
import { temporaryDirectory } from "../directory.ts";
import { isOk, pollUntil } from "../serving/server.ts";
import { startProgram } from "./program.ts";

/** Serves the demo from a temporary directory; resolves when it has its facts. */
export async function startDemo(onFinished: (cleanUp: () => Promise<void>) => void) {
  const directory = await temporaryDirectory(onFinished);
  const program = await startProgram(["start"], { directory, onFinished });
  await pollUntil(() => program.get("/readyz"), isOk);
  return program;
}
