// The promises of a store: complete values, compare and swap, and no key outside its directory.
import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { publish, readSnapshot } from "../../snapshots/facts.ts";
import { encodeSnapshot, sha256 } from "../../snapshots/snapshot.ts";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { Conflict, parseJson, StoreError } from "../../snapshots/store.ts";
import { openFileStore } from "../../snapshots/stores/files/file-store.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { faultyFs, steppedFs } from "../support/faulty-fs.ts";
import { factsIn, NOW, plansSnapshot, publishNext, resealed } from "../support/snapshot.ts";

const KEY = "plans.json";
const bytes = (text: string) => Buffer.from(text);

describe("the store in a directory (snapshots/stores/files/file-store.ts)", () => {
  test("a value is read as it was written, and no other file is left", async () => {
    const directory = await temporaryDirectory();
    const store = openStore(join(directory, "made", "when", "needed"));
    expect(await store.get(KEY)).toBeUndefined();
    const version = await store.put(KEY, bytes("one"));
    expect(await store.get(KEY)).toEqual({ bytes: bytes("one"), version });
    expect(await readdir(join(directory, "made", "when", "needed"))).toEqual([KEY]);
  });

  test("a value is read completely when the system returns it in pieces", async () => {
    const directory = await temporaryDirectory();
    const version = await openStore(directory).put(KEY, bytes("one, two, three"));
    const inPieces = steppedFs((step, run, args) => run(...(step === "read" ? [...args, 0, 4] : args)));
    expect(await openFileStore(directory, inPieces).get(KEY)).toEqual({ bytes: bytes("one, two, three"), version });
  });
});

test("a publisher that lost the race does not replace the previous copy either", async () => {
  const store = openStore(await temporaryDirectory());
  const next = () => publishNext(store, (revision) => plansSnapshot({ revision }));
  await next();
  const outdated = await readSnapshot(factsIn(store, { now: NOW }), "plans");
  const second = await next();
  await next();
  const late = publish(store, plansSnapshot({ revision: 2 }), outdated);
  await expect(late).rejects.toThrow(Conflict);
  await store.put(KEY, bytes("damaged"));
  expect(await readSnapshot(factsIn(store, { now: NOW }), "plans")).toMatchObject({
    snapshot: { revision: second.revision },
  });
});

const HOSTILE_KEYS = [
  "../x",
  "../plans.json",
  "/etc/passwd",
  "a/b.json",
  "history/../plans.json",
  "history/a/b.json",
  "history/",
  "history/.a.json",
  "/history/a.json",
  "__proto__",
  ".claim.1",
  "plans",
  "",
  "plans.json\0",
  "plans.json\n",
];
test.for(HOSTILE_KEYS)("%j is no key of a store", async (key) => {
  const directory = await temporaryDirectory();
  const store = openStore(join(directory, "store"));
  await expect(store.get(key)).rejects.toThrow(StoreError);
  await expect(store.put(key, bytes("x"))).rejects.toThrow(StoreError);
  await expect(store.remove(key)).rejects.toThrow(StoreError);
  expect(await readdir(directory)).toEqual([]);
});

test("the next claim removes the temporary file of a dead writer in a folder", async () => {
  const directory = await temporaryDirectory();
  const { fs } = faultyFs({ failAt: 5, code: "EIO", permanently: true });
  await expect(openFileStore(directory, fs).put("history/a.json", bytes("x"))).rejects.toThrow(StoreError);
  const temporaries = async () => (await readdir(directory)).filter((name) => name.endsWith(".tmp"));
  expect(await temporaries()).toHaveLength(1);
  await (await openStore(directory).claim())?.release();
  expect(await temporaries()).toEqual([]);
});

describe("a location (snapshots/stores/open-store.ts)", () => {
  test.for(["reddis://:secret@cache", "memory:", '"redis://:secret@cache"'])(
    "a store at %s is refused, naming what to use and no secret",
    (location) => {
      expect(() => openStore(location)).toThrow("must be the path of a directory, or a URL");
      expect(() => openStore(location)).not.toThrow("secret");
    },
  );

  test("a file: URL and a path open the same store", async () => {
    const directory = await temporaryDirectory();
    await openStore(pathToFileURL(directory).href).put(KEY, bytes("same"));
    expect(await openStore(directory).get(KEY)).toMatchObject({ bytes: bytes("same") });
  });
});

test.for([
  ["in another order", (text: string) => text.replace(/("currency":"EUR"),(.*)\}$/, "$2,$1}")],
  ["one of them named __proto__", (text: string) => text.replace('"monthly":1', '$&,"__proto__":9')],
] as const)("fields %s never make a payload that differs from its checksum", async ([, change]) => {
  const store = openStore(await temporaryDirectory());
  const payload = change(plansSnapshot().text);
  await store.put(KEY, encodeSnapshot(resealed(plansSnapshot(), JSON.parse(payload))));
  const read = await readSnapshot(factsIn(store, { now: NOW }), "plans");
  if (read.state === "found") expect(sha256(JSON.stringify(read.snapshot.payload))).toBe(read.snapshot.sha256);
});

test("a folder that is a symbolic link is refused, and nothing behind it is read, written or removed", async () => {
  const [directory, elsewhere] = [await temporaryDirectory(), await temporaryDirectory()];
  await writeFile(join(elsewhere, "a.json"), "not ours");
  await symlink(elsewhere, join(directory, "history"));
  const store = openStore(directory);
  const problem = new StoreError("history/ is a symbolic link: use a real folder");
  await expect(store.get("history/a.json")).rejects.toThrow(problem);
  await expect(store.list("history")).rejects.toThrow(problem);
  await expect(store.remove("history/a.json")).rejects.toThrow(problem);
  await expect(store.put("history/a.json", bytes("ours"))).rejects.toThrow(problem);
  expect(await readdir(elsewhere)).toEqual(["a.json"]);
  expect(await readFile(join(elsewhere, "a.json"), "utf8")).toBe("not ours");
});

test.for([
  ["in arrays", "[", "]"],
  ["in objects", '{"a":', "}"],
] as const)("a document nested more than 200 levels %s is not parsed, whatever its strings hold", ([, open, close]) => {
  const long = JSON.stringify('["{'.repeat(30_000));
  const nested = (levels: number, core = long) => bytes(open.repeat(levels) + core + close.repeat(levels));
  expect(parseJson(nested(200))).toBeDefined();
  expect(parseJson(nested(201))).toBeUndefined();
  expect(parseJson(nested(50_000, "1"))).toBeUndefined();
  // A short one does no harm.
  expect(parseJson(nested(1_000, "1"))).toBeDefined();
});
