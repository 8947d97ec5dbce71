// A temporary directory for one test, removed after the test.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export async function temporaryDirectory(
  onFinished: (cleanUp: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-"));
  onFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
