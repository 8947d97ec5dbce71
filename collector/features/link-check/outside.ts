// The hosts that the link check asks: those that every reader can reach. A link is text of an upstream, and its server may redirect
// to anywhere, so neither makes the collector ask a service in the networks around it.
import { BlockList, isIP } from "node:net";
import { RefusedAddress } from "../../http/errors.ts";
import { isOwnHost, type HostRule } from "../../http/fetch.ts";

/** Not globally reachable (IANA's special-purpose registry), multicast or reserved. The single address is a service inside Azure. */
const CLOSED_IPV4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3`.split(/\s+/);
/** An IPv4 address behind it is that address to a network that has IPv6 alone (NAT64, RFC 6052). */
const NAT64 = "64:ff9b::";
/** Every other form of an IPv4 address in IPv6 is closed, too: mapped, compatible, local NAT64, Teredo, 6to4. */
const OPEN_IPV6 = ["2000::/3", `${NAT64}/96`];
const CLOSED_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", ...CLOSED_IPV4.map(inNat64)];

function inNat64(network: string): string {
  const [address, prefix] = network.split("/");
  return `${NAT64}${address}/${96 + Number(prefix)}`;
}

// A list for each family: Node compares IPv4 with IPv6 as mapped addresses.
const closedIPv4 = listOf("ipv4", CLOSED_IPV4);
const openIPv6 = listOf("ipv6", OPEN_IPV6);
const closedIPv6 = listOf("ipv6", CLOSED_IPV6);

function listOf(family: "ipv4" | "ipv6", networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const [address = "", prefix] of networks.map((network) => network.split("/"))) {
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** True for the host of a URL that is an address which readers elsewhere cannot reach. */
export function isPrivate(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, "");
  if (isIP(address) === 6) return !openIPv6.check(address, "ipv6") || closedIPv6.check(address, "ipv6");
  return isIP(address) === 4 && closedIPv4.check(address);
}

export const refuseInside: HostRule = (host) =>
  isPrivate(host) || isOwnHost(host)
    ? new RefusedAddress("leads to this computer or a private address, which is not asked")
    : undefined;
