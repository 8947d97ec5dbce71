// How many connections a socket accepts at once. Beyond the limit of descriptors Node could open no file: the store would go
// unread, and code that is loaded then would be missing until the next start.
import { readFileSync } from "node:fs";

const MAX_CONNECTIONS = 20_000;
/** For the store, the threads and requests to upstreams. */
const RESERVED_DESCRIPTORS = 256;

/** Leaves free the reserve, or half of the descriptors where there are few. */
export function connectionLimit(): number {
  const descriptors = descriptorLimit();
  const free = Math.max(Math.floor(descriptors / 2), descriptors - RESERVED_DESCRIPTORS);
  return Math.min(MAX_CONNECTIONS, free);
}

/** Infinity where the system does not say, which is everywhere but on Linux. */
function descriptorLimit(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}
