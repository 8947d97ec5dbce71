// A recorded answer with a client's id, in the encoding that the client likes best. Each recording is compressed once, when
// the first client accepts it; until then it is served plain.
import { byteText } from "../../answers/answer.ts";
import type { EncodedText, Encoding } from "../../answers/compress.ts";
import { compressBeginning, withEnd, type Beginning } from "../../answers/open-ended.ts";
import type { Id } from "../json-rpc.ts";
import type { Recording } from "./template.ts";

/** Undefined before the beginning is compressed, and if it stays plain. */
const beginnings = new WeakMap<Recording, Beginning | undefined>();

/** `encodings`: those that the client accepts, best first. */
export function withId(recording: Recording, id: Id, encodings: readonly Encoding[]): EncodedText {
  const [before, after] = recording;
  const idText = byteText(JSON.stringify(id));
  const beginning = encodings[0] === "identity" ? undefined : beginningOf(recording);
  const compressed = beginning && withEnd(beginning, idText + bytesOf(after).toString("latin1"), encodings);
  if (compressed) return compressed;
  const text = typeof before === "string" ? `${before}${idText}${after as string}` : [...before, idText, ...after];
  return { text, encoding: "identity" };
}

function beginningOf(recording: Recording): Beginning | undefined {
  if (!beginnings.has(recording)) {
    beginnings.set(recording, undefined);
    compressBeginning(bytesOf(recording[0])).then(
      (beginning) => void beginnings.set(recording, beginning),
      () => {},
    );
  }
  return beginnings.get(recording);
}

function bytesOf(part: Recording[number]): Buffer {
  return typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.concat(part);
}
