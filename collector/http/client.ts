// The HTTP client, which loads on first use: undici is larger than the rest of the collector, and `file` sources never need it. No
// upstream elsewhere may point the collector at a service of this computer, neither by an address nor by a name. A name is
// checked as it is resolved for the connection, so it cannot change between.
import dns from "node:dns";
import type { LookupFunction } from "node:net";
import { networkInterfaces } from "node:os";
import { isThisComputer } from "../../snapshots/rules.ts";
import { RefusedRedirect } from "./errors.ts";

/** Loads undici. The connections of `elsewhereDispatcher`, for redirects to another host, never lead to this computer. */
export function loadClient() {
  return (loaded ??= load());
}

let loaded: ReturnType<typeof load> | undefined;

async function load() {
  // It is CommonJS: the bundle has its exports only under `default`.
  const { Agent, request } = (await import("undici")).default;
  // Certificates are verified even if NODE_TLS_REJECT_UNAUTHORIZED is 0.
  const connect = { rejectUnauthorized: true, timeout: 10_000 };
  // Disabled, because fetch.ts has one deadline for the whole answer, which may be longer.
  const options = { headersTimeout: 0, bodyTimeout: 0, pipelining: 0 };
  return {
    request,
    dispatcher: new Agent({ ...options, connect }),
    elsewhereDispatcher: new Agent({ ...options, connect: { ...connect, lookup: lookupElsewhere } }),
  };
}

/** True for a host name or address of this computer, as in a URL: loopback, or an address of one of its interfaces. */
export function isOwnHost(hostname: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return isThisComputer(hostname) || own.some(({ address }) => inUrl(address) === hostname);
}

export function redirectedHere(): RefusedRedirect {
  return new RefusedRedirect("redirected to this computer, which is refused");
}

/** Resolves a name as `dns.lookup` does. Fails with RefusedRedirect if one of its addresses is this computer's. */
const lookupElsewhere: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    if (addresses.some(({ address }) => isOwnHost(inUrl(address)))) return callback(redirectedHere(), []);
    const [first] = addresses;
    if (options.all || !first) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

/** The address as the host of a URL, in its normal form. A zone (`%eth0`) is not part of it. */
function inUrl(address: string): string {
  const plain = address.replace(/%.*$/, "");
  return new URL(`https://${plain.includes(":") ? `[${plain}]` : plain}`).hostname;
}
