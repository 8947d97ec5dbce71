// Hints of a watched directory: every watcher gets them. And the steps in which a file is read: the fewer, the sooner a new
// snapshot is seen.
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { StoreError, type Store } from "../../snapshots/store.ts";
import type { FileSystem } from "../../snapshots/stores/files/file-system.ts";
import { openFileStore } from "../../snapshots/stores/files/file-store.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { faultyFs, steppedFs, systemError } from "../support/faulty-fs.ts";

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

/** Publishes until there is a hint: only polling finds a publication from before the watch. */
async function publishUntilHint(store: Store): Promise<void> {
  const published: Promise<string>[] = [];
  const hint = nextHint(store);
  const publishing = setInterval(() => published.push(store.put(KEY, bytes("new"))), 100);
  await hint;
  clearInterval(publishing);
  await Promise.all(published);
}

/** Makes the path a link to another directory. */
async function turn(path: string): Promise<void> {
  const target = await mkdtemp(`${path}-`);
  await rm(path, { force: true });
  await symlink(target, path);
}

describe("a watcher (snapshots/stores/files/directory-watch.ts)", () => {
  test("gets a hint of each publication until it stops", async () => {
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

  test("gets no hints of temporary files or previous copies", async () => {
    const store = openStore(await temporaryDirectory());
    let hints = 0;
    const stop = store.watch(() => hints++);
    const hint = nextHint(store);
    await store.put(`${KEY}.prev`, bytes("old"));
    await store.put(KEY, bytes("new"));
    await hint;
    stop();
    expect(hints).toBe(1);
  });

  test("gets hints of a directory as soon as it exists", async () => {
    await publishUntilHint(openStore(join(await temporaryDirectory(), "later")));
  });

  test.for([
    ["removed and made anew", (path: string) => rm(path, { recursive: true }).then(() => mkdir(path))],
    ["a link that is turned elsewhere", turn],
  ] as const)("gets hints again of a directory that is %s", async ([, change]) => {
    const path = join(await temporaryDirectory(), "facts");
    await turn(path);
    const store = openStore(path);
    const stop = store.watch(() => {});
    await change(path);
    await publishUntilHint(store);
    stop();
  });

  test.runIf(process.platform === "linux")(
    "leaves no watch behind when it was the last (seen in Linux's /proc)",
    async () => {
      const directory = await temporaryDirectory();
      const store = openStore(directory);
      const stops = [1, 2].map(() => store.watch(() => {}));
      for (const stop of stops) {
        expect(await isWatched(directory)).toBe(true);
        stop();
      }
      expect(await isWatched(directory)).toBe(false);
    },
  );
});

async function isWatched(directory: string): Promise<boolean> {
  const inode = (await stat(directory)).ino.toString(16);
  const files = (await readdir("/proc/self/fdinfo")).map((name) => readFile(`/proc/self/fdinfo/${name}`, "utf8"));
  const texts = await Promise.allSettled(files);
  return texts.some(
    (text) =>
      text.status === "fulfilled" && text.value.includes(`inotify wd:`) && text.value.includes(` ino:${inode} `),
  );
}

describe("a file", () => {
  /** A store with the second of two values. */
  async function replaced(fs: FileSystem) {
    const directory = await temporaryDirectory();
    const publisher = openStore(directory);
    const version = await publisher.put(KEY, bytes("one"));
    const next = await publisher.put(KEY, bytes("two"));
    return { directory, store: openFileStore(directory, fs), version, next };
  }

  const whole = () => faultyFs({ failAt: 0, code: "none" });

  test("is read without checking its version first, and not read again until it changes", async () => {
    const { fs, steps } = whole();
    const { directory, store, version, next } = await replaced(fs);
    expect(await store.get(KEY, version)).toEqual({ bytes: bytes("two"), version: next });
    expect(steps.splice(0)).toEqual(["open", "stat", "read", "close"]);
    await chmod(join(directory, KEY), 0o600);
    expect(await store.get(KEY, next)).toBe("unchanged");
    expect(steps).toEqual(["open", "stat", "close"]);
  });

  test("is read even if any one step fails", async () => {
    for (let failAt = 1, finished = false; !finished; failAt++) {
      const { fs, steps } = faultyFs({ failAt, code: "EIO" });
      const { store, version, next } = await replaced(fs);
      expect(await store.get(KEY, version), steps[failAt - 1]).toEqual({ bytes: bytes("two"), version: next });
      finished = steps.length < failAt;
    }
  });

  test.for(["EIO", "EMFILE"])("that cannot be opened (%s) is unchanged if its version is known", async (code) => {
    const { store, next } = await replaced(closed(code));
    expect(await store.get(KEY, next)).toBe("unchanged");
  });

  test("that cannot be read is damage with its version", async () => {
    const { store, version, next } = await replaced(closed("EIO"));
    const failure = await store.get(KEY, version).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreError);
    expect(failure).toMatchObject({ message: "could not be read (EIO)", version: next });
  });

  test("that is gone has no value", async () => {
    const { store } = await replaced(whole().fs);
    await store.remove(KEY);
    expect(await store.get(KEY)).toBeUndefined();
  });
});

/** A file system in which no file can be opened. */
function closed(code: string): FileSystem {
  return steppedFs((step, run, args) => {
    if (step === "open") throw systemError(code, step);
    return run(...args);
  });
}
