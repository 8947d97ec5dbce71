// `npm run container`: the Dockerfile is built and compose.yaml is run, by Podman and without a registry for images. Skipped,
// with the reason, where Podman cannot run.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { makeBases, type BaseImages } from "./bases.ts";
import { CHECKS } from "./checks.ts";
import { missingTool, Podman } from "./podman.ts";
import { makeProject, type Project } from "./project.ts";
import { runCheck, say, step, type OnFinished } from "../../support/check.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { freePort } from "../../support/port.ts";

async function main(onFinished: OnFinished): Promise<void> {
  const missing = missingTool();
  if (missing !== undefined) return say(`Skipped: ${missing} is not installed`);
  if (process.getuid?.() !== 0) return say("Skipped: needs root");
  const scratch = await temporaryDirectory(onFinished);
  const podman = await Podman.in(join(scratch, "podman"));
  onFinished(() => podman.removeEverything());
  const reason = await importBases(podman, await makeBases(scratch));
  if (reason !== undefined) return say(`Skipped: Podman runs no container here: ${reason}`);
  const project = await makeProject(join(scratch, "vitrine"));
  await step("the image is built", () => build(podman, project));
  for (const [name, check] of Object.entries(CHECKS)) await step(name, () => check(podman, project));
}

/** The reason if a container with a published port cannot run. */
async function importBases(podman: Podman, bases: BaseImages): Promise<string | undefined> {
  for (const [name, { root, environment }] of Object.entries(bases)) {
    const archive = `${root}.tar`;
    execFileSync("tar", ["-C", root, "-cf", archive, "."]);
    const changes = Object.entries(environment).flatMap(([key, value]) => ["--change", `ENV ${key}=${value}`]);
    await podman.run("import", "--quiet", ...changes, archive, `localhost/base-${name}`);
  }
  const port = String(await freePort());
  const node = ["localhost/base-run", "/nodejs/bin/node", "--version"];
  const { code, stderr } = await podman.end("run", "--rm", "--publish", `127.0.0.1:${port}:1`, ...node);
  return code === 0 ? undefined : stderr.trim();
}

/** The image, and the stage that made it. */
async function build(podman: Podman, { directory }: Project): Promise<void> {
  const bases = ["NODE=localhost/base-build", "RUNTIME=localhost/base-run"].flatMap((base) => ["--build-arg", base]);
  // Only Docker's format has a health check. The host's network: npm must reach its registry.
  const build = ["build", "--format", "docker", "--network", "host", ...bases];
  await podman.run(...build, "--target", "build", "--tag", "vitrine-build", directory);
  await podman.run(...build, "--tag", "vitrine", directory);
}

await runCheck(main);
