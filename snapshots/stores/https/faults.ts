// The faults of a server that is followed, in one line each: what is wrong, its status or the error's code, what to do. Its own
// words are never repeated: a proxy or a login page may answer in its place.
import { Unreachable } from "../../store.ts";

const ADDRESS = "correct the location";

/** The first pattern that fits the code has the problem and the remedy. */
const FAULTS: readonly (readonly [code: RegExp, problem: string, remedy: string])[] = [
  [/^HTTP 30[12378]/, "redirects", "write the address that it leads to as the location"],
  [/^HTTP 40[137]/, "refuses access", "give its user name and password in SNAPSHOTS"],
  [/^HTTP 4(04|10)/, "offers no snapshots here", 'set "share": true there, and end the location in /snapshots/'],
  [/^HTTP 429/, "gets too many requests", "raise its limit"],
  [/^HTTP 50[0234]/, "is away, or this snapshot is stale or missing there", "see its status"],
  [/^HTTP /, "gives an answer that is no snapshot", ADDRESS],
  [/^text\/html/, "answers with a web page", `let this server pass its login, or ${ADDRESS}`],
  [/^Content-Encoding/, "compresses its answers", "let it send the snapshots as they are"],
  [/^(ENOTFOUND|EAI_)/, "has a name that cannot be looked up", ADDRESS],
  [/_ALERT_/, "asks for a certificate of the client", "let this server in without one"],
  [/CERT|UNABLE_TO_VERIFY/, "has no certificate that holds for its name", "name its authority in NODE_EXTRA_CA_CERTS"],
  [/^(ERR_SSL_|EPROTO|HPE_)/, "does not speak this protocol", ADDRESS],
  [/^/, "does not answer", "start it, or see to the network on the way"],
];

/** Nothing is known about a snapshot. `code`: of a system's error, `HTTP 404`, a media type, or a header. */
export function fault(code: string): Unreachable {
  const [, problem, remedy] = FAULTS.find(([pattern]) => pattern.test(code)) ?? [];
  return new Unreachable(`the followed server ${problem} (${code}): ${remedy}`);
}
