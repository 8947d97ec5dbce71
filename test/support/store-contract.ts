// What every store promises: complete values, exact compare and swap, hints, one claim at a time.
import { expect, onTestFinished, test } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { Conflict, type Reader, type Store, type Stored, type Version } from "../../snapshots/store.ts";

export interface StoreUnderTest {
  store: Store;
  /** The same store, opened as by another process. */
  another(): Store;
  /** False for a store that gives none. */
  hasHints?: boolean;
}

/** Opens the same store again and again, each until the test is over. */
export function opener(open: () => Store): () => Store {
  return () => {
    const store = open();
    onTestFinished(() => store.close());
    return store;
  };
}

const KEY = "plans.json";
const bytes = (text: string) => Buffer.from(text);

/** `write`: replaces a value, as another process does. Resolves to the version, if the reader's is the same. */
export interface ReaderUnderTest {
  reader: Reader;
  write(key: string, bytes: Uint8Array): Promise<Version | void>;
}

/** Declares the tests of what a reader promises. `open`: of a new, empty store for each. */
export function promisesOfAReader(open: () => Promise<ReaderUnderTest>): void {
  test("a value is read as it was written, to the last byte", async () => {
    const { reader, write } = await open();
    const every = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
    const version = (await write(KEY, every)) ?? expect.any(String);
    const read = await reader.get(KEY);
    expect(read).toMatchObject({ version });
    expect(read !== "unchanged" && read && Buffer.compare(read.bytes, every)).toBe(0);
  });

  test("an empty value is a value", async () => {
    const { reader, write } = await open();
    await write(KEY, bytes(""));
    expect(await reader.get(KEY)).toMatchObject({ bytes: bytes("") });
  });

  test("a value that still has the version a reader holds is not read again", async () => {
    const { reader, write } = await open();
    await write(KEY, bytes("one"));
    const version = versionOf(await reader.get(KEY));
    expect(await reader.get(KEY, version)).toBe("unchanged");
    await write(KEY, bytes("two"));
    const next = await reader.get(KEY, version);
    expect(next).toMatchObject({ bytes: bytes("two") });
    expect(versionOf(next)).not.toBe(version);
  });

  test("a reader sees one value or the next, never a mixture", async () => {
    const { reader, write } = await open();
    const values = Array.from({ length: 100 }, (_, index) => String(index % 10).repeat(10_000 + index));
    await write(KEY, bytes(values[0] ?? ""));
    let isWriting = true;
    const seen: string[] = [];
    const reading = (async () => {
      while (isWriting) {
        const read = await reader.get(KEY);
        if (read && read !== "unchanged") seen.push(Buffer.from(read.bytes).toString());
      }
    })();
    for (const value of values) await write(KEY, bytes(value));
    isWriting = false;
    await reading;
    expect(seen.filter((value) => !values.includes(value))).toEqual([]);
    expect(seen.length).toBeGreaterThan(0);
  });

  test("no hint comes after its end", async () => {
    const { reader, write } = await open();
    let hints = 0;
    const stop = reader.watch(() => hints++);
    stop();
    await write(KEY, bytes("unwatched"));
    await reader.get(KEY);
    expect(hints).toBe(0);
    await reader.close();
    await reader.close();
  });
}

function versionOf(read: Stored | "unchanged" | undefined): Version {
  if (read === undefined || read === "unchanged") throw new Error("no value was read");
  return read.version;
}

/** Declares the tests. `open`: a new, empty store for each. */
export function promisesOfAStore(open: () => Promise<StoreUnderTest>): void {
  promisesOfAReader(async () => {
    const { store, another } = await open();
    return { reader: another(), write: (key, bytes) => store.put(key, bytes) };
  });

  test("a key without a value has none", async () => {
    const { store } = await open();
    expect(await store.get(KEY)).toBeUndefined();
    expect(await store.get(KEY, "some version")).toBeUndefined();
    expect(await store.list("history")).toEqual([]);
    await store.remove(KEY);
  });

  test("a version that has been replaced is not replaced again", async () => {
    const { store, another } = await open();
    const old = await store.put(KEY, bytes("old"));
    const version = await another().put(KEY, bytes("new"), { ifVersion: old });
    await expect(store.put(KEY, bytes("late"), { ifVersion: old })).rejects.toThrow(Conflict);
    expect(await store.get(KEY)).toMatchObject({ bytes: bytes("new"), version });
  });

  test("expecting a version where there is no value is a conflict", async () => {
    const { store, another } = await open();
    const version = await store.put("report.json", bytes("another key's"));
    await expect(another().put(KEY, bytes("late"), { ifVersion: version })).rejects.toThrow(Conflict);
    expect(await store.get(KEY)).toBeUndefined();
  });

  test("version null only creates a value", async () => {
    const { store, another } = await open();
    await store.put(KEY, bytes("first"), { ifVersion: null });
    await expect(another().put(KEY, bytes("second"), { ifVersion: null })).rejects.toThrow(Conflict);
    expect(await store.get(KEY)).toMatchObject({ bytes: bytes("first") });
  });

  test.each([1, 2])("of sixteen writers that expect the same version, one wins (%i)", async () => {
    const { store, another } = await open();
    for (const ifVersion of [null, await store.put("release-macos.json", bytes("old"))]) {
      const key = ifVersion === null ? KEY : "release-macos.json";
      const writers = Array.from({ length: 16 }, another);
      const written = await Promise.allSettled(
        writers.map((writer, index) => writer.put(key, bytes(`of writer ${index}`), { ifVersion })),
      );
      const winners = written.flatMap((result, index) => (result.status === "fulfilled" ? [{ index, result }] : []));
      const losers = written.filter((result) => result.status === "rejected");
      expect(losers.map(({ reason }) => reason as unknown)).toEqual(Array(15).fill(expect.any(Conflict)));
      expect(await store.get(key)).toMatchObject({
        bytes: bytes(`of writer ${winners[0]?.index}`),
        version: winners[0]?.result.value,
      });
    }
  });

  test("a folder's keys are listed, however many, and a removed key is gone", async () => {
    const { store, another } = await open();
    const keys = Array.from({ length: 25 }, (_, index) => `history/plans-${1000 + index}.json`);
    await Promise.all(keys.map((key) => store.put(key, bytes("{}"))));
    await store.put(KEY, bytes("not in the folder"));
    expect((await another().list("history")).toSorted()).toEqual(keys);
    await another().remove(keys[0] ?? "");
    expect((await store.list("history")).toSorted()).toEqual(keys.slice(1));
    expect(await store.get(keys[0] ?? "")).toBeUndefined();
  });

  test("two stores beside each other share nothing", async () => {
    const [one, other] = [await open(), await open()];
    await one.store.put(KEY, bytes("one"));
    expect(await other.store.get(KEY)).toBeUndefined();
    expect(await one.store.claim()).toBeDefined();
    expect(await other.store.claim()).toBeDefined();
  });

  test("one of several runs in one process gets the claim, and the next one after its release", async () => {
    const { store } = await open();
    const claims = await Promise.all(Array.from({ length: 5 }, () => store.claim()));
    const [claim, ...others] = claims.filter((claim) => claim !== undefined);
    expect(others).toEqual([]);
    await claim?.release();
    expect(await store.claim()).toBeDefined();
  });

  test("one of twenty collectors gets the claim, and the next one after its release", async () => {
    const { another } = await open();
    const claims = await Promise.all(Array.from({ length: 20 }, () => another().claim()));
    const [claim, ...others] = claims.filter((claim) => claim !== undefined);
    expect(others).toEqual([]);
    expect(await another().claim()).toBeUndefined();
    await claim?.release();
    const next = await another().claim();
    expect(next).toBeDefined();
    // Only the owner can release it.
    await claim?.release();
    expect(await another().claim()).toBeUndefined();
  });

  test("a value that changes is read at once, and after a hint if the store gives any", async () => {
    const { store, another, hasHints = true } = await open();
    const reader = another();
    let version = await store.put(KEY, bytes("before"));
    const hint = new Promise<void>((resolve) => reader.watch(resolve));
    await sleep(10);
    version = await store.put(KEY, bytes("after"));
    if (hasHints) await hint;
    expect(await reader.get(KEY)).toMatchObject({ bytes: bytes("after"), version });
  });
}
