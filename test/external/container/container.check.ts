// The Dockerfile built and compose.yaml run, by Podman and without a registry for images.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, test } from "vitest";
import { afterTests } from "../../support/clean-up.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { freePort } from "../../support/port.ts";
import { makeBases, type BaseImages } from "./bases.ts";
import { CHECKS } from "./checks.ts";
import { BUILD_MS, missingTool, Podman } from "./podman.ts";
import { makeProject } from "./project.ts";

const onFinished = afterTests();
const scratch = await temporaryDirectory(onFinished);
const podman = await Podman.in(join(scratch, "podman"));
const reason = await obstacle();
if (reason !== undefined) process.stdout.write(`skipped: ${reason}\n`);

describe.skipIf(reason !== undefined)("in containers,", async () => {
  const project = await makeProject(join(scratch, "vitrine"));

  test("the image is built, and the stage that makes it", { timeout: 2 * BUILD_MS }, async () => {
    const bases = ["NODE=localhost/base-build", "RUNTIME=localhost/base-run"].flatMap((base) => ["--build-arg", base]);
    // Only Docker's format has a health check. The host's network: npm must reach its registry.
    const build = ["build", "--format", "docker", "--network", "host", ...bases];
    await podman.run(...build, "--target", "build", "--tag", "vitrine-build", project.directory);
    await podman.run(...build, "--tag", "vitrine", project.directory);
  });

  test.for(Object.entries(CHECKS))("%s", ([, check]) => check(podman, project));
});

/** Why no container with a published port can run here; undefined if one can. */
async function obstacle(): Promise<string | undefined> {
  const missing = missingTool();
  if (missing !== undefined) return `${missing} is not installed`;
  if (process.getuid?.() !== 0) return "it needs root";
  onFinished(() => podman.removeEverything());
  await importBases(await makeBases(scratch));
  const port = String(await freePort());
  const node = ["localhost/base-run", "/nodejs/bin/node", "--version"];
  const { code, stderr } = await podman.end("run", "--rm", "--publish", `127.0.0.1:${port}:1`, ...node);
  return code === 0 ? undefined : `Podman runs no container here: ${stderr.trim()}`;
}

async function importBases(bases: BaseImages): Promise<void> {
  for (const [name, { root, environment }] of Object.entries(bases)) {
    const archive = `${root}.tar`;
    execFileSync("tar", ["-C", root, "-cf", archive, "."]);
    const changes = Object.entries(environment).flatMap(([key, value]) => ["--change", `ENV ${key}=${value}`]);
    await podman.run("import", "--quiet", ...changes, archive, `localhost/base-${name}`);
  }
}
