// A service says that its settings file was edited, which it reads only once.
import { unwatchFile, watchFile } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { launchInProcess, typeInProcess } from "../../support/program/in-process.ts";
import { isOffered } from "../../support/program/offered.ts";
import { startVendor } from "../../support/program/settings.ts";
import { pollUntil } from "../../support/serving/server.ts";

const SERVICES = ["start", "serve", "collect --watch", "mcp", "mcp --collect"].filter(isOffered);

test.for(SERVICES)("%s says that its settings were edited", async (words) => {
  const { directory } = await startVendor();
  await typeInProcess(["collect"], { directory });
  const environment = { PORT: "0", LOG_FORMAT: "text" };
  const service = launchInProcess(words.split(" "), { directory, environment });
  const file = join(directory, "vitrine.config.json");
  // `mcp` has its messages on stdout.
  await pollUntil(
    async () => service.output.stdout + service.output.stderr,
    (text) => /localhost|Next collection|stdin/.test(text),
  );
  const text = await readFile(file, "utf8");
  // Watches with the service, and after it.
  const seen = new Promise<void>((resolve) => {
    watchFile(file, function look() {
      unwatchFile(file, look);
      resolve();
    });
  });
  await writeFile(file, text);
  await seen;
  expect(service.output.stderr).not.toContain("has changed");
  await writeFile(file, `${text}\n`);
  const said = /! vitrine\.config\.json has changed since the start: restart to apply it \(first: .*check\)/;
  await pollUntil(
    async () => service.output.stderr,
    (text) => said.test(text),
  );
  expect((await service.stop()).code).toBe(0);
});
