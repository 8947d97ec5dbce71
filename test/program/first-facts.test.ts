// The first days of a vendor, as README describes them, and the day on which a store is lost: with whole programs.
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { temporaryDirectory } from "../support/directory.ts";
import { json } from "../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../support/collecting/vendor.ts";
import { launchInProcess, startInProcess, typeInProcess } from "../support/program/in-process.ts";
import { startProgram } from "../support/program/program.ts";
import { launch } from "../support/program/run.ts";
import { startVendor } from "../support/program/settings.ts";
import { pollUntil } from "../support/serving/server.ts";

const WARNING =
  'the sample facts of "init" are published as yours: plans, macos, windows; replace them with your own, then: ';

async function putOwnFacts(directory: string): Promise<void> {
  await writeFile(join(directory, "product/plans.json"), JSON.stringify(vendorPlans()));
  await writeFile(join(directory, "product/releases.json"), JSON.stringify(vendorReleases()));
}

type Program = Awaited<ReturnType<typeof startInProcess>>;

async function ended(program: Program): Promise<void> {
  expect(await program.stop()).toBe(0);
}

async function expectOwnFacts({ get }: Program): Promise<void> {
  expect((await get("/api/v1/plans")).json()).toEqual(vendorPlans());
  for (const platform of ["macos", "windows"] as const) {
    const release = await get(`/api/v1/releases/latest?platform=${platform}`);
    expect(release.json()).toEqual(vendorReleases()[platform]);
  }
}

test("init, start, own facts, start: the vendor's own facts are served after one collection", async () => {
  const directory = await temporaryDirectory();
  // Also where the demo was looked at before.
  const demo = await startInProcess(["start"], { directory });
  expect(demo.errors()).toBe("");
  await ended(demo);
  expect((await typeInProcess(["init"], { directory })).code).toBe(0);
  const sample = await startInProcess(["start"], { directory });
  await pollUntil(
    async () => sample.errors(),
    (errors) => errors.includes(WARNING),
  );
  await ended(sample);
  await putOwnFacts(directory);
  const own = await startInProcess(["start"], { directory });
  // After two seconds it serves what it has: on a busy computer the run is not over then.
  await pollUntil(
    async () => (await own.get("/status")).json() as { snapshots: { revision?: number }[] },
    ({ snapshots }) => snapshots.every(({ revision = 0 }) => revision > 1),
  );
  await expectOwnFacts(own);
  expect(own.errors()).toBe("");
});

test("the same in containers: both programs are restarted, and say how a command is typed there", async () => {
  const compose = parse(await readFile(join(import.meta.dirname, "../../compose.yaml"), "utf8"));
  const typed = "docker compose run --rm collector";
  for (const service of Object.values<{ environment: string[] }>(compose.services)) {
    expect(service.environment).toContain(`TYPED_AS=${typed}`);
  }
  const [directory, SNAPSHOTS] = [await temporaryDirectory(), await temporaryDirectory()];
  const environment = { SNAPSHOTS, TYPED_AS: typed, LOG_FORMAT: "text" };
  expect((await typeInProcess(["init"], { directory })).code).toBe(0);
  // Processes, because a hint is of the environment of the process.
  const collector = launch("vitrine", ["collect", "--watch"], { directory, environment });
  await collector.printed(/Next collection/);
  const server = await startProgram(["serve"], { directory, environment });
  await pollUntil(
    async () => [collector.output.stderr, server.errors()],
    (lines) => lines.every((text) => text.includes(`${WARNING}${typed} collect\n`)),
  );
  server.signal("SIGTERM");
  expect([await server.exited, (await collector.stop("SIGTERM")).code]).toEqual([0, 0]);
  await putOwnFacts(directory);
  const later = launchInProcess(["collect", "--watch"], { directory, environment });
  await later.printed(/Next collection/);
  const restarted = await startInProcess(["serve"], { directory, environment });
  await expectOwnFacts(restarted);
  expect(later.output.stderr + restarted.errors()).toBe("");
});

test("a store that is emptied under a running start keeps its accident to itself, until nothing is left to compare with", async () => {
  const held =
    /held: the currency would change; the store has no readable snapshot of it; publish it at once: .*collect (-- )?--accept plans$/m;
  const { directory, facts, upstream } = await startVendor();
  const file = join(directory, "vitrine.config.json");
  const settings = { ...JSON.parse(await readFile(file, "utf8")), schedule: "* * * * * *" };
  await writeFile(file, JSON.stringify(settings));
  const program = await startInProcess(["start"], { directory });
  upstream.set("/plans", json({ ...vendorPlans(), currency: "CHF" }));
  const printed = (pattern: RegExp) =>
    pollUntil(
      async () => program.output(),
      (lines) => pattern.test(lines),
    );
  await printed(/plans +held: /);
  await rm(facts, { recursive: true, maxRetries: 20, retryDelay: 20 });
  await printed(held);
  expect((await program.get("/api/v1/plans")).json()).toEqual(vendorPlans());
  await ended(program);
  // Also for a collector alone.
  expect((await typeInProcess(["collect"], { directory })).code).toBe(4);
  expect((await typeInProcess(["status"], { directory })).stdout).not.toMatch(/plans[^]*never collected[^]*macos/);
  await rm(facts, { recursive: true });
  const alone = await typeInProcess(["collect"], { directory });
  expect(alone).toMatchObject({ code: 0, stderr: "" });
  expect(alone.stdout).toMatch(/plans .* changed .* first facts: nothing to compare with$/m);
});
