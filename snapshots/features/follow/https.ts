// Reads the snapshots that another server offers with `share`, or that any web server offers as files. Caches on the way may
// answer, too: each snapshot names its own end and covers it with a checksum, so an old or false copy is noticed.
import { currentKey } from "../../facts.ts";
import { sha256, SNAPSHOT_NAMES } from "../../snapshot.ts";
import { aheadOf, MAX_VALUE_BYTES, StoreError, type LoadedReader } from "../../store.ts";
import { ADD_AUTHORITY, BAD_CERTIFICATE, faultError, UNKNOWN_NAME, type Fault } from "../connections/faults.ts";
import type { Connections, HttpAnswer } from "../connections/connections.ts";
import type { FollowedPlace } from "./location.ts";

const CALL_MS = 5_000;
const ETAG = /^(W\/)?"[\x21\x23-\x7e]{0,256}"$/;

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
const followedError = faultError("the followed server", FAULTS, {
  says: "does not answer",
  do: "start it, or see to the network on the way",
});

/** A server offers no others. */
const KEYS: ReadonlySet<string> = new Set(SNAPSHOT_NAMES.map(currentKey));

/** `connections`: to its host. Every call ends within 5 s. */
export function openHttpsReader({ folder, authorization }: FollowedPlace, connections: Connections): LoadedReader {
  let isClosed = false;
  let ahead: number | undefined;
  /** Keys that were answered. A program that starts knows nothing newer, so it asks past the caches on the way. */
  const answered = new Set<string>();

  async function ask(key: string, ifNot: string | undefined): Promise<HttpAnswer> {
    const signal = AbortSignal.timeout(CALL_MS);
    const headers = {
      "user-agent": "vitrine",
      accept: "application/json",
      "accept-encoding": "identity",
      ...(authorization !== undefined && { authorization }),
      ...(ifNot !== undefined && { "if-none-match": ifNot }),
      ...(!answered.has(key) && { "cache-control": "no-cache" }),
    };
    const send = () => connections.send({ method: "GET", path: folder.pathname + key, headers }, signal);
    try {
      return await send().catch((error: unknown) => {
        if (signal.aborted || isClosed) throw error;
        // The server may have ended the kept connection at this moment.
        return send();
      });
    } catch (error) {
      throw followedError(signal.aborted ? "ETIMEDOUT" : error);
    }
  }

  return {
    async get(key, ifNot) {
      if (!KEYS.has(key)) return undefined;
      const { status, headers, body } = await ask(key, ifNot);
      // An answer from a cache is dated by its origin, when it was made.
      if (headers.age === undefined) ahead = aheadOf(headers.date);
      if (status === 304 && ifNot !== undefined) return "unchanged";
      if (status !== 200) throw followedError(`HTTP ${status}`);
      answered.add(key);
      if (/^text\/html/i.test(headers["content-type"] ?? "")) throw followedError("text/html");
      const { "content-encoding": encoding = "identity" } = headers;
      if (encoding !== "identity") throw followedError("Content-Encoding");
      if (!body) throw new StoreError(`over ${MAX_VALUE_BYTES} bytes`);
      const version = ETAG.exec(headers.etag ?? "")?.[0] ?? `"${sha256(body)}"`;
      return version === ifNot ? "unchanged" : { bytes: body, version };
    },
    canList: false,
    // An empty list would say that nothing has ever changed.
    list: () => Promise.reject(new StoreError("the followed server offers no history here: see its feeds")),
    ahead: () => Promise.resolve(ahead),
    watch: () => () => {},
    async close() {
      isClosed = true;
      connections.close();
    },
  };
}
