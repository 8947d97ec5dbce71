// What a service has collected must be in its store. It may not be: the store was away in a run, which then failed as a whole; or the
// engine behind it is another one by now, without persistence, from a backup, or behind the last one. All is collected again as soon as
// the store answers. Without the feature, that is on schedule only, and servers that are new by then answer 502 until it is due.
import { setTimeout as sleep } from "node:timers/promises";
import { SNAPSHOT_NAMES } from "../../../snapshots/snapshot.ts";
import { readReport } from "../../../snapshots/records.ts";
import { Unreachable } from "../../../snapshots/store.ts";
import type { Companion, Service } from "../../command.ts";

const LOOK_MS = 5_000;

export const lostRuns: Companion = { attend: (service) => collectLostRuns(service, LOOK_MS) };

/** Looks at the store now, and again `lookMs` after each look. */
export function collectLostRuns({ facts, schedule, stop, warn }: Omit<Service, "configuration">, lookMs: number): void {
  if (!schedule) return;
  // Its line of data is the first that was seen: a primary shares it with its replicas, and may begin another one while it lives.
  let known: { process: string; line: string } | undefined;
  let isLost = false;
  const look = async () => {
    const engine = await facts.store.engine?.().catch(() => undefined);
    if (engine && engine.process !== known?.process) {
      isLost ||= known !== undefined && known.line !== engine.line;
      known = engine;
    }
    // Not for a full disk: each try would ask the upstreams again.
    const hasFailed = schedule.takeError() instanceof Unreachable;
    isLost ||= hasFailed;
    if (!isLost) return;
    // Throws while the store is away.
    await readReport(facts);
    isLost = false;
    warn("collecting again: the store was away in a run, or its engine has changed");
    schedule.runNow(SNAPSHOT_NAMES);
  };
  const lookOn = async () => {
    while (!stop.aborted) {
      await look().catch(() => {});
      await sleep(lookMs, undefined, { ref: false, signal: stop }).catch(() => {});
    }
  };
  void lookOn();
}
