// `vitrine collect`: one run, with --watch a run on every slot of the schedule.
import type { Facts } from "../../snapshots/facts.ts";
import { readHeld } from "../../snapshots/records.ts";
import type { Store } from "../../snapshots/store.ts";
import { collectOnce, collectOnSchedule, openCollector } from "./collecting.ts";
import { EXIT, stopped, type Context } from "../command.ts";
import { factsNamed } from "../fact-names.ts";
import { askedFormat, openLog } from "../output/log.ts";
import { warningLine } from "../output/terminal.ts";
import { configure, type Configuration } from "../settings/configure.ts";
import { withStore } from "../with-store.ts";

export async function run(context: Context): Promise<number> {
  const configuration = configure(context);
  const { flags, stop } = context;
  const exceptions = { accept: factsNamed(flags.accept), askNow: factsNamed(flags.now) };
  return withStore(configuration, async (facts) => {
    if (flags.watch === true) return watch(configuration, facts, context);
    const held = await Promise.all([...exceptions.accept].map((name) => readHeld(facts, name).catch(() => null)));
    if (held.length > 0 && held.every((one) => one === undefined))
      context.terminal.err(warningLine("nothing is held so far: --accept is for what this run would hold"));
    const opened = { log: openLog(context.terminal, "text"), companions: await context.companions(), stop };
    return (await collectOnce(configuration, facts, { ...opened, ...exceptions })).code;
  });
}

async function watch(configuration: Configuration, facts: Facts<Store>, context: Context): Promise<number> {
  const log = openLog(context.terminal, askedFormat(context));
  const companions = await context.companions();
  const schedule = collectOnSchedule(openCollector(configuration, facts, { log, companions }));
  companions.attend({ configuration, facts, stop: context.stop, warn: log.warn, schedule });
  await stopped(context.stop);
  await schedule.stop();
  return EXIT.ok;
}
