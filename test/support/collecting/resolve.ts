// Answers of the name server, for names that must lead somewhere else than the real ones.
import dns from "node:dns";
import { isIP } from "node:net";
import { onTestFinished, vi } from "vitest";

/** Each look-up of a name, until the end of the test, gets the next of these lists of addresses; the last list serves all others. */
export function resolveTo(...lists: [string[], ...string[][]]) {
  const { lookup } = dns;
  const names: string[] = [];
  const answer = (name: string, options: dns.LookupAllOptions, done: (error: null, found: object[]) => void) => {
    // A server that listens on an address looks it up, too.
    if (isIP(name)) return Reflect.apply(lookup, dns, [name, options, done]);
    const addresses = lists[Math.min(names.push(name), lists.length) - 1]!;
    done(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );
  };
  const spy = vi.spyOn(dns, "lookup").mockImplementation(answer as unknown as typeof dns.lookup);
  onTestFinished(() => spy.mockRestore());
  return { names };
}
