// Ensures one collector at a time in a directory, by numbered claim files. The highest number is the claim in force. It
// is never removed, only marked as released, so only one process can create the next number: two can never both take
// over from a dead one. A claim that its holder no longer refreshes is dead, and so is anything but a small regular file. A
// number that no collector can have reached is no claim: its successor might not be one either, and all runs would be skipped.
import { randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { attempt } from "../../rules.ts";
import { errorCode, insteadOf } from "../../system-calls.ts";
import { parseDocument, StoreError } from "../../store.ts";
import { LEASE_MS } from "../lease.ts";
import { OPEN_SAFELY, type FileSystem, makeDirectory } from "./file-system.ts";

/** A run each second reaches it after 30,000 years. */
const MAX_NUMBER = 1e12 - 1;
const MAX_CLAIM_BYTES = 4096;

const CLAIM_FILE = /^\.claim\.(\d+)$/;
const TEMPORARY = /^\..+\.tmp$/;
const Holder = z.object({ host: z.string(), pid: z.int(), start: z.string() });
type Holder = z.infer<typeof Holder>;

/** Like `pid:[4026531836]`; there is none where the system has no namespaces or no /proc. */
const NAMESPACE = attempt(() => readlinkSync("/proc/self/ns/pid")) ?? [];
/** Where the number of a process has its meaning: the host, or a container, which may have the host's name. */
export const HOST = [hostname()].concat(NAMESPACE).join(" ");

/** Distinguishes this process from an earlier one with the same number (in a container, often 1). */
const START = randomUUID();

/** Claims the directory and removes the leftovers of dead collectors. Returns the path of the claim; undefined if a living
 * collector holds it. @throws the system's error when the directory cannot be written. */
export async function claimDirectory(fs: FileSystem, directory: string): Promise<string | undefined> {
  await makeDirectory(fs, directory);
  const highest = await highestClaim(fs, directory);
  if (highest > 0 && (await isAlive(fs, claimPath(directory, highest)))) return undefined;
  if (highest === MAX_NUMBER) throw new StoreError(`.claim.${highest} leaves no number for a new claim: remove it`);
  const mine = highest + 1;
  const path = claimPath(directory, mine);
  if (!(await create(fs, directory, path))) return undefined;
  try {
    // A claim made from an outdated listing of the directory is lower than the one in force.
    if ((await highestClaim(fs, directory)) !== mine) {
      await fs.unlink(path).catch(() => {});
      return undefined;
    }
    await sweep(fs, directory, mine);
  } catch (error) {
    await expire(fs, path).catch(() => {});
    throw error;
  }
  return path;
}

/** True if this process created the claim file, false if another was first. */
async function create(fs: FileSystem, directory: string, path: string): Promise<boolean> {
  const temporary = join(directory, `.claim.${randomUUID()}.tmp`);
  const holder: Holder = { host: HOST, pid: process.pid, start: START };
  const file = await fs.open(temporary, "wx", 0o644);
  try {
    await file.writeFile(JSON.stringify(holder)).finally(() => file.close());
    // Unlike an exclusive open, a link appears together with its content.
    const link = fs.link(temporary, path).then(() => true);
    // Another process may have made the claim, and removed our temporary file.
    return await link.catch(insteadOf(["EEXIST", "ENOENT"], false));
  } finally {
    await fs.unlink(temporary).catch(() => {});
  }
}

/** Marks a claim as dead by setting its time to 1970, which needs no space on a full disk. @throws the system's error */
export async function expire(fs: FileSystem, path: string): Promise<void> {
  await fs.utimes(path, 0, 0);
}

/** Removes older claims and every temporary file. While this claim is held, their writers are dead or have lost. */
async function sweep(fs: FileSystem, directory: string, mine: number): Promise<void> {
  const isLeftOver = (name: string) => {
    const claim = CLAIM_FILE.exec(name)?.[1];
    const isOutdated = claim !== undefined && (Number(claim) < mine || Number(claim) > MAX_NUMBER);
    return isOutdated || TEMPORARY.test(name);
  };
  const leftOver = (await fs.readdir(directory)).filter(isLeftOver);
  await Promise.all(leftOver.map((name) => fs.unlink(join(directory, name)).catch(() => {})));
}

async function highestClaim(fs: FileSystem, directory: string): Promise<number> {
  const numbers = (await fs.readdir(directory)).map((name) => Number(CLAIM_FILE.exec(name)?.[1] ?? 0));
  return numbers.reduce((highest, number) => (number <= MAX_NUMBER ? Math.max(highest, number) : highest), 0);
}

async function isAlive(fs: FileSystem, path: string): Promise<boolean> {
  const holder = await readHolder(fs, path);
  if (!holder) return false;
  if (holder.host !== HOST) return true;
  return holder.pid === process.pid ? holder.start === START : isRunning(holder.pid);
}

async function readHolder(fs: FileSystem, path: string): Promise<Holder | undefined> {
  // ENOENT: removed by the holder of a higher claim, so creating the next number will fail. Others: no regular file.
  const file = await fs.open(path, OPEN_SAFELY).catch(insteadOf(["ENOENT", "ELOOP", "ENXIO"], undefined));
  if (!file) return undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > MAX_CLAIM_BYTES) return undefined;
    // In both directions: after a clock is set back, a dead claim may lie in the future.
    if (Math.abs(Date.now() - stats.mtimeMs) > LEASE_MS) return undefined;
    // After a power cut it may be incomplete.
    return parseDocument(await file.readFile(), Holder);
  } finally {
    await file.close();
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

function claimPath(directory: string, number: number): string {
  return join(directory, `.claim.${number}`);
}
