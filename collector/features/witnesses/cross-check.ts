// Cross-checks: witnesses, which are other sources or pages, are asked for published facts, and their answers compared with these.
// They see what no guard can, such as a feed that has stopped and is confirmed for ever. Nothing of theirs is published, and they
// can neither delay nor fail a publication: they are asked after it, each for at most its own `timeout`.
import { isDeepStrictEqual } from "node:util";
import { readReport, type CrossCheckRecord, type FoundPrice, type Report } from "../../../snapshots/records.ts";
import { firstLines } from "../../../snapshots/rules.ts";
import type { LatestReleaseResponse, Plan, PlansResponse } from "../../../snapshots/schema.ts";
import type { Payload, SnapshotName } from "../../../snapshots/snapshot.ts";
import { UpstreamError } from "../../http/errors.ts";
import { compareVersions, hasNumber, withoutBuild, withoutWord } from "../versions/version.ts";
import { BY_THE_YEAR, pricesOf } from "../prices/plan-prices.ts";
import type { Source } from "../../source.ts";
import type { CrossChecked, Difference, Examine, FinishedRun } from "../../hooks.ts";
import { askAnew, find, reasonOf } from "../../run/ask.ts";
import { openBudget } from "./budget.ts";
import { pinsAfter } from "./pins.ts";

export interface CrossCheck {
  names: readonly SnapshotName[];
  /** Asks once. Returns what compares a published fact with the answer. Both throw UpstreamError. */
  ask(signal: AbortSignal): Promise<(name: SnapshotName, published: Payload) => Promise<Difference | undefined>>;
  /** Its kind and place, for the operator: `github acme/notes`. */
  witness: string;
  fingerprint: string;
}

/** A day, less what one run may begin earlier than the last one. */
const DAILY_MS = 23 * 60 * 60_000;

/** Asks the cross-checks that are due about the facts of a run. Resolves to the report with what they found, without those that are no
 * longer in the settings. */
export async function crossCheck(
  checks: readonly CrossCheck[],
  run: FinishedRun,
  onCrossCheck: (checked: CrossChecked) => void = () => {},
): Promise<Report> {
  const { outcomes, published, facts, report, signal } = run;
  const { crossChecks: records = [] } = report;
  const results = new Map(outcomes.map(({ name, result }) => [name, result]));
  const { wall: now } = facts.clock;
  const next = checks.map(async (check) => {
    const { names } = check;
    const due = names.filter((name) => isDue(results.get(name), recordOf(check, name, records), now()));
    const checked = await examine(check, due, run, records);
    // There is nothing to say of a run that was stopped.
    if (!signal.aborted) for (const one of checked) onCrossCheck(one);
    return names.flatMap((name) => {
      const one = checked.find((other) => other.name === name);
      const last = withoutSettled(recordOf(check, name, records), results.has(name) ? published.get(name) : undefined);
      return one ? [nextRecord(check, one, { last, now: now() })] : (last ?? []);
    });
  });
  const crossChecks = [...(await Promise.all(next)).flat(), ...pinsAfter(run, onCrossCheck)];
  return isDeepStrictEqual(crossChecks, records) ? report : { ...report, crossChecks };
}

/** A witness that has the facts themselves, not a page about them. */
export function openWitness(source: Source): Pick<CrossCheck, "names" | "ask"> {
  return {
    names: source.names,
    async ask(signal) {
      const answer = await askAnew(source, signal);
      const budget = openBudget(signal);
      return (name, published) => budget(() => compare(published, find(source, name, answer).fact.payload));
    },
  };
}

/** Asks every cross-check about all of its facts that are published. */
export function examiner(checks: readonly CrossCheck[]): Examine {
  return async (asked) => {
    const { crossChecks: records = [] } = (await readReport(asked.facts)) ?? {};
    return (await Promise.all(checks.map((check) => examine(check, check.names, asked, records)))).flat();
  };
}

/** Asks once, and compares the answer with the published facts of these names. Never throws. */
async function examine(
  check: CrossCheck,
  names: readonly SnapshotName[],
  { published, facts, signal }: Parameters<Examine>[0],
  records: readonly CrossCheckRecord[],
): Promise<CrossChecked[]> {
  const { witness } = check;
  const asked = names.flatMap((name) => {
    const payload = published.get(name);
    return payload ? [{ name, payload }] : [];
  });
  if (asked.length === 0) return [];
  const comparison = check.ask(signal);
  const checked = asked.map(async ({ name, payload }): Promise<CrossChecked> => {
    const last = recordOf(check, name, records)?.disagreement;
    try {
      const difference = await (await comparison)(name, payload);
      if (!difference) return { name, witness, result: "agrees", isNew: last !== undefined };
      const isOld = last !== undefined && ("plans" in payload || standsStill(last, difference));
      const now = facts.clock.wall();
      // A clock that was set back must not delay the alarm.
      const since = new Date(isOld ? Math.min(now, Date.parse(last.since)) : now).toISOString();
      return { name, witness, result: "disagrees", since, ...difference };
    } catch (error) {
      const { retryAfterMs = 0 } = error instanceof UpstreamError ? error.failure : {};
      return { name, witness, result: "unasked", reason: reasonOf(error), retryAfterMs };
    }
  });
  return Promise.all(checked);
}

function recordOf({ fingerprint }: CrossCheck, name: SnapshotName, records: readonly CrossCheckRecord[]) {
  return records.find((record) => record.fingerprint === fingerprint && record.name === name);
}

/** A witness is asked after a change, daily, and in each run until it answers and while it disagrees; never while it wants a pause. */
function isDue(result: string | undefined, last: CrossCheckRecord | undefined, now: number): boolean {
  const { askedAt, disagreement, notBefore } = last ?? {};
  if (result === undefined || (notBefore !== undefined && Date.parse(notBefore) > now)) return false;
  if (result === "changed" || askedAt === undefined || disagreement) return true;
  return Math.abs(now - Date.parse(askedAt)) >= DAILY_MS;
}

/** A disagreement also ends, without an answer, once what the witness had last is published. */
function withoutSettled(
  record: CrossCheckRecord | undefined,
  published: Payload | undefined,
): CrossCheckRecord | undefined {
  if (!record?.disagreement || !published || !isFound(published, record.disagreement)) return record;
  const { disagreement: _, ...others } = record;
  return others;
}

/** A check that could not be asked begins no disagreement, and keeps the time since when it has not answered. */
function nextRecord(
  { witness, fingerprint }: CrossCheck,
  checked: CrossChecked,
  { last, now }: { last: CrossCheckRecord | undefined; now: number },
): CrossCheckRecord {
  const common = { name: checked.name, fingerprint, witness };
  if (checked.result === "unasked") {
    const { disagreement, unansweredSince = new Date(now).toISOString() } = last ?? {};
    const pause = Math.min(checked.retryAfterMs, DAILY_MS);
    const notBefore = pause > 0 && { notBefore: new Date(now + pause).toISOString() };
    return { ...common, unansweredSince, ...notBefore, ...(disagreement && { disagreement }) };
  }
  const answered = { ...common, askedAt: new Date(now).toISOString() };
  if (checked.result === "agrees") return answered;
  const { since, published, found, prices, atOnce } = checked;
  return {
    ...answered,
    disagreement: { since, published, found, ...(prices && { prices }), ...(atOnce && { atOnce }) },
  };
}

/** What the two have where they differ; undefined if they agree. Both are of one snapshot. */
export function compare(published: Payload, found: Payload): Difference | undefined {
  if ("plans" in published) return "plans" in found ? comparePlans(published, found) : undefined;
  if ("plans" in found) return undefined;
  const [one, another] = [versionOf(published), versionOf(found)];
  return isSameVersion(one, another) ? undefined : { published: one, found: another };
}

/** Says whether these facts are what a witness had, as far as that was recorded. */
function isFound(published: Payload, { found, prices }: Difference): boolean {
  if ("hasUpdate" in published) return isSameVersion(versionOf(published), found);
  const { currency, plans } = published;
  if (!prices) return found === pricesIn(currency) || found === idsOf(plans);
  const amounts = new Map(plans.map((plan) => [plan.id, pricesOf(plan)]));
  return prices.every(({ plan, key, amount }) => isSamePrice(key, amounts.get(plan)?.get(key), amount));
}

function versionOf(release: LatestReleaseResponse): string {
  return release.hasUpdate ? release.latest.version : "no release";
}

/** Says whether the release that is behind has not moved: a channel that moves, as in a week of many releases, is late, not
 * stopped. */
function standsStill(before: Difference, after: Difference): boolean {
  const behind = ({ published, found }: Difference) =>
    compareVersions(numberOf(published), numberOf(found)) < 0 ? "published" : "found";
  const side = behind(after);
  return side === behind(before) && before[side] === after[side];
}

/** True also for the spellings of several channels: `app-v1.2`, `1.2.0+45`, `1.2 (45)`, `1.2-stable`. */
export function isSameVersion(one: string, other: string): boolean {
  if (one === other) return true;
  return hasNumber(one) && hasNumber(other) && compareVersions(numberOf(one), numberOf(other)) === 0;
}

function numberOf(version: string): string {
  return withoutWord(withoutBuild(version.trim()));
}

/** Plans and prices that only one of them has are not compared: a witness may know a part. It must know one plan. */
function comparePlans(published: PlansResponse, found: PlansResponse): Difference | undefined {
  const [currency, other] = [pricesIn(published.currency), pricesIn(found.currency)];
  if (currency !== other) return { published: currency, found: other };
  const plans = new Map(found.plans.map((plan) => [plan.id, pricesOf(plan)]));
  const both = published.plans.filter(({ id }) => plans.has(id));
  if (both.length === 0) {
    const [one, another] = [idsOf(published.plans), idsOf(found.plans)];
    return one === another ? undefined : { published: one, found: another };
  }
  const pairs = both.flatMap((plan) =>
    [...pricesOf(plan)].flatMap(([key, amount]) => {
      const another = plans.get(plan.id)?.get(key) ?? amount;
      return isSamePrice(key, amount, another) ? [] : [{ plan: plan.id, key, amount, another }];
    }),
  );
  if (pairs.length === 0) return undefined;
  const prices = pairs.map(({ plan, key, another }) => ({ plan, key, amount: another }));
  const inWords = (side: FoundPrice[]) => shown(side.map((price) => `${price.plan} ${price.key} ${price.amount}`));
  return { published: inWords(pairs), found: inWords(prices), ...(prices.length <= MAX_PRICES && { prices }) };
}

/** The price by the year may be that of a year or about a twelfth of it, which is rounded. */
function isSamePrice(key: string, one: number | undefined, other: number): boolean {
  if (one === undefined) return false;
  const isTwelfth = Math.abs(Math.max(one, other) / Math.min(one, other) / 12 - 1) < 0.01;
  return one === other || (key === BY_THE_YEAR && isTwelfth);
}

function pricesIn(currency: string): string {
  return `prices in ${currency.toUpperCase()}`;
}

function idsOf(plans: readonly Plan[]): string {
  return shown(plans.map(({ id }) => id));
}

const MAX_SHOWN = 3;
const MAX_PRICES = 100;

export function shown(lines: readonly string[]): string {
  return lines.length === 0 ? "no plans" : firstLines(lines, MAX_SHOWN).join(", ");
}
