// The workflow for GitHub: only known fields, and its shell steps run in a repository with an origin, one run after another.
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { cronProblem } from "../../collector/setting-values.ts";
import { body, json, startUpstream, status } from "../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../support/collecting/vendor.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { PROGRAM, startProgram } from "../support/program/program.ts";
import { pollUntil } from "../support/serving/server.ts";
import { projectFile } from "./read.ts";

const execute = promisify(execFile);
const NAMES = ["plans.json", "release-macos.json", "release-windows.json"];

const step = z.strictObject({
  name: z.string().optional(),
  id: z.string().optional(),
  if: z.string().optional(),
  uses: z
    .string()
    .regex(/^actions\/[a-z-]+(\/restore|\/save)?@v\d+$/)
    .optional(),
  with: z.record(z.enum(["node-version", "path", "key", "restore-keys"]), z.unknown()).optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const workflow = z.strictObject({
  name: z.string(),
  on: z.strictObject({
    schedule: z.tuple([z.strictObject({ cron: z.string().refine((cron) => cronProblem(cron) === undefined) })]),
    workflow_dispatch: z.strictObject({
      inputs: z.strictObject({ accept: z.strictObject({ description: z.string(), type: z.literal("string") }) }),
    }),
  }),
  permissions: z.strictObject({
    contents: z.literal("write"),
    pages: z.literal("write"),
    "id-token": z.literal("write"),
  }),
  concurrency: z.strictObject({ group: z.string() }),
  jobs: z.strictObject({
    facts: z.strictObject({
      "runs-on": z.literal("ubuntu-latest"),
      "timeout-minutes": z.int(),
      environment: z.strictObject({ name: z.literal("github-pages") }),
      steps: z.array(step),
    }),
  }),
});

async function steps() {
  return workflow.parse(parse(await projectFile("examples/github-actions.yaml"))).jobs.facts.steps;
}

test("only the step that collects has a secret", async () => {
  const withSecret = (await steps()).filter((step) => JSON.stringify(step).includes("secrets."));
  expect(withSecret.map(({ id }) => id)).toEqual(["collect"]);
});

test("each run publishes the three snapshots as one commit, and servers can follow them", async () => {
  const { upstream, run, branch } = await startRepository();
  const first = await run();
  expect(first).toMatchObject({ code: 0, files: NAMES });
  upstream.set("/plans", json(plansAt(14)));
  const second = await run();
  expect(second).toMatchObject({ code: 0, files: NAMES });
  expect(second.snapshots.plans).toMatchObject({ revision: 2 });
  expect(second.snapshots["release-macos"]).toMatchObject({ revision: 1 });
  expect(await branch()).toEqual({ commits: "1", files: NAMES });

  for (const [name, snapshot] of Object.entries(second.snapshots)) {
    upstream.set(`/notes/${name}.json`, body(JSON.stringify(snapshot)));
  }
  const environment = { SNAPSHOTS: upstream.url("/notes/") };
  const { get } = await startProgram(["serve"], { directory: second.directory, environment });
  await pollUntil(
    () => get("/readyz"),
    ({ status }) => status === 200,
  );
  expect((await get("/api/v1/plans")).json()).toEqual(plansAt(14));
});

test("a run fails after it has published what is sound, and publishes nothing if it cannot read what is published", async () => {
  const { upstream, run } = await startRepository();
  const before = await run();

  // A source that fails.
  upstream.set("/plans", status(403));
  const after = await run();
  expect(after).toMatchObject({ code: 1, files: NAMES });
  expect(after.snapshots.plans).toEqual(before.snapshots.plans);
  expect(after.snapshots["release-macos"]).not.toEqual(before.snapshots["release-macos"]);

  // A suspicious change, until a person accepts it.
  upstream.set("/plans", json(plansAt(1_400)));
  expect(await run()).toMatchObject({ code: 4, snapshots: { plans: { revision: 1 } } });
  expect(await run({ accept: "plans" })).toMatchObject({ code: 0, snapshots: { plans: { revision: 2 } } });

  expect(await run({ isCutOff: true })).toMatchObject({ code: 128, files: [] });
});

test("what a run records is kept for the next one, also of a run that fails, and is not on the branch", async () => {
  const { upstream, run, branch } = await startRepository();
  const records = async (directory: string) => {
    const read = async (name: string) => JSON.parse(await readFile(join(directory, "store", name), "utf8"));
    return { report: await read("last-run.json"), held: (await read("plans.held.json")).held };
  };
  await run();
  upstream.set("/plans", json(plansAt(1_400)));
  const codes: number[] = [];
  let last = "";
  for (const count of [1, 2, 3]) {
    const { code, directory, files } = await run();
    codes.push(code);
    last = directory;
    expect(files).toEqual(NAMES);
    expect((await records(directory)).held, `run ${count}`).toMatchObject({ sightings: count });
  }
  expect(codes).toEqual([4, 4, 4]);
  const { report } = await records(last);
  expect(report.outcomes).toContainEqual(
    expect.objectContaining({ name: "plans", counts: { changed: 1, confirmed: 0, held: 3, failed: 0 } }),
  );
  expect(await readdir(join(last, "store", "history"))).not.toEqual([]);
  expect(await branch()).toEqual({ commits: "1", files: NAMES });
});

function plansAt(price: number) {
  const { plans, ...rest } = vendorPlans();
  return { ...rest, plans: plans.map((plan) => ({ ...plan, monthlyPrice: price })) };
}

/** An upstream, and a repository on a host with the settings for it. */
async function startRepository() {
  const upstream = await startUpstream();
  upstream.set("/plans", (request, response) => {
    const isKnown = request.headers.authorization === "Bearer of-billing";
    (isKnown ? json(plansAt(12)) : status(401))(request, response);
  });
  upstream.set("/releases", json(vendorReleases()));
  const from = (path: string, more: object = {}) => ({ from: "json", url: upstream.url(path), ...more });
  const headers = { authorization: "Bearer $BILLING_TOKEN" };
  const settings = { plans: from("/plans", { headers }), releases: from("/releases") };
  const directory = await temporaryDirectory();
  const [origin, source, programs] = ["origin.git", "source", "programs"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(programs);
  // As npm leaves them: the package is installed.
  await writeFile(join(programs, "npm"), "#!/bin/sh\n", { mode: 0o755 });
  const program = [process.execPath, ...PROGRAM].map((word) => `"${word}"`).join(" ");
  await writeFile(join(programs, "npx"), `#!/bin/sh\nshift 2\nexec ${program} "$@"\n`, { mode: 0o755 });
  const environment = {
    PATH: `${programs}:${process.env.PATH}`,
    HOME: directory,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: "user.name",
    GIT_CONFIG_VALUE_0: "test",
    GIT_CONFIG_KEY_1: "user.email",
    GIT_CONFIG_VALUE_1: "test@localhost",
  };
  const git = async (...words: string[]) => (await execute("git", words, { cwd: directory, env: environment })).stdout;
  await git("init", "--quiet", "--bare", "--initial-branch=main", origin);
  await git("clone", "--quiet", origin, source);
  await writeFile(join(source, "vitrine.config.json"), JSON.stringify(settings));
  await git("-C", source, "add", ".");
  await git("-C", source, "commit", "--quiet", "--message=Settings");
  await git("-C", source, "push", "--quiet", "origin", "HEAD:main");
  let runs = 0;

  /** Runs the workflow in a fresh clone. `code`: of the step that failed. `files`, `snapshots`: for Pages. */
  async function run({ accept = "", isCutOff = false } = {}) {
    const clone = join(directory, `run-${++runs}`);
    await git("clone", "--quiet", "--depth=1", `file://${origin}`, clone);
    if (isCutOff) await git("-C", clone, "remote", "set-url", "origin", join(directory, "nowhere"));
    await mkdir(join(clone, "temporary"));
    const outputs = join(clone, "outputs");
    await writeFile(outputs, "");
    const values: Record<string, string> = { "secrets.BILLING_TOKEN": "of-billing", "inputs.accept": accept };
    const filled = (text: string) => text.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string) => values[name] ?? "");
    let code = 0;
    for (const { uses, with: inputs, run, env = {}, if: condition } of await steps()) {
      if (code === 0) await useCache(uses ?? "", inputs, { clone, kept: join(directory, "cache") });
      if (run === undefined || code !== 0 || (condition !== undefined && values[condition] === undefined)) continue;
      const own = Object.entries(env).map(([name, value]) => [name, filled(value)]);
      const runner = { RUNNER_TEMP: join(clone, "temporary"), GITHUB_OUTPUT: outputs };
      // As GitHub runs a step.
      code = await execute("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", filled(run)], {
        cwd: clone,
        env: { ...environment, ...runner, ...Object.fromEntries(own) },
      }).then(
        () => 0,
        (error: { code: number }) => error.code,
      );
      for (const [, name, value = ""] of (await readFile(outputs, "utf8")).matchAll(/^(\w+)=(.*)$/gm)) {
        values[`steps.collect.outputs.${name}`] = value;
      }
    }
    const files = await readdir(join(clone, "public")).catch(() => []);
    const texts = await Promise.all(files.map((name) => readFile(join(clone, "public", name), "utf8")));
    const snapshots = Object.fromEntries(
      texts.map((text) => JSON.parse(text) as { name: string; revision: number }).map((one) => [one.name, one]),
    );
    return { code, directory: clone, files: files.toSorted(), snapshots };
  }
  const branch = async () => ({
    commits: (await git("-C", origin, "rev-list", "--count", "facts")).trim(),
    files: (await git("-C", origin, "ls-tree", "-r", "--name-only", "facts")).trim().split("\n"),
  });
  return { upstream, run, branch };
}

/** As GitHub's: a key is written once, and the newest copy with the beginning of a key is restored. `kept`: all copies. */
async function useCache(
  uses: string,
  inputs: Record<string, unknown> = {},
  { clone, kept }: { clone: string; kept: string },
): Promise<void> {
  const [, action] = /^actions\/cache\/(restore|save)@/.exec(uses) ?? [];
  if (action === undefined) return;
  const { path, "restore-keys": beginning = "" } = z
    .object({ path: z.literal("store"), key: z.string(), "restore-keys": z.string().optional() })
    .parse(inputs);
  await mkdir(kept, { recursive: true });
  const copies = await readdir(kept);
  if (action === "save") return cp(join(clone, path), join(kept, `store-${copies.length + 1}`), { recursive: true });
  const newest = `store-${copies.length}`;
  if (copies.length > 0 && newest.startsWith(beginning))
    await cp(join(kept, newest), join(clone, path), { recursive: true });
}
