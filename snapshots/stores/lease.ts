// The claim of every store as a lease: whoever holds it refreshes it, and one that is no longer refreshed is dead. A store says how
// it takes, refreshes and releases one.
import { randomUUID } from "node:crypto";
import type { Claim, Store } from "../store.ts";

const REFRESH_MS = 5_000;
/** A claim without a refresh for this long is dead. */
export const LEASE_MS = 30_000;

/** `T`: what names one lease of a store. */
interface LeaseSteps<T> {
  /** Undefined if another collector has it. `holder`: a new id for each lease, because a late release of an earlier one must not
   * end it. `self`: the beginning of all ids of this store; one that it does not know of is one whose reply or release was lost. */
  take(holder: string, self: string): Promise<T | undefined>;
  /** Has no effect on a lease that has ended, or that another one has taken over. */
  refresh(lease: T): Promise<unknown>;
  release(lease: T): Promise<unknown>;
}

export function claimBy<T>({ take, refresh, release }: LeaseSteps<T>): Store["claim"] {
  const self = randomUUID();
  let isClaimed = false;
  const hold = (lease: T): Claim => {
    let refreshed: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => (refreshed = refresh(lease).catch(() => {})), REFRESH_MS).unref();
    return {
      async release() {
        clearInterval(timer);
        await refreshed;
        // If the store does not answer, the lease runs out.
        await release(lease).catch(() => {});
        isClaimed = false;
      },
    };
  };
  return async () => {
    if (isClaimed) return undefined;
    isClaimed = true;
    let lease: T | undefined;
    try {
      lease = await take(`${self}:${randomUUID()}`, self);
    } finally {
      isClaimed = lease !== undefined;
    }
    return lease === undefined ? undefined : hold(lease);
  };
}
