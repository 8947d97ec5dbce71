// Runs a composite action as the code host's runner does: expressions, conditions, a shell for each step, and small stand-ins
// for the actions of others, which do on disk what those do there.
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runInNewContext } from "node:vm";
import { parse } from "yaml";
import * as z from "zod";
import { startProcess } from "../../support/program/process.ts";

const ROOT = join(import.meta.dirname, "../../..");

const step = z.strictObject({
  if: z.string().optional(),
  id: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.coerce.string()).optional(),
  shell: z.literal("bash").optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const input = z.strictObject({ description: z.string(), default: z.string() });
const action = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputs: z.strictObject({ settings: input, publish: input, accept: input }),
  outputs: z.strictObject({ directory: z.strictObject({ description: z.string(), value: z.string() }) }),
  runs: z.strictObject({ using: z.literal("composite"), steps: z.array(step) }),
});
type Step = z.infer<typeof step>;

export async function readAction(): Promise<z.infer<typeof action>> {
  return action.parse(parse(await readFile(join(ROOT, "examples/pages/action.yml"), "utf8")));
}

interface Runner {
  /** The checkout, with the settings. */
  workspace: string;
  /** What lasts from run to run: `cache/`, and `site/` with the files of Pages. */
  host: string;
  /** Of the double of the code host. */
  api: string;
}

interface Run {
  /** Of this run, among all of its repository. */
  id: number;
  event: string;
  inputs?: Partial<Record<"settings" | "publish" | "accept", string>> | undefined;
  /** Of the step that uses the action. */
  environment?: Readonly<Record<string, string>> | undefined;
}

/** The `log` is what all steps printed, and `artifact` the files that were uploaded for Pages. */
export async function runAction({ workspace, host, api }: Runner, { id, event, inputs = {}, environment = {} }: Run) {
  const { inputs: declared, outputs, runs } = await readAction();
  const temporary = join(host, `run-${id}`);
  await mkdir(temporary);
  const outputFile = join(temporary, "outputs");
  const eventFile = join(temporary, "event.json");
  await writeFile(eventFile, JSON.stringify({ repository: { default_branch: "main" } }));
  const given = Object.entries(declared).map(([name, one]) => [name, one.default]);
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  const context = {
    github: { event_name: event, run_id: id, run_attempt: 1, token: "of-the-run" },
    inputs: { ...Object.fromEntries(given), ...inputs },
    runner: { temp: temporary },
    steps,
    always: () => true,
  };
  const valueOf = (expression: string) => String(runInNewContext(expression, context) ?? "");
  const filled = (text: string) => text.replace(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => valueOf(expression));
  const filledAll = (texts: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, filled(text)]));
  for (const { id } of runs.steps) if (id !== undefined) steps[id] = { outputs: {} };
  const variables = {
    PATH: `${join(host, "programs")}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: host,
    RUNNER_TEMP: temporary,
    GITHUB_ACTION_PATH: join(ROOT, "examples/pages"),
    GITHUB_API_URL: api,
    GITHUB_SERVER_URL: "https://code.example",
    GITHUB_REPOSITORY: "acme/facts",
    GITHUB_RUN_ID: String(id),
    GITHUB_EVENT_PATH: eventFile,
    GITHUB_WORKFLOW_REF: "acme/facts/.github/workflows/facts.yml@refs/heads/main",
    GITHUB_WORKSPACE: workspace,
    GITHUB_OUTPUT: outputFile,
  };
  await installPrograms(host);

  let isRed = false;
  let log = "";
  for (const step of runs.steps) {
    const condition = step.if ?? "true";
    if (isRed && !condition.includes("always()")) continue;
    if (["", "false"].includes(valueOf(condition))) continue;
    if (step.uses !== undefined) {
      await useAction(step, { inputs: filledAll(step.with), host, temporary });
      continue;
    }
    await writeFile(outputFile, "");
    const { code, printed } = await runShell(step.run ?? "", {
      directory: workspace,
      environment: { ...variables, ...environment, ...filledAll(step.env) },
    });
    log += printed;
    isRed ||= code !== 0;
    for (const [, name = "", value = ""] of (await readFile(outputFile, "utf8")).matchAll(/^(\w+)=(.*)$/gm)) {
      steps[step.id ?? ""]!.outputs[name] = value;
    }
  }
  return { isRed, log, directory: filled(outputs.directory.value), artifact: await list(join(temporary, "facts-1")) };
}

/** The package is installed already: npm only checks how it is called, and where. */
async function installPrograms(host: string): Promise<void> {
  await mkdir(join(host, "programs"), { recursive: true });
  const npm = `#!/bin/sh\ntest "$*" = "ci --omit=dev --ignore-scripts" && test -e package-lock.json\n`;
  await writeFile(join(host, "programs/npm"), npm, { mode: 0o755 });
}

/** As the runner starts a step with `shell: bash`. */
async function runShell(script: string, options: { directory: string; environment: NodeJS.ProcessEnv }) {
  const { code, stdout, stderr } = await startProcess(
    ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
    options,
  ).ended;
  return { code, printed: stdout + stderr };
}

interface Place {
  inputs: Record<string, string>;
  host: string;
  temporary: string;
}

async function useAction({ uses = "" }: Step, { inputs, host, temporary }: Place): Promise<void> {
  const [name = ""] = uses.split("@");
  const { path = "", key = "", "restore-keys": beginning = "" } = inputs;
  switch (name) {
    case "actions/setup-node":
      return;
    case "actions/cache/restore":
      return restore(join(host, "cache"), { path, key, beginning });
    case "actions/cache/save":
      // As a tar archive does, it keeps the times of files.
      return cp(path, join(host, "cache", encodeURIComponent(key)), {
        recursive: true,
        preserveTimestamps: true,
        errorOnExist: true,
        force: false,
      });
    case "actions/upload-pages-artifact":
      return cp(path, join(temporary, inputs.name ?? ""), { recursive: true });
    case "actions/deploy-pages":
      // The site is replaced as a whole.
      await rm(join(host, "site"), { recursive: true, force: true });
      return cp(join(temporary, inputs.artifact_name ?? ""), join(host, "site"), { recursive: true });
    default:
      throw new Error(`no stand-in for ${uses}`);
  }
}

/** The newest of the copies whose key has this beginning. */
async function restore(cache: string, { path, key, beginning }: { path: string; key: string; beginning: string }) {
  const keys = (await readdir(cache).catch(() => []))
    .map(decodeURIComponent)
    .filter((one) => one.startsWith(beginning));
  const runOf = (one: string) => Number(/(\d+)-\d+$/.exec(one)?.[1]);
  const newest = keys.includes(key) ? key : keys.toSorted((a, b) => runOf(a) - runOf(b)).at(-1);
  const copy = { recursive: true, preserveTimestamps: true };
  if (newest !== undefined) await cp(join(cache, encodeURIComponent(newest)), path, copy);
}

export async function list(directory: string): Promise<string[]> {
  return (await readdir(directory, { recursive: true }).catch(() => [])).toSorted();
}
