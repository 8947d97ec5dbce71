// What errors of a followed server mean.
import { ADD_AUTHORITY, BAD_CERTIFICATE, faultError, UNKNOWN_NAME, type Fault } from "../../stores/faults.ts";

const LOCATION = "correct the location";

/** A code is that of the system, `HTTP 404`, a media type, or a header. */
const FAULTS: readonly Fault[] = [
  { code: /^HTTP 30[12378]/, says: "redirects", do: "write the address that it leads to as the location" },
  { code: /^HTTP 40[137]/, says: "refuses access", do: "give its user name and password in SNAPSHOTS" },
  {
    code: /^HTTP 4(04|10)/,
    says: "offers no snapshots here",
    do: 'set "share": true there, and end the location in /snapshots/',
  },
  { code: /^HTTP 429/, says: "gets too many requests", do: "raise its limit" },
  { code: /^HTTP 50[0234]/, says: "is away, or this snapshot is stale or missing there", do: "see its status" },
  { code: /^HTTP /, says: "gives an answer that is no snapshot", do: LOCATION },
  { code: /^text\/html/, says: "answers with a web page", do: `let this server pass its login, or ${LOCATION}` },
  { code: /^Content-Encoding/, says: "compresses its answers", do: "let it send the snapshots as they are" },
  { code: UNKNOWN_NAME, says: "has a name that cannot be looked up", do: LOCATION },
  { code: /_ALERT_/, says: "asks for a certificate of the client", do: "let this server in without one" },
  { code: BAD_CERTIFICATE, says: "has no certificate that holds for its name", do: ADD_AUTHORITY },
  { code: /^(ERR_SSL_|EPROTO|HPE_)/, says: "does not speak this protocol", do: LOCATION },
];

/** A followed server that does not offer a snapshot. */
export const followedError = faultError("the followed server", FAULTS, {
  says: "does not answer",
  do: "start it, or see to the network on the way",
});
