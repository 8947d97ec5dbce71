// `vitrine status`: the status of every snapshot, from the store, or with --url from a running server.
import * as z from "zod";
import { UpstreamError } from "../../../collector/http/errors.ts";
import { fetchText } from "../../../collector/http/fetch.ts";
import { nextRun, offsetOf } from "../../../collector/run/schedule.ts";
import { schedulesOf } from "../../../collector/settings.ts";
import { isFollowed, isRemote, kindOfStore } from "../../../snapshots/stores/open-store.ts";
import { SNAPSHOT_NAMES } from "../../../snapshots/snapshot.ts";
import { attempt, parseUrl, span } from "../../../snapshots/rules.ts";
import { EXIT, Refused, type Context } from "../../command.ts";
import { configure, type Configuration, type ConfigurationInput } from "../../settings/configure.ts";
import { withoutPath, withoutUserInfo } from "../../settings/problems.ts";
import { gravityOf, statusTable } from "./status-table.ts";
import { messageOf, warningLine } from "../../output/terminal.ts";
import { withReader } from "../../with-store.ts";
import { readReportIfNot } from "../../../snapshots/records.ts";
import { SnapshotStatus, statusOfStore } from "../../../snapshots/fact-state.ts";

const Status = z.object({ snapshots: z.array(SnapshotStatus).max(SNAPSHOT_NAMES.length) });

const DEADLINE_MS = 5_000;

/** `store`: the one that was read, if any. `nextCollection`: when one is due by the settings; ISO 8601, UTC. */
interface StatusShown {
  store?: { kind: string; location: string };
  nextCollection?: string | undefined;
  snapshots: SnapshotStatus[];
  warning?: string | undefined;
}

const UNREAD_REPORT =
  "last-run.json cannot be read: what was collected last, and when, is unknown until the next collection writes it anew";

export async function run(context: Context): Promise<number> {
  const { flags, terminal, stop } = context;
  const { url } = flags;
  const status: StatusShown =
    typeof url === "string" ? { snapshots: await statusOfServer(url, stop) } : await statusHere(context);
  const { snapshots, store, nextCollection, warning } = status;
  terminal.out(flags.json === true ? JSON.stringify(shownIn(status), null, 2) : statusTable(terminal, snapshots));
  if (flags.json !== true && nextCollection !== undefined)
    terminal.out(`\n    ${terminal.style("dim", collectionLine(nextCollection))}`);
  if (flags.json !== true && store && isRemote(store.location)) terminal.out(`\n    in ${store.location}`);
  if (warning !== undefined) terminal.err(warningLine(warning));
  return codeOf(snapshots);
}

export function codeOf(snapshots: readonly SnapshotStatus[]): number {
  const gravities = new Set(snapshots.map(gravityOf));
  if (gravities.has("unavailable")) return EXIT.unavailable;
  if (gravities.has("held")) return EXIT.held;
  return gravities.has("disputed") ? EXIT.disagreement : EXIT.ok;
}

/** The status in the store of the settings. @throws SettingsProblems, Unreachable */
export async function statusHere(context: ConfigurationInput): Promise<StatusShown> {
  const configuration = configure(context);
  const location = configuration.settings.snapshots;
  const [snapshots, { document, version }] = await withReader(configuration, (facts) =>
    Promise.all([statusOfStore(facts), readReportIfNot(facts, undefined)]),
  );
  const isUnread = document === undefined && version !== undefined;
  // Of another product, it is as it should be.
  const warning = isUnread && snapshots.some((one) => one.damageReason !== "other") ? UNREAD_REPORT : undefined;
  const store = { kind: kindOfStore(location), location };
  return { store, nextCollection: nextCollection(configuration), snapshots, warning };
}

/** The earliest of all schedules. Undefined for a server that follows another one, and collects nothing. */
function nextCollection({ settings, location }: Configuration): string | undefined {
  if (isFollowed(location)) return undefined;
  const offset = offsetOf(settings.product ?? settings.api.name);
  const times = [...schedulesOf(settings).keys()].flatMap((expression) => nextRun(expression, offset)() ?? []);
  return times.map((time) => time.toISOString()).toSorted()[0];
}

function collectionLine(next: string): string {
  const time = next.slice(0, 19).replace("T", " ");
  return `a collector, if one runs, collects again in ${span(Date.parse(next) - Date.now())}, at ${time} UTC`;
}

/** The status without the tags that only the table needs. */
export function shownIn(status: StatusShown) {
  return { ...status, snapshots: status.snapshots.map(({ damageReason: _, ...shown }) => shown) };
}

/** @throws Refused if the server cannot be reached or is not a Vitrine server. */
async function statusOfServer(url: string, signal: AbortSignal): Promise<SnapshotStatus[]> {
  try {
    if (!parseUrl(url)) throw new Error("write it as https://facts.example.com");
    const answer = await fetchText(`${url.replace(/\/+$/, "")}/status`, { signal, deadline: DEADLINE_MS });
    const { data } = Status.safeParse(answer !== "unchanged" && attempt(() => JSON.parse(answer.text)));
    if (!data) throw new Error("the answer is not the status of a Vitrine server");
    return data.snapshots;
  } catch (error) {
    const isAway = error instanceof UpstreamError && error.failure.status === 404;
    const remedy = isAway ? ": give the base URL alone, such as https://facts.example.com" : "";
    throw new Refused(`${withoutPath(withoutUserInfo(url))}: ${messageOf(error)}${remedy}`, EXIT.failed);
  }
}
