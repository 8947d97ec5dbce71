// Informs the vendor's chat or pager when a fact fails for half of its lifetime, is held or is stale, or has disagreed with a
// cross-check for long, and when it has recovered: it sends one message for each step, also across single runs, since the report keeps
// what was sent. A failed message changes nothing but a note, and the next run sends the message again. Without it, only log, `status`
// and metrics say so.
import { needsLook, type CrossCheckRecord, type Report, type Reported } from "../../../snapshots/records.ts";
import { clip, isSafeUrl, parseUrl } from "../../../snapshots/rules.ts";
import { conditionOf } from "../../../snapshots/fact-state.ts";
import type { Snapshot } from "../../../snapshots/snapshot.ts";
import { loadClient } from "../../http/fetch.ts";
import { orAborted, withDeadline } from "../../http/deadline.ts";
import { UpstreamError } from "../../http/errors.ts";
import { secretName, withSecrets } from "../../http/request.ts";
import type { FeatureOptions, FinishedRun, Operator, RunPart } from "../../hooks.ts";
import { fromSetting } from "../../settings-problems.ts";

export const notifySettings = {
  notify: secretName
    .refine((text) => !text.includes("@"), "no e-mail is sent: the variable must have an https URL, such as a chat's")
    .optional()
    .describe('Where to post a message when a fact needs attention, and when it has recovered: `"$NOTIFY_URL"`'),
};

interface Notifier extends Pick<Operator, "title" | "acceptance"> {
  /** A secret: anyone who knows it may write there. */
  url: string;
  /** Called with the reason if a message could not be sent, without the address. */
  onFailure: (reason: string) => void;
}

/** @throws SettingsProblems that names the variable of the address, never its value */
export function openNotify(
  { notify }: { notify?: string | undefined },
  { environment, file, title, acceptance, warn }: FeatureOptions & Operator,
): RunPart {
  if (notify === undefined) return {};
  const url = addressOf(notify, { environment, file });
  const onFailure = (reason: string) =>
    warn(`the message could not be sent to ${notify}: ${reason}; the next run tries again`);
  return { hooks: [{ name: "notify", after: (run) => notifyAfter({ url, title, acceptance, onFailure }, run) }] };
}

/** @throws SettingsProblems as above */
function addressOf(notify: string, { environment, file }: Pick<FeatureOptions, "environment" | "file">): string {
  const problemIn = (address: string) =>
    isSafeUrl(parseUrl(address)) ? undefined : "must be an https URL without user name (http only on this computer)";
  return fromSetting(file, "notify", () => withSecrets({ url: notify }, environment, problemIn)).url ?? "";
}

/** Sends a message without a cause. @throws SettingsProblems as above */
export function sendTrial(
  notify: string,
  { title, stop, ...named }: Parameters<typeof addressOf>[1] & { title: string; stop: AbortSignal },
): Promise<Sent> {
  const text = "You hear of it here when a fact needs a look, and when all is well again.";
  return send(addressOf(notify, named), [`${title}: a trial message`, text], stop);
}

type Trouble = NonNullable<Reported["told"]>;

const DEADLINE_MS = 5_000;
/** Some chats refuse a text of more than 2,000 UTF-16 units. */
const MAX_TEXT = 1_900;
const MAX_REASON = 500;

/** Sends the changes of trouble in a run. Resolves to the report with the trouble last sent for each snapshot. */
async function notifyAfter(
  notifier: Notifier,
  { outcomes: collected, before, facts, report, signal }: FinishedRun,
): Promise<Report> {
  const steps = report.outcomes.flatMap((outcome) => {
    const { name, told } = outcome;
    if (collected.every((other) => other.name !== name)) return [];
    const now = facts.clock.wall();
    const dispute = report.crossChecks?.find((one) => one.name === name && needsLook(one.disagreement, now));
    const trouble = troubleOf(outcome, { snapshot: before.get(name), dispute, now });
    return trouble === told ? [] : [{ name, trouble, line: lineOf(outcome, { trouble, dispute }, notifier) }];
  });
  if (steps.length === 0) return report;
  const outcomes = report.outcomes.map((outcome) => {
    const step = steps.find(({ name }) => name === outcome.name);
    return step ? { ...outcome, told: step.trouble } : outcome;
  });
  const isWell = outcomes.every(({ told }) => told === undefined);
  const title = `${notifier.title}: ${isWell ? "all is well again" : "facts need a look"}`;
  const { isSent, answer } = await send(notifier.url, [title, ...steps.map(({ line }) => line)], signal);
  if (isSent) return { ...report, outcomes };
  notifier.onFailure(answer);
  return report;
}

/** A failure ends no trouble, and begins one only when half of the lifetime is over. */
function troubleOf(
  { result, told }: Reported,
  { snapshot, dispute, now }: { snapshot: Snapshot | undefined; dispute: CrossCheckRecord | undefined; now: number },
): Trouble | undefined {
  if (result === "changed" || result === "confirmed") return dispute && "disputed";
  const condition = conditionOf(snapshot, snapshot ? Date.parse(snapshot.freshUntil) - now : 0);
  if (condition === "stale" || condition === "missing") return "stale";
  if (result === "held") return "held";
  return condition === "aging" ? "failing" : told;
}

function lineOf(
  outcome: Reported,
  { trouble, dispute }: { trouble: Trouble | undefined; dispute: CrossCheckRecord | undefined },
  { acceptance }: Notifier,
): string {
  const name = outcome.name.replace(/^release-/, "");
  const reason = clip(outcome.reason ?? "", MAX_REASON);
  const remedy = outcome.result === "held" ? `; ${acceptance(outcome.name)}` : "";
  if (trouble === undefined) return `${name} is well again`;
  if (trouble === "failing") return `${name} has not been confirmed for half of its lifetime: ${reason}`;
  if (trouble === "disputed") return `${name} is in dispute: ${disputeText(dispute)}`;
  const state = trouble === "held" ? "held" : "unavailable, requests get 502";
  return `${name} is ${state}: ${reason}${remedy}`;
}

function disputeText({ witness, disagreement }: Partial<CrossCheckRecord> = {}): string {
  const { published, found } = disagreement ?? {};
  return clip(`published ${published}; the cross-check ${witness} has ${found}`, MAX_REASON);
}

interface Sent {
  isSent: boolean;
  /** What the service answered, in our words. */
  answer: string;
}

/** The first line is the title, too. */
async function send(url: string, lines: readonly string[], signal: AbortSignal): Promise<Sent> {
  const text = clip(lines.join("\n"), MAX_TEXT);
  try {
    // Common chats show one of these, and ignore the others.
    const status = await post(url, { title: lines[0], text, content: text }, signal);
    return { isSent: status < 300, answer: `answered ${status}` };
  } catch (error) {
    return { isSent: false, answer: error instanceof UpstreamError ? error.message : "no answer" };
  }
}

/** Resolves to the status. */
async function post(url: string, message: object, stop: AbortSignal): Promise<number> {
  const { request, dispatcher } = await loadClient();
  return withDeadline(DEADLINE_MS, stop, async (signal) => {
    const headers = { "content-type": "application/json", "user-agent": "vitrine" };
    const asked = request(url, { method: "POST", headers, body: JSON.stringify(message), dispatcher, signal });
    // While it connects, undici does not notice the signal.
    const { statusCode, body } = await orAborted(asked, signal);
    body.on("error", () => {}).destroy();
    return statusCode;
  });
}
