// The load generator. For each slice it keeps one request in flight on each connection, and returns the number of answers and their
// times.
import { openConnection, type Connection } from "./connection.ts";
import { quantile } from "./statistics.ts";

export interface Slice {
  port: number;
  request: string;
  /** The status that every answer must have. */
  status: number;
  connections: number;
  milliseconds: number;
}

/** Times in milliseconds. */
export interface SliceResult {
  requests: number;
  duration: number;
  p50: number;
  p99: number;
}

/** Kept between slices, by port, so that the cost of opening them is not measured. */
const kept = new Map<number, { connections: readonly Connection[]; usedAt: number }>();
/** No server closes an idle connection earlier. */
const MAX_KEPT_MS = 3_000;

async function connectionsTo({ port, connections: count }: Slice): Promise<readonly Connection[]> {
  const { connections: known = [], usedAt = 0 } = kept.get(port) ?? {};
  if (known.length === count && performance.now() - usedAt < MAX_KEPT_MS) return known;
  for (const connection of known) connection.close();
  return Promise.all(Array.from({ length: count }, () => openConnection(port)));
}

/** @throws Error if an answer has another status. */
export async function measure(slice: Slice): Promise<SliceResult> {
  const connections = await connectionsTo(slice);
  const start = performance.now();
  const times = await Promise.all(connections.map((connection) => keepAsking(connection, slice, start)));
  const duration = performance.now() - start;
  kept.set(slice.port, { connections, usedAt: performance.now() });
  const sorted = times.flat().toSorted((a, b) => a - b);
  return { requests: sorted.length, duration, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

/** Returns the time of each request, in ms. */
async function keepAsking(connection: Connection, { request, status, milliseconds }: Slice, start: number) {
  const times: number[] = [];
  let asked = start;
  await connection.keepAsking(request, (answered) => {
    if (answered !== status) throw new Error(`an answer had status ${answered} instead of ${status}`);
    const now = performance.now();
    times.push(now - asked);
    asked = now;
    return now - start < milliseconds;
  });
  return times;
}
