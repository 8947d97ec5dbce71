// Hints of a watched directory: everyone who watches gets them, and what one named is read in fewer steps. They are hints:
// whether they are true, false or late, what is read is what is there.
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openStore } from "../snapshots/open-store.ts";
import { StoreError, type Store } from "../snapshots/store.ts";
import { openFileStore } from "../snapshots/stores/file.ts";
import { temporaryDirectory } from "./_directory.ts";
import { steppedFs, systemError } from "./_faulty-fs.ts";

const KEY = "plans.json";
const bytes = (text: string) => Buffer.from(text);

/** Resolves with the next hint. */
function nextHint(store: Store): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.watch(() => {
      stop();
      resolve();
    });
  });
}

test("everyone who watches gets a hint when something is published, until they stop", async () => {
  const store = openStore(await temporaryDirectory());
  let late = 0;
  const stop = store.watch(() => late++);
  const [first, second] = [nextHint(store), nextHint(store)];
  stop();
  await store.put(KEY, bytes("new"));
  await Promise.all([first, second]);
  expect(late).toBe(0);

  const again = nextHint(store);
  await store.put(KEY, bytes("newer"));
  await again;
});

test("a directory that is not there yet is watched as soon as it is", async () => {
  const store = openStore(join(await temporaryDirectory(), "later"));
  const hint = nextHint(store);
  const published: Promise<string>[] = [];
  // What is published before the watch begins is found by polling; here, one more hints at it.
  const publishing = setInterval(() => published.push(store.put(KEY, bytes("new"))), 100);
  await hint;
  clearInterval(publishing);
  await Promise.all(published);
});

describe("what a hint named", () => {
  /** A store that got a hint of the second of two values. `failing`: the steps that always fail. */
  async function hinted(failing: readonly string[] = []) {
    const directory = await temporaryDirectory();
    const steps: string[] = [];
    const fs = steppedFs((step, run, args) => {
      steps.push(step);
      if (failing.includes(step)) throw systemError("EIO", step);
      return run(...args);
    });
    const [store, publisher] = [openFileStore(directory, fs), openStore(directory)];
    const version = await publisher.put(KEY, bytes("one"));
    const hint = nextHint(store);
    const next = await publisher.put(KEY, bytes("two"));
    await hint;
    return { directory, store, steps, version, next };
  }

  test("is read without looking first whether it has changed, once", async () => {
    const { store, steps, version, next } = await hinted();
    expect(await store.get(KEY, version)).toEqual({ bytes: bytes("two"), version: next });
    expect(steps.splice(0)).toEqual(["open", "stat", "read", "close"]);
    expect(await store.get(KEY, next)).toBe("unchanged");
    expect(steps).toEqual(["lstat"]);
  });

  test("and has not changed is not read again", async () => {
    const { directory, store, steps, next } = await hinted();
    await store.get(KEY);
    const hint = nextHint(store);
    await chmod(join(directory, KEY), 0o600);
    await hint;
    steps.splice(0);
    expect(await store.get(KEY, next)).toBe("unchanged");
    expect(steps).toEqual(["open", "stat", "close"]);
  });

  test("and cannot be read is damage with its version", async () => {
    const { store, version, next } = await hinted(["open"]);
    const failure = await store.get(KEY, version).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreError);
    expect(failure).toMatchObject({ message: "could not be read (EIO)", version: next });
  });

  test("and is gone is nothing", async () => {
    const { store } = await hinted();
    await store.remove(KEY);
    expect(await store.get(KEY)).toBeUndefined();
  });
});
