// `npm run external -- siege`: the memory of a server under attack, its own and the system's, and the wait of another client. Each
// attack meets a server of its own. Values above a target are marked; only values far above it fail the run, because the machine may
// be busy. On Linux.
// `npm run external -- siege endless`: only the attacks with this word in their title.
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { print, printTable } from "../bench/statistics.ts";
import { Verdicts } from "../bench/targets.ts";
import { ATTACKS, type Attack } from "./attacks.ts";
import { longestWait, prepareFacts, startBesieged, warmUp, type Besieged, type Wait } from "./besieged.ts";

/** From the last byte of an attack to its end. */
const ATTACK_MS = 4_000;
const RECOVERY_MS = 10_000;
/** Of connections that wait to be accepted. */
const MIN_QUEUE = 4_096;
const PEAK_MB = { target: 300, limit: 450 };
const WAIT_MS = { target: 1_000, limit: 5_000 };
const WAIT_CPU_MS = { target: 200, limit: 1_000 };
const UNREAD_MB = { target: 120, limit: 240 };
/** Of the memory before the attack. */
const AFTERWARDS = { target: 1.2, limit: 2.5 };

const verdicts = new Verdicts();
const [, , only = ""] = process.argv;

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
  const waiting = longestWait(server, end.signal);
  await once(attacker, "message");
  await sleep(ATTACK_MS);
  const unread = server.unread();
  end.abort();
  const wait = await waiting;
  attacker.kill("SIGKILL");
  return () => recover(attack, server, { before, wait, unread });
}

async function recover(
  { title, writes }: Attack,
  server: Besieged,
  { before, wait, unread }: { before: number; wait: Wait; unread: number },
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
    // A server cannot see that the system keeps answers to requests that come one by one.
    writes.length > 1 ? unread.toFixed(0) : verdicts.judge(`${title}, unread MB`, unread, UNREAD_MB),
    verdicts.judge(title, wait.wall, WAIT_MS),
    verdicts.judge(`${title}, CPU time`, wait.cpu, WAIT_CPU_MS),
    isAlive ? "yes" : "no",
  ];
}

const directories = { small: await prepareFacts("small"), large: await prepareFacts("large") };
const warm = await startBesieged(directories.small);
await warmUp(warm.port);
const start = warm.memory().now;
warm.stop();
print(`Node ${process.version}, a heap of 256 MB`);

/** Why this system cannot take so many connections; undefined if it can. */
function obstacleTo(connections: number): string | undefined {
  const descriptors = Number(
    /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? Infinity,
  );
  if (descriptors < 2 * connections) return `${descriptors} descriptors, and ${2 * connections} are needed`;
  const queue = Number(readFileSync("/proc/sys/net/core/somaxconn", "utf8"));
  return queue < MIN_QUEUE ? `net.core.somaxconn is ${queue}, and ${MIN_QUEUE} is needed` : undefined;
}

const rows: Promise<string[]>[] = [];
for (const [index, attack] of ATTACKS.entries()) {
  if (!attack.title.includes(only)) continue;
  const obstacle = attack.isSudden ? obstacleTo(attack.connections) : undefined;
  if (obstacle) {
    print(`skipped: ${attack.title}: ${obstacle}`);
    continue;
  }
  const recovery = await besiege(attack, index, directories[attack.facts], start);
  // Overlaps with the next attack; the attacks themselves do not overlap.
  rows.push(recovery());
}
printTable([
  ["attack", "before, MB", "peak, MB", "10 s after, × before", "unread, MB", "longest wait, ms", "CPU, ms", "lives"],
  ...(await Promise.all(rows)),
]);
for (const problem of verdicts.problems) print(problem);
process.exitCode = verdicts.problems.length > 0 ? 1 : 0;
