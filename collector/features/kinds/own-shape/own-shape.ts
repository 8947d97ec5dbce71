// Sources `file` and `json`: a JSON document in Vitrine's own shape, as a vendor's file or service writes it: the public payload,
// possibly inside more JSON. A document of another shape is read by `fields`.
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import { errorCode, underWay } from "../../../../snapshots/system-calls.ts";
import { UpstreamError } from "../../../http/errors.ts";
import { decodeText, MAX_BYTES, MAX_SIZE } from "../../../http/fetch.ts";
import { documentUrl, requestHeaders, requestTimeout, secretHeaders } from "../../../http/request.ts";
import { documentHints, explain } from "../explain.ts";
import { foundNear, valueAt } from "./pointer.ts";
import { parseJsonc } from "../../../parsing/jsonc.ts";
import { ownSchedule } from "../../../setting-values.ts";
import { fetchDocument, sourceKind } from "../../../source.ts";
import { fields, mappedCandidate, requireMatchingFields } from "./fields.ts";
import { OR_A_PROGRAM } from "./mapped-plans.ts";
import { ownCandidate, parseDocument } from "./own-candidate.ts";

export const file = sourceKind({
  settings: z
    .strictObject({
      from: z.literal("file"),
      path: z.string().min(1).describe("Path of a JSON file, with comments or not, relative to the settings file"),
      fields,
      schedule: ownSchedule,
    })
    .describe("A JSON file, in Vitrine's own shape or any other"),
  open(settings, { names, directory }) {
    requireMatchingFields(names, settings.fields);
    return {
      kind: "file",
      names,
      async fetch({ signal }) {
        const body = await underWay(readFileBytes(resolve(directory, settings.path), signal));
        if (/^(?:fffe|feff)/.test(Buffer.from(body.subarray(0, 2)).toString("hex")))
          throw new UpstreamError("the file is in UTF-16: save it as UTF-8");
        const { text } = decodeText(body, "a file");
        const read = parseJsonc(text);
        if ("problems" in read) throw new UpstreamError(otherFormat(text) ?? read.problems.join("; "));
        return { upstream: read.value };
      },
      translate: (document, name) =>
        settings.fields
          ? mappedCandidate(document, name, settings.fields)
          : ownCandidate(document, name, { names, isTyped: true }),
    };
  },
});

export const json = sourceKind({
  settings: z
    .strictObject({
      from: z.literal("json"),
      url: documentUrl.describe("URL of the JSON document: https, or http on this computer"),
      headers: requestHeaders.optional(),
      pick: z
        .string()
        .regex(/^(\/.*)?$/, "must start with /, such as /data/plans")
        .optional()
        .describe("JSON Pointer (RFC 6901) to the part of the document to read; by default all of it"),
      fields,
      timeout: requestTimeout,
      schedule: ownSchedule,
    })
    .describe("A JSON document by URL, in Vitrine's own shape or any other"),
  open({ url, headers: given = {}, pick = "", fields, timeout: deadline }, { names, environment, standIns }) {
    requireMatchingFields(names, fields);
    const headers = { accept: "application/json", ...secretHeaders(given, environment) };
    return {
      kind: "json",
      names,
      fetch: ({ signal, validators: known }) => {
        // Each run names the plans that it leaves out, so each one reads the document.
        const validators = fields && "withoutPrice" in fields ? undefined : known;
        const answer = fetchDocument(parseDocument, url, { signal, validators, headers, standIns, deadline });
        const whole = fields && "plans" in fields ? answer.then(requireLast) : answer;
        return whole.catch((error: unknown) => explain(error, documentHints(given)));
      },
      translate(document, name) {
        const part = valueAt(document, pick);
        if (part !== undefined)
          return fields ? mappedCandidate(part, name, fields, url) : ownCandidate(part, name, { names });
        throw new UpstreamError(
          `the answer has nothing at the JSON Pointer of "pick" (${pick})${foundNear(document, pick)}`,
        );
      },
    };
  },
});

/** @throws UpstreamError for a part of a list */
function requireLast<T extends "unchanged" | { hasNext: boolean }>(answer: T): T {
  if (answer === "unchanged" || !answer.hasNext) return answer;
  throw new UpstreamError(
    `more plans follow at another address (by its header "Link"): ask for all at once, ${OR_A_PROGRAM}`,
  );
}

/** Of a file that is no JSON, what it is instead. */
function otherFormat(text: string): string | undefined {
  if (text.trim() === "") return "the file is empty";
  if (/^\s*</.test(text)) return "the file is HTML or XML: write JSON, or save what the page shows as JSON";
  return /^\s*(?:#.*\n\s*|---\s+)*[\w-]+:(?:\s|$)/.test(text) ? "the file is YAML: write it as JSON" : undefined;
}

async function readFileBytes(path: string, signal: AbortSignal): Promise<Uint8Array> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new UpstreamError("the file is not a regular file");
    if (stats.size > MAX_BYTES) throw new UpstreamError(`the file has more than ${MAX_SIZE}`);
    return await readFile(path, { signal });
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    const code = errorCode(error) ?? "unknown error";
    const missing = `the file does not exist${remedyForPath(path)}`;
    const problem = code === "ENOENT" ? missing : `the file cannot be read (${code})`;
    throw new UpstreamError(problem, { cause: error });
  }
}

/** `path`: absolute, made of one that was none. */
function remedyForPath(path: string): string {
  if (/\/https?:\//i.test(path)) return ': for a URL, write "from": "json"';
  return /\/file:\//i.test(path) ? ": write the path without file://" : ` (${path})`;
}
