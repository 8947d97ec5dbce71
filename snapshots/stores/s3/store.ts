// The store in a bucket of S3 or of a compatible service: each key is an object. Conditional writes make `put` exact.
import type { LoadedStore } from "../loaded-on-use.ts";
import { checkedKey } from "../values.ts";
import { claimPrefix, probeConditions } from "./claim.ts";
import { S3Client } from "./client.ts";
import { listKeys } from "./list.ts";
import type { S3Place } from "./place.ts";
import { getObject, putObject, removeObject } from "./objects.ts";

/** Every call ends within 5 s. */
export function openS3Store(place: S3Place): LoadedStore {
  const client = new S3Client(place);
  let isProbed = false;
  return {
    get: (key, ifNot) =>
      client.call(async (send) => {
        const stored = await getObject(send, checkedKey(key), ifNot);
        return typeof stored === "object" ? { bytes: stored.bytes, version: stored.version } : stored;
      }),
    put: (key, bytes, { ifVersion } = {}) =>
      client.call((send) => putObject(send, checkedKey(key), { bytes, ifVersion })),
    list: (folder) => client.call((send) => listKeys(send, client.prefix, folder)),
    remove: (key) => client.call((send) => removeObject(send, checkedKey(key))),
    claim: () =>
      claimPrefix(client, async (send) => {
        if (!isProbed) await probeConditions(send);
        isProbed = true;
      }),
    watch: () => () => {},
    close: async () => client.close(),
  };
}
