// The resident memory of a process, on Linux.
import { readFileSync } from "node:fs";

/** In MB: now, and at its highest. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1_000;
  return { now: field("VmRSS"), peak: field("VmHWM") };
}
