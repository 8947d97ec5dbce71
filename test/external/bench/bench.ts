// `npm run bench`: Vitrine's answers, memory and start beside bare node:http in the same run. It prints tables and passes no
// verdict: on a shared machine only the ratios within one run are meaningful.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { allSnapshots, publishOver } from "../../support/serving/server.ts";
import { compareRequests } from "./requests.ts";
import { measureStart } from "./start.ts";
import { describeMachine, print } from "./statistics.ts";

/** The number of plans in a body of 1.5 KB. */
const PLANS = 12;

const start = performance.now();
const scratch = await mkdtemp(join(tmpdir(), "vitrine-bench-"));
print(describeMachine());
try {
  const [snapshots, answer] = [join(scratch, "snapshots"), join(scratch, "answer.json")];
  const facts = allSnapshots({ confirmedAt: Date.now(), plans: PLANS });
  for (const snapshot of facts) await publishOver(openStore(snapshots), snapshot);
  await compareRequests(snapshots, answer);
  await measureStart(snapshots, answer);
} finally {
  await rm(scratch, { recursive: true, force: true });
}
print(`\n${((performance.now() - start) / 1000).toFixed(0)} s. ${describeMachine()}`);
