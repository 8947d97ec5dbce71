// Addresses that lead to this computer, for redirects from elsewhere: no upstream may point the collector at a service here,
// neither by an address nor by a name. The name is checked as it is resolved for the connection, so it cannot change between.
import dns from "node:dns";
import type { LookupFunction } from "node:net";
import { networkInterfaces } from "node:os";
import { isThisComputer } from "../../snapshots/rules.ts";
import { RefusedRedirect } from "./errors.ts";

/** True for a host name or address of this computer, as in a URL: loopback, or an address of one of its interfaces. */
export function isOwnHost(hostname: string): boolean {
  return isThisComputer(hostname) || ownHosts().includes(hostname);
}

export function redirectedHere(): RefusedRedirect {
  return new RefusedRedirect("redirected to this computer, which is refused");
}

/** Resolves a name as `dns.lookup` does. Fails with RefusedRedirect if one of its addresses is this computer's. */
export const lookupElsewhere: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    if (addresses.some(({ address }) => isOwnHost(inUrl(address)))) return callback(redirectedHere(), []);
    const [first] = addresses;
    if (options.all || !first) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

function ownHosts(): string[] {
  return Object.values(networkInterfaces()).flatMap((own = []) => own.map(({ address }) => inUrl(address)));
}

/** The address as the host of a URL, in its normal form. A zone (`%eth0`) is not part of it. */
function inUrl(address: string): string {
  const plain = address.replace(/%.*$/, "");
  return new URL(`https://${plain.includes(":") ? `[${plain}]` : plain}`).hostname;
}
