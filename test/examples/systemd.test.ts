// The drop-ins for a remote store: without fault together with the shipped units, and with settings that Vitrine understands.
import { spawnSync } from "node:child_process";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/directory.ts";
import { FILE_SOURCES } from "../support/program/settings.ts";
import { configured, projectFile } from "./read.ts";

const ROOT = join(import.meta.dirname, "../..");
const UNITS = ["vitrine.service", "vitrine-collector.service"] as const;

/** The last assignments of a drop-in, as systemd reads them. */
async function dropIn(unit: (typeof UNITS)[number]) {
  const text = await projectFile(`examples/systemd/${unit}.d/store.conf`);
  const assignments = [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, key = "", value = ""]) => ({ key, value }));
  const values = (name: string) => assignments.filter(({ key }) => key === name).map(({ value }) => value);
  return { values, environment: Object.fromEntries(values("Environment").map((pair) => pair.split(/=(.*)/))) };
}

test.for(UNITS)("%s with its drop-in starts an existing command on the remote store", async (unit) => {
  const { values, environment } = await dropIn(unit);
  const [reset, command = ""] = values("ExecStart");
  // Without the first, systemd would refuse a second command.
  expect(reset).toBe("");
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "vitrine.config.json"), JSON.stringify(FILE_SOURCES));
  const [, words = ""] = /^\/usr\/bin\/env vitrine (.*)$/.exec(command) ?? [];
  const original = /^ExecStart=\S+ vitrine (.*)$/m.exec(await projectFile(`examples/systemd/${unit}`))?.[1];
  expect(original).toBe(`${words} --snapshots /var/lib/vitrine`);
  const { location } = configured(words.replace("/etc/vitrine/", "").split(" "), directory, environment);
  expect(location).toBe("rediss://redis.acme.example:6379/0/acme");
});

test("systemd finds no fault with the units and their drop-ins", async (context) => {
  if (spawnSync("systemd-analyze", ["--version"]).status !== 0) return context.skip("systemd-analyze is not installed");
  const directory = await temporaryDirectory();
  await cp(join(ROOT, "examples/systemd"), directory, { recursive: true });
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", ...UNITS.map((name) => join(directory, name))], {
    env: { ...process.env, SYSTEMD_UNIT_PATH: `${directory}:` },
  });
  expect({ status, said: stderr.toString() }).toEqual({ status: 0, said: "" });
});
