// Collects into the state of the last run, and copies the three snapshots, and no other file, into a directory to publish.
// Outputs `began`, when it began to collect; `directory`, unless there is nothing to publish; `failure`, unless all is well.
// Beside the snapshots, `failed-runs` counts the runs in a row that could not begin: the collector records none of them.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { askHost, runStep, tell } from "./code-host.mjs";

const { SETTINGS, PUBLISH, ACCEPT, FOLDER, GITHUB_WORKSPACE, GITHUB_OUTPUT } = process.env;
const SNAPSHOTS = ["plans.json", "release-macos.json", "release-windows.json"];
const MAIN = join(import.meta.dirname, "../../cli/main.ts");
const STATE = join(FOLDER, "state");
const DIRECTORY = join(FOLDER, "public");
const ACCEPTING = "run this workflow by hand and name it in `accept`";
/** By exit code: nothing has failed, but a person should look. */
const WARNINGS = {
  4: `a change is held back: the log says why; to publish it, ${ACCEPTING}`,
  5: "a cross-check disagrees with a published fact: the log says which",
};

await runStep(async () => {
  if (!["pages", "directory"].includes(PUBLISH)) {
    throw new Error(`publish must be pages or directory (got "${PUBLISH}")`);
  }
  await mkdir(STATE, { recursive: true });
  if ((await snapshotsOfState()).length === 0) await beginWithPublished();
  await output("began", new Date().toISOString());
  const { code, problems } = await collect();
  if (problems !== "") tell("warning", problems);
  if (code in WARNINGS) tell("warning", WARNINGS[code]);
  else if (code !== 0) await output("failure", `not everything could be collected (exit code ${code}): see the log`);
  // With 1, a source has failed: its facts stay, and those of the others are new. With any other code, no run took place.
  const hasRun = [0, 1, 4, 5].includes(code);
  await countFailedRuns(hasRun);
  if (hasRun) await choosePublished();
});

/** Without a state, which the host deletes a week after the last run, the guard compares with what is published.
 * @throws Error unless it is certain what is published: any price could replace the published one then */
async function beginWithPublished() {
  const site = PUBLISH === "pages" ? await findSite() : undefined;
  let count = 0;
  for (const file of site ? SNAPSHOTS : []) {
    const text = await fetchPublished(site + file, file);
    if (text === undefined) continue;
    await writeFile(join(STATE, file), text);
    count++;
  }
  if (count > 0) return;
  const first = "first facts: no earlier ones to compare with, so check what is published";
  if (PUBLISH === "pages") tell("notice", first);
  else tell("warning", `${first}; if there were earlier ones, the cache is lost, and no change of theirs is held back`);
}

/** The address of Pages, with a slash at the end. */
async function findSite() {
  const remedy = 'in the settings of the repository, under Pages, choose "GitHub Actions" as the source';
  const site = await askHost("GET", "pages").catch((error) => {
    const needed = error.status === 403 ? 'give the workflow "pages: write"' : remedy;
    throw new Error(`the address of Pages is unknown (${error.message}): ${needed}`, { cause: error });
  });
  if (site.build_type === "legacy") throw new Error(`Pages publishes a branch: ${remedy}`);
  return site.html_url.replace(/\/*$/, "/");
}

/** The text of a published snapshot; undefined if there is none. */
async function fetchPublished(url, file) {
  const response = await fetch(url, { headers: { "cache-control": "no-cache" }, signal: AbortSignal.timeout(20_000) });
  if (response.status === 404) return undefined;
  const text = await response.text();
  if (response.ok && isSnapshot(text, file)) return text;
  throw new Error(`${url} answered ${response.status} and no snapshot, so there is nothing to compare new facts with`);
}

/** The collector checks the rest of it. */
function isSnapshot(text, file) {
  try {
    return `${JSON.parse(text).name}.json` === file;
  } catch {
    return false;
  }
}

/** Runs the collector. `problems`: what it printed to stderr. */
async function collect() {
  const words = ["collect", ...(ACCEPT ? ["--accept", ACCEPT] : [])];
  // What it prints is no command to the runner.
  const token = randomUUID();
  process.stdout.write(`::stop-commands::${token}\n`);
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), MAIN, ...words], {
    stdio: ["ignore", "inherit", "pipe"],
    cwd: GITHUB_WORKSPACE,
    // Its hints repeat options, but no variables: a path on this machine means nothing to who reads the log.
    env: {
      ...process.env,
      VITRINE_CONFIG: SETTINGS,
      SNAPSHOTS: STATE,
      TYPED_AS: `run this workflow by hand to | collect --accept: ${ACCEPTING}`,
    },
  });
  let problems = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (problems += text));
  const code = await new Promise((done, fail) => child.on("close", done).on("error", fail));
  process.stdout.write(`::${token}::\n`);
  return { code, problems: problems.trim() };
}

/** In a row; for the issue. */
async function countFailedRuns(hasRun) {
  const file = join(STATE, "failed-runs");
  const before = Number(await readFile(file, "utf8").catch(() => "0"));
  await writeFile(file, String(hasRun ? 0 : before + 1));
}

async function snapshotsOfState() {
  return (await readdir(STATE)).filter((file) => SNAPSHOTS.includes(file));
}

async function choosePublished() {
  await rm(DIRECTORY, { recursive: true, force: true });
  await mkdir(DIRECTORY, { recursive: true });
  const collected = await snapshotsOfState();
  for (const file of collected) await cp(join(STATE, file), join(DIRECTORY, file));
  if (collected.length > 0) await output("directory", DIRECTORY);
}

async function output(name, value) {
  await appendFile(GITHUB_OUTPUT, `${name}=${value}\n`);
}
