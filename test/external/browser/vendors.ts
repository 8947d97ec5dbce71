// The vendors whose pages are tested: the demo, and others whose facts are hard to show. The real program serves each from a
// temporary directory.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { appendHistory } from "../../../snapshots/features/history/history.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { factOf, type Payload, type Snapshot, SNAPSHOT_NAMES } from "../../../snapshots/snapshot.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { startDemo } from "../../support/program/demo.ts";
import { startProgram } from "../../support/program/program.ts";
import { FILE_SOURCES } from "../../support/program/settings.ts";
import { factsIn } from "../../support/snapshot.ts";
import { publishOver, pollUntil } from "../../support/serving/server.ts";
import { untilCompressed } from "../../support/serving/prepared-targets.ts";
import { HOSTILE, HOSTILE_API, LONG, LONG_API, MANY, NOTHING, ONE, ONE_API, type Payloads } from "./payloads.ts";

const DAY_MS = 86_400_000;

/** The longest wait for a server to serve published facts. */
const READY_MS = 20_000;

type CleanUps = (cleanUp: () => Promise<void>) => void;
/** Addresses of the pages. */
export type Vendors = Awaited<ReturnType<typeof startVendors>>;

async function startCompressedDemo(onFinished: CleanUps): Promise<string> {
  const { base, port } = await startDemo(onFinished);
  await untilCompressed(port);
  return `${base}/`;
}

export async function startVendors(onFinished: CleanUps) {
  const [demo, hostile, long, one, many, nothing, missing, stale] = await Promise.all([
    startCompressedDemo(onFinished),
    startVendor({ payloads: HOSTILE, api: HOSTILE_API, onFinished }),
    startVendor({ payloads: LONG, api: LONG_API, onFinished }),
    startVendor({ payloads: ONE, api: ONE_API, onFinished }),
    startVendor({ payloads: MANY, onFinished }),
    startVendor({ payloads: NOTHING, onFinished }),
    startVendor({ onFinished }),
    startVendor({ payloads: HOSTILE, freshFor: -DAY_MS, onFinished }),
  ]);
  return { demo, hostile, long, one, many, nothing, missing, stale };
}

interface VendorOptions {
  /** Published facts, none by default. */
  payloads?: Payloads;
  api?: object;
  /** From now on, in ms. */
  freshFor?: number;
  /** Its folder `facts` has the snapshots. */
  directory?: string;
  onFinished: CleanUps;
}

/** Starts a vendor with these facts and their history; returns the address of its page. @throws Error if the server refuses
 * the facts, for then none of them would be on the page. */
export async function startVendor({
  payloads,
  api = {},
  freshFor = DAY_MS,
  onFinished,
  directory: own,
}: VendorOptions): Promise<string> {
  const directory = own ?? (await temporaryDirectory(onFinished));
  const settings = { api, snapshots: "facts", ...FILE_SOURCES };
  await writeFile(join(directory, "vitrine.config.json"), JSON.stringify(settings));
  const publish = async () => payloads && publishAll(payloads, join(directory, "facts"), Date.now() + freshFor);
  if (freshFor <= 0) await publish();
  const { base, get } = await startProgram(["serve"], { directory, onFinished });
  if (freshFor <= 0) return `${base}/`;
  // Published after the start, which would otherwise use up part of the facts' lifetime.
  await publish();
  const latest = performance.now() + READY_MS;
  const ready = await pollUntil(
    () => get("/readyz"),
    ({ status }) => !payloads || status === 200 || performance.now() > latest,
  );
  if (payloads && ready.status !== 200) throw new Error(`a vendor's facts are refused: ${ready.text}`);
  return `${base}/`;
}

/** `freshUntil`: in ms since the epoch. */
export async function publishAll(payloads: Payloads, directory: string, freshUntil: number): Promise<void> {
  const store = openStore(directory);
  for (const name of SNAPSHOT_NAMES) {
    for (const [index, payload] of payloads[name].entries()) {
      const snapshot = seal(name, { payload, revision: index + 1, freshUntil });
      await publishOver(store, snapshot);
      await appendHistory(factsIn(store), snapshot);
    }
  }
}

/** `freshUntil`: in ms since the epoch. The facts were collected a day earlier; revisions are a week apart. */
function seal(
  name: Snapshot["name"],
  { payload, revision, freshUntil }: { payload: Payload; revision: number; freshUntil: number },
): Snapshot {
  const confirmedAt = new Date(Math.min(freshUntil - DAY_MS, Date.now())).toISOString();
  return {
    name,
    revision,
    changedAt: new Date(Date.parse(confirmedAt) - (20 - revision) * 7 * DAY_MS).toISOString(),
    confirmedAt,
    freshUntil: new Date(freshUntil).toISOString(),
    source: "browser",
    ...factOf(payload),
  };
}
