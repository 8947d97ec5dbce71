// Vitrine as shipped, over the store in the given directory. With `no-lane` the express lane is off.
import { keepNewSpaceSmall } from "../../../../cli/small-heap.ts";
import { openFacts, SYSTEM_CLOCK } from "../../../../snapshots/facts.ts";
import { openStore } from "../../../../snapshots/stores/open-store.ts";
import { report } from "./report.mjs";

// As the command line does it, before anything else is loaded.
keepNewSpaceSmall();
const { serverSettings } = await import("../../../../server/settings.ts");
const { startServer } = await import("../../../../server/serve.ts");

const [, , directory = "", mode] = process.argv;
const { base } = await startServer({
  // The texts are in the project, not beside the bundle.
  api: serverSettings.api.parse({}),
  host: "127.0.0.1",
  port: 0,
  expressLane: mode !== "no-lane",
  facts: openFacts(openStore(directory), { product: undefined, trust: undefined, clock: SYSTEM_CLOCK }),
  warn: (message) => void process.stderr.write(`${message}\n`),
});
report(Number(new URL(base).port));
