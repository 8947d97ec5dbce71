// A disk that fails at any step of publishing or reading, from the first step to the last.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { publish, readSnapshot } from "../../snapshots/facts.ts";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { StoreError, type Store } from "../../snapshots/store.ts";
import { openFileStore } from "../../snapshots/stores/files/file-store.ts";
import { withPatientRename } from "../../snapshots/stores/files/file-system.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { faultyFs, fullDisk, steppedFs, systemError } from "../support/faulty-fs.ts";
import { factsIn, NOW, plansSnapshot, publishNext } from "../support/snapshot.ts";

const next = (revision: number) => plansSnapshot({ revision, plans: revision * 10 });
const temporaries = async (directory: string) => (await readdir(directory)).filter((name) => name.endsWith(".tmp"));

/** A directory in which so many revisions were published. */
async function published(revisions: number) {
  const directory = await temporaryDirectory();
  const store = openStore(directory);
  for (let count = 0; count < revisions; count++) await publishNext(store, next);
  return { directory, store };
}

/** Publishes revision 3 over 2 through a faulty disk. */
async function publishThird(faulty: Store, store: Store): Promise<{ success: boolean; error?: unknown }> {
  const last = await readSnapshot(factsIn(store, { now: NOW }), "plans");
  if (last.state !== "found") throw new Error(last.damage?.text);
  return publish(faulty, next(3), last).then(
    () => ({ success: true }),
    (error: unknown) => ({ success: false, error }),
  );
}

// Of these, the directory's sync may answer EPERM.
describe.for(["ENOSPC", "EPERM"])("%s at every step (snapshots/stores/files/file-store.ts)", (code) => {
  test.for([
    ["once", false],
    ["from there on", true],
  ] as const)(
    "%s leaves the old snapshot or the new one, whole, and success means the new one",
    async ([, permanently]) => {
      for (let failAt = 1, finished = false; !finished; failAt++) {
        const { directory, store } = await published(2);
        const { fs, steps } = faultyFs({ failAt, code, permanently });
        const { success, error } = await publishThird(openFileStore(directory, fs), store);
        const fault = `step ${failAt}: ${steps[failAt - 1]}`;

        const read = await readSnapshot(factsIn(store, { now: NOW }), "plans");
        if (read.state !== "found") throw new Error(`${fault}: ${read.damage?.text}`);
        expect(read.damage, fault).toBeUndefined();
        expect([next(2), next(3)], fault).toContainEqual(read.snapshot);
        if (success) expect(read.snapshot, fault).toEqual(next(3));
        else expect(error, fault).toBeInstanceOf(StoreError);
        // When everything fails, so does tidying up; the next claim sweeps.
        if (!permanently) expect(await temporaries(directory), fault).toEqual([]);

        await rm(join(directory, "plans.json"));
        const before = await readSnapshot(factsIn(store, { now: NOW }), "plans");
        expect(before, fault).toMatchObject({ state: "found" });

        finished = steps.length < failAt;
        if (finished) expect(success).toBe(true);
      }
    },
  );
});

test("EIO at every step of the very first publication leaves nothing, or the snapshot whole", async () => {
  for (let failAt = 1, finished = false; !finished; failAt++) {
    const directory = await temporaryDirectory();
    const { fs, steps } = faultyFs({ failAt, code: "EIO" });
    const last = { version: undefined };
    const success = await publish(openFileStore(join(directory, "new"), fs), next(1), last).then(
      () => true,
      () => false,
    );
    const read = await readSnapshot(factsIn(openStore(join(directory, "new")), { now: NOW }), "plans");
    if (success) expect(read).toMatchObject({ snapshot: next(1) });
    else expect(read.damage).toBeUndefined();
    finished = steps.length < failAt;
  }
});

test("success means that the file was synced before its rename, and the directory after it", async () => {
  const { directory } = await published(1);
  const { fs, steps } = faultyFs({ failAt: 0, code: "EIO" });
  await openFileStore(directory, fs).put("plans.json", Buffer.from("new"));
  const durable = steps.filter((step) => ["writeFile", "sync", "rename"].includes(step));
  expect(durable).toEqual(["writeFile", "sync", "rename", "sync"]);
});

test.for([
  ["EIO", "rejected"],
  ["EINVAL", "fulfilled"],
  ["ENOTSUP", "fulfilled"],
  ["EPERM", "fulfilled"],
] as const)("after %s from a directory's sync the publication is %s", async ([code, outcome]) => {
  const directory = await temporaryDirectory();
  let renamed = false;
  const fs = steppedFs(async (step, run, args) => {
    renamed ||= step === "rename";
    if (renamed && step === "sync") throw systemError(code, step);
    return run(...args);
  });
  const [put] = await Promise.allSettled([openFileStore(directory, fs).put("plans.json", Buffer.from("new"))]);
  expect(put.status).toBe(outcome);
});

test("a full disk is reported, keeps the old snapshot, and leaves no partial file", async () => {
  const { directory, store } = await published(2);
  const { error } = await publishThird(openFileStore(directory, fullDisk()), store);
  expect(error).toBeInstanceOf(StoreError);
  expect(error).toMatchObject({ message: "could not be written (ENOSPC)" });
  expect(await readSnapshot(factsIn(store, { now: NOW }), "plans")).toMatchObject({ snapshot: next(2) });
  expect(await temporaries(directory)).toEqual([]);
});

const CODES = ["EIO", "EACCES", "EMFILE"];
const READ_STEPS = ["open", "stat", "read"];

/** Fails a step so many times. A read tries each file twice. */
function failing(name: string, code: string, times = Infinity) {
  let left = times;
  return steppedFs((step, run, args) => {
    if (step === name && left-- > 0) throw systemError(code, step);
    return run(...args);
  });
}

test.for(CODES)("%s once at any step of a read is nothing", async (code) => {
  const { directory } = await published(2);
  for (let failAt = 1, finished = false; !finished; failAt++) {
    const { fs, steps } = faultyFs({ failAt, code });
    const read = await readSnapshot(factsIn(openFileStore(directory, fs), { now: NOW }), "plans");
    expect(read, steps[failAt - 1]).toMatchObject({ state: "found", snapshot: next(2) });
    expect(read.damage).toBeUndefined();
    finished = steps.length < failAt;
  }
});

test.for(CODES.flatMap((code) => READ_STEPS.map((step) => [code, step] as const)))(
  "%s at each %s of a file is a StoreError with our own message, and damage in whose place the previous copy is used",
  async ([code, step]) => {
    const { directory } = await published(2);
    await expect(openFileStore(directory, failing(step, code)).get("plans.json")).rejects.toThrow(StoreError);
    const read = await readSnapshot(factsIn(openFileStore(directory, failing(step, code, 2)), { now: NOW }), "plans");
    expect(read).toMatchObject({ state: "found", snapshot: next(1), damage: { text: expect.stringContaining(code) } });
  },
);

test.for([
  ["may not be opened", "open", "EACCES"],
  ["has lost a block", "read", "EIO"],
] as const)("a file that %s is damage with a version, so the next publication heals it", async ([, step, code]) => {
  const { directory, store } = await published(2);
  const replaced = await publishNext(openFileStore(directory, failing(step, code, 2)), next);
  expect(await readSnapshot(factsIn(store, { now: NOW }), "plans")).toMatchObject({
    state: "found",
    snapshot: replaced,
  });
});

test.for(["EMFILE", "ENFILE", "ENOMEM"])(
  "a process short of memory or descriptors (%s) does not replace a file that it could not read",
  async (code) => {
    const { directory, store } = await published(2);
    await expect(publishNext(openFileStore(directory, failing("open", code, 2)), next)).rejects.toThrow(StoreError);
    expect(await readSnapshot(factsIn(store, { now: NOW }), "plans")).toMatchObject({
      state: "found",
      snapshot: next(2),
    });
  },
);

test.for(["EPERM", "EACCES", "EBUSY"])(
  "Windows refuses to replace a file that a reader has open (%s), and the publication waits for the reader",
  async (code) => {
    const { directory, store } = await published(2);
    let refusals = 0;
    const windows = steppedFs(async (step, run, args) => {
      if (step !== "rename" || ++refusals > 3) return run(...args);
      throw systemError(code, step);
    });
    await publishNext(openFileStore(directory, withPatientRename(windows)), next);
    expect(await readSnapshot(factsIn(store, { now: NOW }), "plans")).toMatchObject({
      state: "found",
      snapshot: next(3),
    });
    expect(await temporaries(directory)).toEqual([]);
  },
);

test("a file that stays open on Windows, and any other error there, fails the publication", async () => {
  const { directory } = await published(2);
  for (const code of ["EBUSY", "EIO"]) {
    const windows = steppedFs(async (step, run, args) => {
      if (step === "rename") throw systemError(code, step);
      return run(...args);
    });
    const failed = publishNext(openFileStore(directory, withPatientRename(windows)), next);
    await expect(failed).rejects.toThrow(`could not be written (${code})`);
  }
});
