// Lists the keys of an S3 store, page by page.
import { StoreError } from "../../store.ts";
import { isKey } from "../values.ts";
import type { Send } from "./client.ts";
import { incompleteAnswer, serviceError } from "./faults.ts";

/** Of up to 1,000 keys each. */
const MAX_PAGES = 20;

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The keys in a folder, without `prefix`. @throws StoreError */
export async function listKeys(send: Send, prefix: string, folder: string): Promise<string[]> {
  const keys: string[] = [];
  let next: Record<string, string> = {};
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const answer = await send({ method: "GET", query: { "list-type": "2", prefix: `${prefix}${folder}/`, ...next } });
    if (answer.status !== 200) throw serviceError(answer);
    const xml = answer.body?.toString().trimEnd() ?? "";
    if (!xml.endsWith("</ListBucketResult>")) throw incompleteAnswer("list of keys");
    keys.push(...textsOf(xml, "Key"));
    if (textsOf(xml, "IsTruncated")[0] !== "true") {
      return keys.map((key) => key.slice(prefix.length)).filter(isKey);
    }
    const [token] = textsOf(xml, "NextContinuationToken");
    if (token === undefined) throw incompleteAnswer("token of the next page");
    next = { "continuation-token": token };
  }
  throw new StoreError(`S3 has over ${MAX_PAGES} pages of keys in ${folder}/: remove those of other programs`);
}

/** Of the elements of a name that have only text. Services write neither comments nor CDATA. */
function textsOf(xml: string, name: string): string[] {
  const elements = [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))];
  return elements.map(([, text = ""]) =>
    text.replace(/&(?:#x([0-9a-f]{1,5})|#(\d{1,6})|([a-z]+));/gi, (entity, hex, decimal, named: string) =>
      hex || decimal ? String.fromCodePoint(hex ? parseInt(hex, 16) : Number(decimal)) : (ENTITIES[named] ?? entity),
    ),
  );
}
