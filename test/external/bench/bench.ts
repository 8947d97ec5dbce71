// `npm run bench`: measures Vitrine's speed beside its peers in the same run. It prints tables and passes no verdict: on a
// shared machine only the ratios within one run are meaningful.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled } from "../../support/install.ts";
import { Catalogue, USUAL_PLANS } from "./catalogue.ts";
import { compareClients } from "./client-headers.ts";
import { compareMcp } from "./mcp.ts";
import { measureStalls, measureVisibility } from "./refresh.ts";
import { compareRequests } from "./requests.ts";
import { measureStart } from "./start.ts";
import { describeMachine, print } from "./statistics.ts";

async function main(): Promise<void> {
  ensureInstalled();
  const start = performance.now();
  const scratch = await mkdtemp(join(tmpdir(), "vitrine-bench-"));
  print(describeMachine());
  try {
    const plans = join(scratch, "plans");
    await new Catalogue(plans, USUAL_PLANS).fill();
    const peers = join(scratch, "peers");
    await mkdir(peers);
    await compareRequests(plans, peers);
    await compareClients(plans);
    await compareMcp(plans, scratch);
    await measureVisibility(scratch);
    await measureStalls(scratch);
    await measureStart(plans, join(peers, "answer.json"));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  print(`\n${((performance.now() - start) / 1000).toFixed(0)} s. ${describeMachine()}`);
}

await main();
