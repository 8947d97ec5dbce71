// The shipped systemd units: well-formed, with command lines that Vitrine understands, and a socket that it takes over.
import { spawnSync } from "node:child_process";
import { chmod, chown, cp, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { readArguments } from "../../cli/invoke.ts";
import { configured } from "../examples/read.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { isIn } from "../support/program/feature.ts";
import { freePort } from "../support/port.ts";
import { startProcess } from "../support/program/process.ts";
import { PROGRAM } from "../support/program/program.ts";
import { FILE_SOURCES, settingsDirectory, writeSamples } from "../support/program/settings.ts";
import { ask, isOk, pollUntil } from "../support/serving/server.ts";

const UNITS = join(import.meta.dirname, "../../examples/systemd");
const SERVICES = (await readdir(UNITS)).filter((name) => name.endsWith(".service"));

function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

/** The value of each directive; of one that is repeated, the values in order. */
async function directives(name: string): Promise<Record<string, string[]>> {
  const unit = await readFile(join(UNITS, name), "utf8");
  const found: Record<string, string[]> = {};
  for (const [, key = "", value = ""] of unit.matchAll(/^(\w+)=(.*)$/gm)) (found[key] ??= []).push(value);
  return found;
}

test.for(SERVICES)("%s starts a command, with its drop-in on the remote store", async (name) => {
  const { ExecStart: [original = ""] = [] } = await directives(name);
  const { ExecStart: [reset, command = ""] = [], Environment = [] } = await directives(`${name}.d/store.conf`);
  // Without the first, systemd would refuse a second command.
  expect(reset).toBe("");
  expect(original).toBe(`${command} --snapshots /var/lib/vitrine`);
  const wordsOf = (line: string) => line.replace("/usr/bin/env vitrine ", "").replace("/etc/vitrine/", "").split(" ");
  expect(readArguments(wordsOf(original))).toHaveProperty("command");
  const directory = await settingsDirectory(FILE_SOURCES);
  const environment = Object.fromEntries(Environment.map((pair) => pair.split(/=(.*)/)));
  const { location } = configured(wordsOf(command), directory, environment);
  expect(location).toBe("rediss://redis.acme.example:6379/0/acme");
});

test("systemd finds no fault with the units and their drop-ins", async (context) => {
  if (!isInstalled("systemd-analyze")) return context.skip("systemd-analyze is not installed");
  const directory = await temporaryDirectory();
  await cp(UNITS, directory, { recursive: true });
  const { status, stderr } = spawnSync(
    "systemd-analyze",
    ["verify", ...SERVICES.map((name) => join(directory, name))],
    {
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${directory}:` },
    },
  );
  expect({ status, said: stderr.toString() }).toEqual({ status: 0, said: "" });
});

test("the server has a user of its own, and reads the snapshots as a member of the collector's group", async () => {
  const [server, collector] = [await directives("vitrine.service"), await directives("vitrine-collector.service")];
  expect(server.User).not.toEqual(collector.User);
  expect(server.SupplementaryGroups).toEqual(collector.Group);
  expect(server).not.toHaveProperty("EnvironmentFile");
  expect(server).not.toHaveProperty("StateDirectory");
  expect(collector).toMatchObject({ StateDirectory: ["vitrine"], StateDirectoryMode: ["0750"] });
});

test("hints name a command that has the user, the mask and the secrets of the collector", async () => {
  const [server, collector] = [await directives("vitrine.service"), await directives("vitrine-collector.service")];
  const typedAs = (unit: typeof server) => unit.Environment?.find((value) => value.startsWith('"TYPED_AS='));
  const { User, UMask, EnvironmentFile } = collector;
  const properties = `--uid=${User} --property=UMask=${UMask} --property=EnvironmentFile=${EnvironmentFile}`;
  expect(typedAs(collector)).toBe(
    `"TYPED_AS=systemd-run --pipe --wait ${properties} vitrine | start, serve: systemctl restart vitrine.service vitrine-collector.service"`,
  );
  expect(typedAs(server)).toBe(typedAs(collector));
});

test.for(SERVICES)("%s is hardened and bounded", async (name, context) => {
  expect(await directives(name)).toMatchObject({
    UMask: ["0027"],
    LimitCORE: ["0"],
    ProtectProc: ["invisible"],
    MemoryMax: [expect.stringMatching(/^\d+M$/)],
    TasksMax: [expect.stringMatching(/^\d+$/)],
    SystemCallFilter: ["@system-service", "~@privileged @resources"],
  });
  const { status, stdout } = spawnSync("systemd-analyze", ["security", "--offline=true", join(UNITS, name)]);
  if (status !== 0) return context.skip("this systemd-analyze cannot judge a unit offline");
  const [, exposure = ""] = /exposure level for \S+: ([\d.]+)/.exec(stdout.toString()) ?? [];
  expect(Number(exposure)).toBeLessThanOrEqual(1.5);
});

describe("with the users and the mask of the units", () => {
  const [COLLECTOR, SERVER, STRANGER] = [64_001, 64_002, 64_003];
  const as = (user: number, groups: string) =>
    ["setpriv", `--reuid=${user}`, `--regid=${user}`, groups, "sh", "-c", 'umask 0027; exec "$@"', "sh"] as const;
  const member = `--groups=${COLLECTOR}`;

  let directory = "";
  let facts = "";
  beforeAll(async () => {
    if (run(as(STRANGER, "--clear-groups"), "/", ["--version"]).status !== 0) return;
    const cleanUps: (() => Promise<void>)[] = [];
    directory = await temporaryDirectory((cleanUp) => void cleanUps.push(cleanUp));
    facts = join(directory, "facts");
    await chmod(directory, 0o755);
    await writeSamples(directory);
    await mkdir(facts, { mode: 0o750 });
    await chown(facts, COLLECTOR, COLLECTOR);
    await chown(directory, SERVER, SERVER);
    run(as(COLLECTOR, "--clear-groups"), directory, ["collect", "--snapshots", facts]);
    return () => Promise.all(cleanUps.map((cleanUp) => cleanUp()));
  });

  function run([command, ...words]: readonly string[], cwd: string, more: readonly string[]) {
    const env = { PATH: process.env.PATH };
    return spawnSync(command ?? "", [...words, process.execPath, ...PROGRAM, ...more], { cwd, env, encoding: "utf8" });
  }

  test("everything in the store is readable by the group and by nobody else", async (context) => {
    if (facts === "") return context.skip("this user cannot become others, or they cannot read the program");
    const entries = await readdir(facts, { recursive: true });
    expect(entries).toContain("plans.json");
    for (const name of entries) {
      const stats = await stat(join(facts, name));
      expect(`${name} ${(stats.mode & 0o777).toString(8)}`).toBe(`${name} ${stats.isDirectory() ? "750" : "640"}`);
    }
    if (isIn("status")) {
      const status = run(as(SERVER, member), directory, ["status", "--snapshots", facts]);
      expect(status).toMatchObject({ status: 0, stderr: "" });
    }
    expect(run(as(SERVER, member), directory, ["collect", "--snapshots", facts])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("no permission: the directory could not be written (EACCES)"),
    });
  });

  test.runIf(isIn("status"))(
    "a user outside of the group learns that it is a lack of permission, not damage",
    async (context) => {
      if (facts === "") return context.skip("this user cannot become others, or they cannot read the program");
      const { status, stdout } = run(as(STRANGER, "--clear-groups"), directory, ["status", "--snapshots", facts]);
      expect(status).toBe(3);
      expect(stdout.replace(/\s+/g, " ")).toMatch(
        /no permission: could not be \w+ \(EACCES\); let the group of the collector read/,
      );
      expect(stdout).not.toContain("damage");
    },
  );
});

test("the server answers on a socket held by systemd", async (context) => {
  if (!isInstalled("systemd-socket-activate")) return context.skip("systemd-socket-activate is not installed");
  const port = await freePort();
  const program = [process.execPath, ...PROGRAM, "serve", "--demo"];
  const directory = await temporaryDirectory();
  startProcess(["systemd-socket-activate", "--listen", `127.0.0.1:${port}`, ...program], {
    directory,
    environment: process.env,
  });
  // The first connection starts the program, which replaces the process that held the socket.
  await pollUntil(() => ask(port, "/healthz").catch(() => undefined), isOk);
  expect((await ask(port, "/healthz")).json()).toEqual({ status: "ok" });
});
