// A temporary directory for one test, removed after the test.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export async function temporaryDirectory(
  onFinished: (cleanUp: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-"));
  // What a stopped server still writes for its next start, such as the last copy, can meet the removal.
  onFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 }));
  return directory;
}
