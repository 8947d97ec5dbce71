// Informs the vendor's chat or pager when a fact fails for half of its lifetime, is held or is stale, and when it has recovered:
// it sends one message for each step, also across single runs, since the report keeps what was sent. A failed message changes
// nothing but a note, and the next run sends the message again.
import type { Reported } from "../../snapshots/records.ts";
import { clip } from "../../snapshots/rules.ts";
import { isAging, isFresh, type SnapshotName, type SnapshotRead } from "../../snapshots/snapshot.ts";
import { loadClient } from "../http/fetch.ts";
import { orAborted, withDeadline } from "../http/deadline.ts";
import { UpstreamError } from "../http/errors.ts";

export interface Notifier {
  /** A secret: anyone who knows it may write there. */
  url: string;
  product: string;
  /** Says how the operator publishes a held snapshot. */
  acceptance: (name: SnapshotName) => string;
  /** Called with the reason if a message could not be sent, without the address. */
  onFailure: (reason: string) => void;
}

/** `reason`: why it failed or is held. */
type Outcome = Pick<Reported, "name" | "result" | "reason">;
type Trouble = NonNullable<Reported["told"]>;

const DEADLINE_MS = 5_000;
/** Some chats refuse a text of more than 2,000 UTF-16 units. */
const MAX_TEXT = 1_900;
const MAX_REASON = 300;

interface FinishedRun {
  outcomes: readonly Outcome[];
  reads: ReadonlyMap<SnapshotName, SnapshotRead>;
  earlier: readonly Reported[];
  /** Milliseconds since the epoch. */
  now: number;
  signal: AbortSignal;
}

/** Sends the changes of trouble in a run. Returns the trouble last sent for each snapshot, for the report. Never throws. */
export async function notify(
  notifier: Notifier | undefined,
  { outcomes, reads, earlier, now, signal }: FinishedRun,
): Promise<ReadonlyMap<SnapshotName, Trouble | undefined>> {
  const before = new Map(earlier.map(({ name, told }) => [name, told]));
  if (!notifier) return before;
  const steps = outcomes.flatMap((outcome) => {
    const { name } = outcome;
    const trouble = troubleOf(outcome, { read: reads.get(name), told: before.get(name), now });
    return trouble === before.get(name) ? [] : [{ name, trouble, line: lineOf(outcome, trouble, notifier) }];
  });
  if (steps.length === 0) return before;
  const after = new Map([...before, ...steps.map(({ name, trouble }) => [name, trouble] as const)]);
  const isWell = [...after.values()].every((trouble) => trouble === undefined);
  const title = `${notifier.product}: ${isWell ? "all is well again" : "facts need a look"}`;
  const text = clip([title, ...steps.map(({ line }) => line)].join("\n"), MAX_TEXT);
  try {
    // Common chats show one of these, and ignore the others.
    await post(notifier.url, { title, text, content: text }, signal);
  } catch (error) {
    notifier.onFailure(error instanceof UpstreamError ? error.message : "no answer");
    return before;
  }
  return after;
}

/** A failure ends no trouble, and begins one only when half of the lifetime is over. `told`: the trouble so far. */
function troubleOf(
  { result }: Outcome,
  { read, told, now }: { read: SnapshotRead | undefined; told: Trouble | undefined; now: number },
): Trouble | undefined {
  if (result === "changed" || result === "confirmed") return undefined;
  const snapshot = read?.state === "found" ? read.snapshot : undefined;
  if (!snapshot || !isFresh(snapshot, now)) return "stale";
  if (result === "held") return "held";
  return isAging(snapshot, Date.parse(snapshot.freshUntil) - now) ? "failing" : told;
}

function lineOf(outcome: Outcome, trouble: Trouble | undefined, { acceptance }: Notifier): string {
  const name = outcome.name.replace(/^release-/, "");
  const reason = clip(outcome.reason ?? "", MAX_REASON);
  const remedy = outcome.result === "held" ? `; ${acceptance(outcome.name)}` : "";
  if (trouble === undefined) return `${name} is well again`;
  if (trouble === "failing") return `${name} has not been confirmed for half of its lifetime: ${reason}`;
  const state = trouble === "held" ? "held" : "unavailable, requests get 502";
  return `${name} is ${state}: ${reason}${remedy}`;
}

async function post(url: string, message: object, stop: AbortSignal): Promise<void> {
  const { request, dispatcher } = await loadClient();
  await withDeadline(DEADLINE_MS, stop, async (signal) => {
    const headers = { "content-type": "application/json", "user-agent": "vitrine" };
    const asked = request(url, { method: "POST", headers, body: JSON.stringify(message), dispatcher, signal });
    // While it connects, undici does not notice the signal.
    const { statusCode, body } = await orAborted(asked, signal);
    body.on("error", () => {}).destroy();
    if (statusCode >= 300) throw new UpstreamError(`answered ${statusCode}`);
  });
}
