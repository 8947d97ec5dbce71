// A store as a collector of a version to come writes it: every document has fields, entries and values that this version does
// not know, and whatever is sealed is sealed as a whole.
import { createHash } from "node:crypto";
import type { Store } from "../../snapshots/store.ts";

const UNKNOWN = { future: { names: ["Größe", null, 1.5], signature: "s".repeat(100) } };
/** What else a newer version adds to the lists in its records. */
const ITEMS: Readonly<Record<string, readonly object[]>> = {
  outcomes: [
    { name: "release-linux", result: "changed", milliseconds: 1, finishedAt: "2030-01-01T00:00:00.000Z", counts: {} },
    { name: "plans", result: "postponed", milliseconds: 1, finishedAt: "2030-01-01T00:00:00.000Z", counts: {} },
  ],
  sources: [{ names: ["release-linux"], settings: "other" }],
};

/** Everything that is put into it is of a newer version. */
export function newerStore(store: Store): Store {
  return { ...store, put: (key, bytes, options) => store.put(key, asNewer(bytes), options) };
}

/** The same document as a newer version writes it. */
export function asNewer(bytes: Uint8Array): Buffer {
  const { checksum, ...known } = JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>;
  const lists = Object.fromEntries(
    Object.entries(ITEMS).flatMap(([name, more]) => {
      const list = known[name];
      return Array.isArray(list) ? [[name, [...more, ...(list as object[])]]] : [];
    }),
  );
  const held = known.held as { reasons: string[] } | null | undefined;
  const document = {
    ...UNKNOWN,
    ...known,
    ...lists,
    ...(held && { held: { ...held, ...UNKNOWN, reasons: [...held.reasons, "tax"] } }),
    another: UNKNOWN,
  };
  const text = JSON.stringify(document);
  const sealed =
    checksum === undefined ? document : { checksum: createHash("sha256").update(text).digest("hex"), ...document };
  return Buffer.from(JSON.stringify(sealed));
}
