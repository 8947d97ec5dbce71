// Opens an issue when plans or releases could not be collected three times in a row, or nothing could, such as without a secret,
// and closes it when they are well. The reasons stay in the log: they may name what is not public. That the issue cannot be
// written is told, and fails nothing.
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { askHost, tell } from "./code-host.mjs";

const { SETTINGS, FOLDER, BEGAN, GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID } = process.env;
const TOO_OFTEN = 3;
/** By their names in the settings. */
const SOURCES = { plans: ["plans"], releases: ["release-macos", "release-windows"] };
const RUN = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;

const failedRuns = Number(await readFile(join(FOLDER, "state/failed-runs"), "utf8"));
await keepIssue("facts", failedRuns >= TOO_OFTEN, failedRuns === 0);
const report = await readReport();
for (const [source, names] of Object.entries(SOURCES)) {
  const asked = report.outcomes.filter(({ name, finishedAt }) => names.includes(name) && finishedAt >= BEGAN);
  const failures = asked.map(({ name }) => failuresInARow(report.collections[name] ?? []));
  const isBad = failures.some((count) => count >= TOO_OFTEN);
  const isWell = asked.length > 0 && failures.every((count) => count === 0);
  await keepIssue(source, isBad, isWell);
}

/** `subject`: a source, or the facts as a whole. Between bad and well, the issue stays as it is. */
async function keepIssue(subject, isBad, isWell) {
  try {
    if (isBad) await open(subject);
    else if (isWell) await close(subject);
  } catch (error) {
    tell("warning", `the issue about ${subject} is not up to date: ${error.message}; it needs "issues: write"`);
  }
}

/** What the collector recorded; nothing if it has never come that far. */
async function readReport() {
  const text = await readFile(join(FOLDER, "state/last-run.json"), "utf8").catch(() => undefined);
  return text === undefined ? { outcomes: [], collections: {} } : JSON.parse(text);
}

/** `results`: oldest first. */
function failuresInARow(results) {
  return results.length - 1 - results.findLastIndex(({ result }) => result !== "failed");
}

async function open(subject) {
  if (await findOpen(subject)) return;
  await askHost("POST", "issues", {
    title: titleOf(subject),
    body:
      `The ${subject} of \`${SETTINGS}\` could not be collected ${TOO_OFTEN} times in a row: the log of [the run](${RUN}) says why.\n\n` +
      "The last facts are answered until `staleAfter` has passed, then readers get 502. " +
      "This issue is closed as soon as they are collected again.",
  });
}

async function close(subject) {
  const issue = await findOpen(subject);
  if (!issue) return;
  await askHost("POST", `issues/${issue.number}/comments`, { body: `Collected again by [this run](${RUN}).` });
  await askHost("PATCH", `issues/${issue.number}`, { state: "closed", state_reason: "completed" });
}

/** Only among the action's own issues: anyone could open one with this title. */
async function findOpen(subject) {
  for (let page = 1; ; page++) {
    const issues = await askHost("GET", `issues?state=open&creator=github-actions%5Bbot%5D&per_page=100&page=${page}`);
    const found = issues.find(({ title }) => title === titleOf(subject));
    if (found || issues.length < 100) return found;
  }
}

function titleOf(subject) {
  return `Vitrine cannot collect the ${subject} of ${basename(SETTINGS)}`;
}
