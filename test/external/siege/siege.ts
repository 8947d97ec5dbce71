// `npm run siege`: the memory of a server under attack, and the wait of another client. Each attack meets a server of its
// own. Values above a target are marked; only values far above it fail the run, because the machine may be busy. On Linux.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { print, printTable } from "../bench/statistics.ts";
import { Verdicts } from "../bench/targets.ts";
import { ATTACKS, type Attack } from "./attacks.ts";
import { longestWait, prepareFacts, startBesieged, warmUp, type Besieged } from "./besieged.ts";

/** From the last byte of an attack to its end. */
const ATTACK_MS = 4_000;
const RECOVERY_MS = 10_000;
const PEAK_MB = { target: 300, limit: 450 };
const WAIT_MS = { target: 1_000, limit: 5_000 };
/** Of the memory before the attack. */
const AFTERWARDS = { target: 1.2, limit: 2 };

const verdicts = new Verdicts();

/** `start`: memory of a server that has loaded everything, in MB. Returns the rest, which needs no attacker. */
async function besiege(attack: Attack, index: number, directory: string, start: number) {
  const server = await startBesieged(directory);
  if (!attack.isCold) await warmUp(server.port);
  const before = attack.isCold ? start : server.memory().now;
  const attacker = fork(join(import.meta.dirname, "attacker.ts"), [String(server.port), String(index)], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const end = new AbortController();
  const waiting = longestWait(server.port, end.signal);
  await once(attacker, "message");
  await sleep(ATTACK_MS);
  end.abort();
  const wait = await waiting;
  attacker.kill("SIGKILL");
  return () => recover(attack, server, { before, wait });
}

async function recover(
  { title }: Attack,
  server: Besieged,
  { before, wait }: { before: number; wait: number },
): Promise<string[]> {
  await sleep(RECOVERY_MS);
  const isAlive = server.isAlive();
  const { now, peak } = server.memory();
  server.stop();
  if (!isAlive) verdicts.problems.push(`${title}: the process ended`);
  return [
    title,
    before.toFixed(0),
    verdicts.judge(title, peak, PEAK_MB),
    verdicts.judge(title, now / before, AFTERWARDS, 2),
    verdicts.judge(title, wait, WAIT_MS),
    isAlive ? "yes" : "no",
  ];
}

const directories = { small: await prepareFacts("small"), large: await prepareFacts("large") };
const warm = await startBesieged(directories.small);
await warmUp(warm.port);
const start = warm.memory().now;
warm.stop();
print(`Node ${process.version}, a heap of 256 MB`);
const rows: Promise<string[]>[] = [];
for (const [index, attack] of ATTACKS.entries()) {
  const recovery = await besiege(attack, index, directories[attack.facts], start);
  // Overlaps with the next attack; the attacks themselves do not overlap.
  rows.push(recovery());
}
printTable([
  ["attack", "before, MB", "peak, MB", "10 s after, × before", "longest wait, ms", "lives"],
  ...(await Promise.all(rows)),
]);
for (const problem of verdicts.problems) print(problem);
process.exitCode = verdicts.problems.length > 0 ? 1 : 0;
