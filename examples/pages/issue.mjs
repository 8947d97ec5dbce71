// Keeps an issue for each thing that needs a person: plans or releases could not be collected three times in a row, or nothing could,
// such as without a secret; a change is held back; a cross-check disagrees for long. It is closed when all is well. What is wrong stays in the
// log: it may name what is not public. That an issue cannot be written is told, and fails nothing.
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { askHost, tell } from "./code-host.mjs";

const { SETTINGS, FOLDER, BEGAN, GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID } = process.env;
const TOO_OFTEN = 3;
/** As for exit code 5: a release needs hours to reach every channel. */
const LONG_MS = 12 * 60 * 60_000;
/** By their names in the settings. */
const SOURCES = { plans: ["plans"], releases: ["release-macos", "release-windows"] };
const RUN = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
const LOG = `The log of [the run](${RUN})`;
const UNTIL = "The last facts are answered until `staleAfter` has passed, then readers get 502.";

try {
  const listed = await openIssues();
  for (const trouble of await troubles()) await keepIssue(trouble, listed);
} catch (error) {
  tell("warning", `the issues about the facts are not up to date: ${error.message}; they need "issues: write"`);
}

/** Between bad and well, an issue stays as it is. */
async function keepIssue({ subject, isBad, isWell, body }, listed) {
  const title = `Vitrine ${subject} of ${basename(SETTINGS)}`;
  const issue = listed.find((one) => one.title === title);
  if (isBad && !issue) {
    await askHost("POST", "issues", { title, body: `${body}\n\nThis issue is closed as soon as that is over.` });
  } else if (isWell && !isBad && issue) {
    await askHost("POST", `issues/${issue.number}/comments`, { body: `Over since [this run](${RUN}).` });
    await askHost("PATCH", `issues/${issue.number}`, { state: "closed", state_reason: "completed" });
  }
}

async function troubles() {
  const failedRuns = Number(await readFile(join(FOLDER, "state/failed-runs"), "utf8"));
  const isBad = failedRuns >= TOO_OFTEN;
  const all = { subject: "cannot collect the facts", isBad, isWell: failedRuns === 0, body: failure("facts") };
  const report = await readReport();
  return [all, ...Object.entries(SOURCES).flatMap(([source, names]) => troublesOf(source, names, report))];
}

function troublesOf(source, names, { outcomes, collections, crossChecks = [] }) {
  const asked = outcomes.filter(({ name, finishedAt }) => names.includes(name) && finishedAt >= BEGAN);
  const failures = asked.map(({ name }) => failuresInARow(collections[name] ?? []));
  const isCollected = asked.length > 0 && failures.every((count) => count === 0);
  const held = asked.filter(({ result }) => result === "held").map(({ name }) => name.replace("release-", ""));
  const isDisputed = crossChecks.some(({ name, disagreement }) => names.includes(name) && isLong(disagreement));
  return [
    {
      subject: `cannot collect the ${source}`,
      isBad: failures.some((count) => count >= TOO_OFTEN),
      isWell: isCollected,
      body: failure(source),
    },
    {
      subject: `holds back a change of the ${source}`,
      isBad: held.length > 0,
      isWell: isCollected,
      body: `${LOG} says what would change, and why it looks like an accident. If it is right, run the workflow by hand and name it in \`accept\`: \`${held.join(",")}\`. ${UNTIL}`,
    },
    {
      subject: `finds a disagreement about the ${source}`,
      isBad: isDisputed,
      isWell: isCollected,
      body: `${LOG} says with what, and what it has. Correct it, or what you publish.`,
    },
  ];
}

function failure(source) {
  return `The ${source} could not be collected ${TOO_OFTEN} times in a row. ${LOG} says why. ${UNTIL}`;
}

/** `results`: oldest first. */
function failuresInARow(results) {
  return results.length - 1 - results.findLastIndex(({ result }) => result !== "failed");
}

function isLong(disagreement) {
  return disagreement && (disagreement.atOnce || Date.now() - Date.parse(disagreement.since) >= LONG_MS);
}

/** What the collector recorded; nothing if it has never come that far. */
async function readReport() {
  const text = await readFile(join(FOLDER, "state/last-run.json"), "utf8").catch(() => undefined);
  return text === undefined ? { outcomes: [], collections: {} } : JSON.parse(text);
}

/** Only the action's own: anyone could open one with such a title. */
async function openIssues() {
  const found = [];
  for (let page = 1; ; page++) {
    const issues = await askHost("GET", `issues?state=open&creator=github-actions%5Bbot%5D&per_page=100&page=${page}`);
    found.push(...issues);
    if (issues.length < 100) return found;
  }
}
