// Sources `file` and `json`: a JSON document in Vitrine's own shape, as a vendor's file, service or program writes it:
// the public payload, possibly inside more JSON. Unlisted fields are dropped and counted, because refusing them would
// turn a harmless addition into an outage. A document of another shape is read by `fields`.
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import { publicUrl } from "../../../../snapshots/rules.ts";
import type { Platform } from "../../../../snapshots/schema.ts";
import { FACTS, type SnapshotName } from "../../../../snapshots/snapshot.ts";
import { errorCode, underWay } from "../../../../snapshots/system-calls.ts";
import { UpstreamError } from "../../../http/errors.ts";
import { decodeText, MAX_BYTES, MAX_SIZE, type TypedText } from "../../../http/fetch.ts";
import { requestHeaders, requestTimeout, secretHeaders, upstreamUrl } from "../../../http/request.ts";
import { parseJson, valueAt } from "../json.ts";
import { parseJsonc, problemsOf } from "../../../parsing/jsonc.ts";
import { changelogText, linkText, listOf, sizeText } from "../shape.ts";
import { fieldPath, displayName } from "../../../parsing/issues.ts";
import { noRelease } from "../releases/release.ts";
import { ownSchedule } from "../../../setting-values.ts";
import { fetchDocument, platformOf, sourceKind, type Candidate } from "../../../source.ts";
import { fields, mappedCandidate, requireMatchingFields, type FieldSettings } from "./fields.ts";

/** Reads a document for `ownCandidate`, which finds each snapshot in it. @throws UpstreamError if it is not JSON. */
export function parseDocument(text: TypedText): unknown {
  const document = parseJson(text);
  const [ambiguous] = problemsOf(text.text);
  if (ambiguous !== undefined) throw new UpstreamError(ambiguous);
  return document;
}

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
        const read = parseJsonc(decodeText(body, "a file").text);
        if ("problems" in read) throw new UpstreamError(read.problems.join("; "));
        return { upstream: read.value };
      },
      translate: (document, name) => ownCandidate(document, name, { names, fields: settings.fields, isTyped: true }),
    };
  },
});

export const json = sourceKind({
  settings: z
    .strictObject({
      from: z.literal("json"),
      url: upstreamUrl.describe("URL of the JSON document: https, or http on this computer"),
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
        // What is left out is said in each run, so each one reads the document.
        const validators = fields && "withoutPrice" in fields ? undefined : known;
        return fetchDocument(parseDocument, url, { signal, validators, headers, standIns, deadline });
      },
      translate(document, name) {
        const part = valueAt(document, pick);
        if (part !== undefined) return ownCandidate(part, name, { names, fields, url });
        throw new UpstreamError(`the answer has nothing at the JSON Pointer of "pick" (${pick})`);
      },
    };
  },
});

interface OwnShape {
  names: readonly SnapshotName[];
  fields?: FieldSettings | undefined;
  url?: string;
  /** True if a person has typed it: `null` says that nothing is published, which from elsewhere may be an accident. */
  isTyped?: boolean;
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
    const problem = code === "ENOENT" ? "the file does not exist" : `the file cannot be read (${code})`;
    throw new UpstreamError(problem, { cause: error });
  }
}

/** Reads a release from `{ macos, windows }`; from a source for one platform, also alone. @throws UpstreamError */
export function ownCandidate(upstream: unknown, name: SnapshotName, shape: OwnShape): Candidate {
  const { names, fields, url, isTyped = false } = shape;
  if (fields) return mappedCandidate(upstream, name, fields, url);
  if (name === "plans") return dropUnlisted(name, upstream);
  const platform = platformOf(name);
  const isAlone = names.length === 1 && !(isObject(upstream) && Object.hasOwn(upstream, platform));
  const found = isAlone ? upstream : member(upstream, platform);
  if (isTyped && found === null) return noRelease([]);
  if (!isObject(found)) return dropUnlisted(name, found);
  const answer = inFull(found, platform);
  const { latest } = answer;
  if (!isObject(latest)) return dropUnlisted(name, answer);
  if (answer.hasUpdate === false) {
    throw new UpstreamError('"hasUpdate" is false, yet "latest" describes a release');
  }
  const { arch, sha256, sha512, signature, files = [], ...release } = latest;
  const { size, downloadURL } = release;
  const others = OtherFiles.safeParse(files);
  const isUnread = sizeText(size) === "" && size !== undefined && !["", null, 0, "0"].some((none) => none === size);
  return {
    ...dropUnlisted(name, { ...answer, latest: normalRelease(release) }),
    files: [{ url: String(downloadURL), arch, sha256, sha512, signature }, ...(others.data ?? [])],
    warnings: [
      ...(isUnread ? ["size is not a number of bytes such as 104857600: left out"] : []),
      ...(others.success ? [] : ['files is not a list such as [{ "url": "https://…", "arch": "x64" }]: left out']),
    ],
  };
}

const OtherFiles = listOf(z.looseObject({ url: linkText }), 100);

/** A release may be written as `{ "version": "4.2.1", "downloadURL": "https://…" }` only. */
function inFull(release: Record<string, unknown>, platform: Platform): Record<string, unknown> {
  const isShort = ["version", "downloadURL"].some((key) => Object.hasOwn(release, key));
  if (!isShort || ["hasUpdate", "latest"].some((key) => Object.hasOwn(release, key))) return release;
  const { forceUpdate = false, ...latest } = release;
  return { hasUpdate: true, forceUpdate, latest: { platform, changelog: "", size: "", date: "", ...latest } };
}

function normalRelease(release: Record<string, unknown>): Record<string, unknown> {
  const { size, changelog, downloadURL } = release;
  return {
    ...release,
    size: sizeText(size),
    ...(typeof changelog === "string" && { changelog: changelogText(changelog) }),
    ...(typeof downloadURL === "string" && { downloadURL: publicUrl(downloadURL) }),
  };
}

function member(upstream: unknown, platform: string): unknown {
  if (isObject(upstream) && Object.hasOwn(upstream, platform)) return upstream[platform];
  throw new UpstreamError(`the answer has no "${platform}"; use {"hasUpdate": false} there if nothing is published`);
}

const MAX_NAMED_FIELDS = 20;

/** Removes the keys that the strict schema reports as unlisted, at every level. @throws UpstreamError for too many entries. */
function dropUnlisted(name: SnapshotName, value: unknown): Candidate {
  if (countEntries(value) > MAX_ENTRIES) throw new UpstreamError(`more than ${MAX_ENTRIES} plans, cycles and prices`);
  const payload = structuredClone(value);
  const { error } = FACTS[name].safeParse(payload);
  let dropped = 0;
  const droppedFields: string[] = [];
  for (const issue of error?.issues ?? []) {
    if (issue.code !== "unrecognized_keys") continue;
    const holder = issue.path.reduce<unknown>((at, step) => (isObject(at) ? at[String(step)] : undefined), payload);
    for (const key of issue.keys) {
      if (!isObject(holder) || !delete holder[key]) continue;
      dropped++;
      if (droppedFields.length < MAX_NAMED_FIELDS) droppedFields.push(displayName(fieldPath([...issue.path, key])));
    }
  }
  return { payload, dropped, droppedFields };
}

/** The schema check makes several issues of each bad entry: without a limit, 10 MiB of `{}` would take a gigabyte. */
const MAX_ENTRIES = 20_000;

function countEntries(value: unknown): number {
  if (!isObject(value)) return 0;
  const { plans, cycles } = value;
  const listed = [plans, cycles].filter((list) => Array.isArray(list)).flat();
  const prices = listed.map((entry) =>
    isObject(entry) && isObject(entry.prices) ? Object.keys(entry.prices).length : 0,
  );
  return prices.reduce((sum, count) => sum + count, listed.length);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
