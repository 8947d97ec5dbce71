// Starts this workflow again on the main branch, because it runs for the tag of a release.
import { readFile } from "node:fs/promises";
import { askHost, runStep, tell } from "./code-host.mjs";

await runStep(async () => {
  // Such as acme/notes/.github/workflows/facts.yml@refs/tags/v1.
  const workflow = /([^/]+)@/.exec(process.env.GITHUB_WORKFLOW_REF)[1];
  const { repository } = JSON.parse(await readFile(process.env.GITHUB_EVENT_PATH, "utf8"));
  const ref = repository.default_branch;
  await askHost("POST", `actions/workflows/${workflow}/dispatches`, { ref }).catch((error) => {
    throw new Error(`${error.message}: give the workflow workflow_dispatch and "actions: write"`, { cause: error });
  });
  tell("notice", `the facts are collected by a new run on ${ref}`);
});
