// What this user may do in the store of the snapshots. The check leaves the store as it was, and creates no directory.
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { SettingsProblems } from "../../../collector/settings-problems.ts";
import { statusOfStore } from "../../../snapshots/fact-state.ts";
import { currentKey, refuseOtherProduct, type Facts, readDatedAnyhow } from "../../../snapshots/facts.ts";
import { isFollowed, isRemote } from "../../../snapshots/stores/open-store.ts";
import { errorCode } from "../../../snapshots/system-calls.ts";
import { messageOf } from "../../output/terminal.ts";
import type { Configuration } from "../../settings/configure.ts";
import { problemLine } from "../../settings/problems.ts";
import { namelessProblem, skewWarning, withReader, withStore } from "../../with-store.ts";

/** `access`: undefined for a directory. `hint`: what the access is good for. */
interface StoreFindings {
  access?: "none" | "read" | "write";
  problems: string[];
  hint?: string;
}

/** The history, which a collector lists. Without that feature, it is empty. */
const LISTED_FOLDER = "history";

/** Takes at most as long as six calls of a remote store. */
export async function checkStore(configuration: Configuration): Promise<StoreFindings> {
  const nameless = namelessProblem(configuration);
  if (nameless !== undefined) return { access: "none", problems: [nameless] };
  if (isRemote(configuration.location)) return checkRemoteStore(configuration);
  return { problems: await directoryProblems(configuration) };
}

/** Another product in the store, and clocks that differ. A store that cannot be read is another problem. */
async function readingProblems(configuration: Configuration): Promise<string[]> {
  const look = async (facts: Facts) => {
    await (isFollowed(configuration.location) ? refuseOtherProduct(facts) : readDatedAnyhow(facts));
    const skew = await skewWarning(facts.store);
    return skew === undefined ? [] : [`snapshots   ${skew}`];
  };
  return withReader(configuration, look).catch((error: unknown) =>
    error instanceof SettingsProblems ? [...error.problems] : [],
  );
}

async function checkRemoteStore(configuration: Configuration): Promise<StoreFindings> {
  const { location } = configuration;
  const unreadable = await messageIfRejected(
    withReader(configuration, ({ store }) =>
      Promise.all([store.get(currentKey("plans")), ...(isFollowed(location) ? [] : [store.list(LISTED_FOLDER)])]),
    ),
  );
  if (unreadable !== undefined) return { access: "none", problems: [`snapshots   ${unreadable}`] };
  const problems = await readingProblems(configuration);
  // Nothing is written into the store of another product, not even for the check.
  if (problems.length > 0) return { access: "read", problems };
  if (isFollowed(location)) return { access: "read", problems: [], hint: "snapshots: may be followed" };
  const unwritable = await messageIfRejected(writeAndClaim(configuration));
  if (unwritable === undefined) return { access: "write", problems: [], hint: "snapshots: may be read and written" };
  const hint = `snapshots: may be read, as the server must, but not written, as the collector must: ${unwritable}`;
  return { access: "read", problems: [], hint };
}

/** No program reads the value of this key. */
const PROBE_KEY = "check.json";

/** Few engines say what a user may do when asked, so a value is written and removed, and the store is claimed for a
 * moment, because a collector needs more than to write. A collector that starts during the claim skips one run.
 * @throws Error if any of it is refused */
function writeAndClaim(configuration: Configuration): Promise<void> {
  return withStore(configuration, async ({ store }) => {
    await store.put(PROBE_KEY, Buffer.from("{}"));
    await store.remove(PROBE_KEY);
    const claim = await store.claim();
    await claim?.release();
  });
}

function messageIfRejected(attempt: Promise<unknown>): Promise<string | undefined> {
  return attempt.then(() => undefined, messageOf);
}

const { R_OK, W_OK, X_OK } = constants;

/** At most one line for the directory, and one for each snapshot in it that cannot be read. */
async function directoryProblems(configuration: Configuration): Promise<string[]> {
  const { settings, origins } = configuration;
  const directory = settings.snapshots;
  const line = (text: string) => problemLine("snapshots", `${directory} ${text}`, origins);
  const unreadable = await refusal(directory, R_OK | X_OK);
  if (unreadable === "ENOTDIR") return [line("is no directory, or is below a file (ENOTDIR); choose another")];
  if (unreadable !== undefined)
    return [line(`cannot be read (${unreadable}); give this user access, or choose another`)];
  const unwritable = await refusal(directory, W_OK);
  const statuses = await withReader(configuration, statusOfStore);
  return [
    ...(unwritable === undefined
      ? []
      : [line(`cannot be written (${unwritable}), as the collector must; give this user access, or choose another`)]),
    ...(await readingProblems(configuration)),
    ...statuses
      .filter(({ damageReason }) => damageReason === "forbidden")
      .map(({ name, damage }) => `snapshots   ${name}: ${damage}`),
  ];
}

/** The error code for the directory, or while it does not exist, for the one that it would be created in. */
async function refusal(directory: string, mode: number): Promise<string | undefined> {
  try {
    if (!(await stat(directory)).isDirectory()) return "ENOTDIR";
    await access(directory, mode);
    return undefined;
  } catch (error) {
    const code = errorCode(error) ?? "unknown error";
    const parent = dirname(directory);
    return code === "ENOENT" && parent !== directory ? refusal(parent, W_OK | X_OK) : code;
  }
}
