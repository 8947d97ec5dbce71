// Reads the snapshots that another server offers with `share`, or that any web server offers as files. Caches on the way may
// answer, too: each snapshot names its own end and covers it with a checksum, so an old or false copy is noticed.
import { createHash } from "node:crypto";
import { errorCode } from "../../error-code.ts";
import { StoreError } from "../../store.ts";
import type { Connections, HttpAnswer } from "../connections.ts";
import type { LoadedReader } from "../loaded-on-use.ts";
import { MAX_VALUE_BYTES } from "../values.ts";
import { fault } from "./faults.ts";
import type { Followed } from "./location.ts";

const CALL_MS = 5_000;
const ETAG = /^(W\/)?"[\x21\x23-\x7e]{0,256}"$/;

/** `keys`: all that the server offers; others have no value, and are not listed. `connections`: to its host, which bound a
 * body to MAX_VALUE_BYTES. Every call ends within 5 s. */
export function openHttpsReader(
  { folder, authorization }: Followed,
  keys: readonly string[],
  connections: Pick<Connections, "send" | "close">,
): LoadedReader {
  let isClosed = false;

  async function ask(key: string, ifNot: string | undefined): Promise<HttpAnswer> {
    const signal = AbortSignal.timeout(CALL_MS);
    const headers = {
      "user-agent": "vitrine",
      accept: "application/json",
      "accept-encoding": "identity",
      ...(authorization !== undefined && { authorization }),
      ...(ifNot !== undefined && { "if-none-match": ifNot }),
    };
    const send = () => connections.send({ method: "GET", path: folder.pathname + key, headers }, signal);
    try {
      return await send().catch((error: unknown) => {
        if (signal.aborted || isClosed) throw error;
        // The server may have ended the kept connection at this moment.
        return send();
      });
    } catch (error) {
      throw fault(signal.aborted ? "ETIMEDOUT" : (errorCode(error) ?? "unknown error"));
    }
  }

  return {
    async get(key, ifNot) {
      if (!keys.includes(key)) return undefined;
      const { status, headers, body } = await ask(key, ifNot);
      if (status === 304 && ifNot !== undefined) return "unchanged";
      if (status !== 200) throw fault(`HTTP ${status}`);
      if (/^text\/html/i.test(headers["content-type"] ?? "")) throw fault("text/html");
      const { "content-encoding": encoding = "identity" } = headers;
      if (encoding !== "identity") throw fault("Content-Encoding");
      if (!body) throw new StoreError(`over ${MAX_VALUE_BYTES} bytes`);
      const version = ETAG.exec(headers.etag ?? "")?.[0] ?? `"${createHash("sha256").update(body).digest("hex")}"`;
      return version === ifNot ? "unchanged" : { bytes: body, version };
    },
    // Not an empty list, which would say that nothing has ever changed.
    list: () => Promise.reject(new StoreError("the followed server offers no history here: see its feeds")),
    watch: () => () => {},
    async close() {
      isClosed = true;
      connections.close();
    },
  };
}
