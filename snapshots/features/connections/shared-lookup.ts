// Looks up host names for sockets, each name once at a time. A resolver that does not answer takes one of Node's four threads for
// each look-up, for longer than a call may take: retries would soon have them all, and no file could be read.
import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { underWay } from "../../system-calls.ts";

const lookups = new Map<string, Promise<LookupAddress[]>>();

export const sharedLookup: LookupFunction = async (host, { all }, callback) => {
  let addresses: LookupAddress[];
  try {
    addresses = await addressesOf(host);
  } catch (error) {
    return callback(error instanceof Error ? error : new Error("the look-up failed"), "");
  }
  if (all) callback(null, addresses);
  else callback(null, addresses[0]?.address ?? "", addresses[0]?.family);
};

function addressesOf(host: string): Promise<LookupAddress[]> {
  const known = lookups.get(host);
  if (known) return known;
  const addresses = underWay(lookup(host, { all: true })).finally(() => lookups.delete(host));
  lookups.set(host, addresses);
  return addresses;
}
