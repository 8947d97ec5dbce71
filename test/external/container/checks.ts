// The checks of the image and of its two services, in order: most start from what the last one has left.
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parse } from "yaml";
import { freePort } from "../../support/port.ts";
import type { Podman } from "./podman.ts";
import { ask, PRIVATE, SECRET, type Project } from "./project.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** As podman-compose names them, by the project's directory. */
const COLLECTOR = "vitrine_collector_1";
const SERVER = "vitrine_server_1";
const LATEST = "/api/v1/releases/latest";
/** A container without the options of compose.yaml. */
const ALONE = ["--rm", "--network", "none", "--read-only", "--cap-drop", "all"];

export const CHECKS: Readonly<Record<string, (podman: Podman, project: Project) => Promise<void>>> = {
  async "settings, secrets and facts stay out of the build"(podman) {
    const script = `console.log(fs.readdirSync("/source", { recursive: true }).join("\\n"))`;
    const files = (await podman.run("run", ...ALONE, "vitrine-build", "node", "-e", script)).split("\n");
    assert.ok(files.includes("cli/main.ts"));
    for (const file of PRIVATE) assert.ok(!files.includes(file), file);
  },

  async "the image is small, and needs neither a shell nor root"(podman) {
    const [{ Config, Size }] = JSON.parse(await podman.run("image", "inspect", "vitrine"));
    assert.equal(Config.User, "65532:65532");
    assert.ok(Size < 150e6, `${Size} bytes`);
    assert.notEqual((await podman.end("run", ...ALONE, "--entrypoint", "/bin/sh", "vitrine", "-c", "true")).code, 0);
    assert.match(await podman.run("run", ...ALONE, "vitrine", "--version"), /^\d+\.\d+\.\d+$/);
  },

  async "without settings it ends with exit code 2"(podman) {
    const { code, stderr } = await podman.end("run", ...ALONE, "vitrine");
    assert.equal(code, 2);
    assert.match(stderr, /no such file in \/etc\/vitrine/);
  },

  async "the commands of the README start collector and server, which serve the facts of init"(podman, project) {
    const readme = await readFile(join(ROOT, "README.md"), "utf8");
    const [, block = ""] = /^```sh container\n(.*?)^```$/ms.exec(readme) ?? [];
    const [, start = ""] = /`(docker compose up [^`]+)`/.exec(readme) ?? [];
    const lines = [...block.trim().split("\n"), start];
    assert.equal(lines.length, 4);
    for (const name of ["settings", "secrets.env"]) await rm(join(project.directory, name), { recursive: true });
    // The image is built already, from other bases.
    await podman.shell(
      lines.filter((line) => !line.startsWith("docker build")),
      project,
    );
    await ask(project, "/readyz");
    const { endpoints } = await ask<{ endpoints: { plans: string } }>(project, "/api/v1");
    assert.equal(endpoints.plans, `${project.environment.BASE_URL}/api/v1/plans`);
  },

  async "hints name what works outside of the container"(podman) {
    const up = "docker compose up --detach --force-recreate";
    const check = ["node", "/vitrine/dist/vitrine.mjs", "check"];
    const inCompose = await podman.run("exec", COLLECTOR, ...check);
    assert.ok(inCompose.endsWith(`ready: ${up}`), inCompose);
    assert.match(inCompose, /docker compose run --rm collector check --all/);
    const alone = await podman.run("run", ...ALONE, "vitrine", "check", "--demo");
    assert.ok(alone.endsWith(`ready: ${up}`), alone);
    assert.match(alone, /docker exec CONTAINER node \/vitrine\/dist\/vitrine\.mjs check --all/);
  },

  async "a rehearsal as in SOURCES.md asks a stand-in on this computer, for facts and links"(podman, project) {
    const sources = await readFile(join(ROOT, "SOURCES.md"), "utf8");
    const [, words = ""] = /`docker run ([^`]*--network host[^`]*)`/.exec(sources) ?? [];
    const settings = join(project.directory, "settings/vitrine.config.json");
    const before = await readFile(settings, "utf8");
    const asked: string[] = [];
    const upstream = createServer(({ url = "" }, response) => {
      asked.push(url);
      const latest = { version: "9.9.9", downloadURL: "https://dl.acme.com/Notes.dmg" };
      response.end(
        url === "/latest.json" ? JSON.stringify({ macos: latest, windows: { hasUpdate: false } }) : "a file",
      );
    });
    await once(upstream.listen(0, "127.0.0.1"), "listening");
    const standIns = { "https://dl.acme.com": `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` };
    const releases = { from: "json", url: "https://dl.acme.com/latest.json" };
    await writeFile(settings, JSON.stringify({ ...JSON.parse(before), releases, standIns }));
    const environment = { ...project.environment, PORT: String(await freePort()) };
    const added = `--detach --name rehearsal --env PORT=${environment.PORT}`;
    await podman.shell([`docker run ${added} ${words}`], { ...project, environment });
    const { latest } = await ask<{ latest: { version: string } }>({ ...project, environment }, LATEST);
    assert.equal(latest.version, "9.9.9");
    assert.deepEqual(asked.toSorted(), ["/Notes.dmg", "/latest.json"]);
    await podman.run("rm", "--force", "--time", "0", "rehearsal");
    upstream.close();
    await writeFile(settings, before);
  },

  async "only the collector has the secrets and can write the snapshots"(podman, project) {
    await writeFile(join(project.directory, "secrets.env"), `BILLING_TOKEN=${SECRET}\n`);
    await podman.shell(["docker compose down", "docker compose up --detach"], project);
    assert.equal(await inside(podman, COLLECTOR, "process.env.BILLING_TOKEN"), SECRET);
    assert.equal(await inside(podman, SERVER, "process.env.BILLING_TOKEN"), "undefined");
    assert.equal(await inside(podman, COLLECTOR, written("/var/lib/vitrine/new")), "written");
    assert.equal(await inside(podman, SERVER, written("/var/lib/vitrine/new")), "EROFS");
  },

  async "neither can write its root, has a capability or can gain one"(podman) {
    for (const service of [COLLECTOR, SERVER]) {
      for (const path of ["/new", "/vitrine/new", "/etc/vitrine/new"])
        assert.equal(await inside(podman, service, written(path)), "EROFS", path);
      const status = await inside(podman, service, `fs.readFileSync("/proc/1/status", "utf8")`);
      assert.match(status, /^Uid:\s65532\s65532\s65532\s65532$/m);
      assert.match(status, /^CapPrm:\s0+\nCapEff:\s0+\nCapBnd:\s0+\nCapAmb:\s0+\nNoNewPrivs:\s1$/m);
    }
  },

  async "the health check fails as long as the server does not answer"(podman) {
    const health = async () => (await podman.end("healthcheck", "run", SERVER)).code;
    assert.equal(await health(), 0);
    await podman.run("kill", "--signal", "STOP", SERVER);
    assert.equal(await health(), 1);
    await podman.run("kill", "--signal", "CONT", SERVER);
    assert.equal(await health(), 0);
  },

  async "SIGTERM ends both with exit code 0"(podman) {
    await podman.run("stop", COLLECTOR, SERVER);
    const codes = await podman.run("inspect", "--format", "{{.State.ExitCode}}", COLLECTOR, SERVER);
    assert.equal(codes, "0\n0");
  },

  async "after a restart the server has the facts, without the collector"(podman, project) {
    await podman.run("start", SERVER);
    await ask(project, "/readyz");
    await podman.run("start", COLLECTOR);
  },

  async "new containers have the old facts"(podman, project) {
    const before = await changes(project);
    await podman.shell(["docker compose down", "docker compose up --detach"], project);
    await ask(project, "/readyz");
    assert.deepEqual(await changes(project), before);
  },

  async "with the Redis of the example, the server reads from there what the collector publishes"(podman, project) {
    const example = "examples/compose.redis.yaml";
    const { services } = parse(await readFile(join(ROOT, example), "utf8")) as {
      services: { redis: { image: string } };
    };
    await podman.run("tag", "localhost/base-redis", `docker.io/library/${services.redis.image}`);
    const settings = join(project.directory, "settings/vitrine.config.json");
    await writeFile(settings, JSON.stringify({ ...JSON.parse(await readFile(settings, "utf8")), product: "acme" }));
    const environment = { ...project.environment, SERVER_PASSWORD: "of1server", COLLECTOR_PASSWORD: "of2collector" };
    const up = `docker compose --file compose.yaml --file ${example} up --detach`;
    await podman.shell(["docker compose down", up], { ...project, environment });
    await ask(project, "/readyz");
    assert.equal(await inside(podman, SERVER, "process.env.REDIS_USERNAME"), "server");
    assert.match(await podman.run("exec", SERVER, "node", "/vitrine/dist/vitrine.mjs", "status", "--json"), /"redis"/);
  },
};

/** The value of an expression in a container, as text. */
function inside(podman: Podman, container: string, expression: string): Promise<string> {
  return podman.run("exec", container, "node", "-p", expression);
}

/** An expression: `written`, or the code of the error. */
function written(path: string): string {
  return `try { fs.writeFileSync("${path}", ""); fs.unlinkSync("${path}"); "written" } catch ({ code }) { code }`;
}

/** Revision and time of the last change of each snapshot. */
async function changes(project: Project): Promise<string[]> {
  const { snapshots } = await ask<{ snapshots: Record<string, unknown>[] }>(project, "/status");
  return snapshots.map(({ name, revision, changedAt }) => `${name} ${revision} ${changedAt}`);
}
