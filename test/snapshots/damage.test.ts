// With any file in a snapshot's place, a reader gets the snapshot, its previous copy or a reason; never an exception.
import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Damage, currentKey, previousKey, readSnapshot } from "../../snapshots/facts.ts";
import { decodeSnapshot, encodeSnapshot, MAX_AHEAD_MS, type Snapshot, sha256 } from "../../snapshots/snapshot.ts";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { openFileStore } from "../../snapshots/stores/files/file-store.ts";
import { MAX_VALUE_BYTES, type Reader } from "../../snapshots/store.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { onPosix } from "../support/on-posix.ts";
import { steppedFs, systemError } from "../support/faulty-fs.ts";
import { factsIn, cycleOf, NOW, plansSnapshot, publishNext, releaseSnapshot, resealed } from "../support/snapshot.ts";

const DAY = 24 * 60 * 60_000;
const macos = ({ revision }: { revision: number }) => releaseSnapshot("macos", { revision });
const later = plansSnapshot({ revision: 2 });
const text = Buffer.from(encodeSnapshot(later)).toString();
const write = (content: string | Uint8Array) => (path: string) => writeFile(path, content);
const stored = (snapshot: Parameters<typeof encodeSnapshot>[0]) => write(encodeSnapshot(snapshot));

const manyCycles = (bytes: number) =>
  Array.from({ length: bytes / 80 }, (_, index) => cycleOf(`cycle-${index}`, 1, { labelKey: "l".repeat(40) }));

interface DamageCase {
  what: string;
  /** The damage that a read reports, and its tag. */
  reason: string;
  tag?: Damage["reason"];
  /** Puts it in the place of the file at `path`, which is gone. */
  put: (path: string) => unknown;
  of?: (wanted: { revision: number }) => Snapshot;
  /** A directory in the way is for a person to look at. */
  heals?: false;
}

const NOT_JSON = "not JSON in UTF-8";
const NO_FORMAT = "not a snapshot of format 3";
const WRONG_SUM = "checksum does not match";
const WRONG_SHAPE = "payload is not in its public shape";

const DAMAGES: DamageCase[] = [
  { what: "a symbolic link", reason: "could not be read (ELOOP)", put: linkToGood },
  { what: "a directory", reason: "not a regular file", put: (path) => mkdir(path), heals: false },
  ...onPosix<DamageCase>({
    what: "a FIFO",
    reason: "not a regular file",
    put: (path) => execFileSync("mkfifo", [path]),
  }),
  { what: "a file over the size limit", reason: `over ${MAX_VALUE_BYTES} bytes`, put: putOverSize },
  { what: "an empty file", reason: NOT_JSON, put: write("") },
  { what: "a truncated file", reason: NOT_JSON, put: write(text.slice(0, text.length / 2)) },
  { what: "bad UTF-8", reason: NOT_JSON, put: write(Buffer.from(text.replace("EUR", "\xff"), "latin1")) },
  { what: "JSON that is no object", reason: NO_FORMAT, put: write("null") },
  { what: "another format", reason: NO_FORMAT, put: write(text.replace('"format":3', '"format":4')) },
  {
    what: "an unlisted field beside the payload that the checksum does not cover",
    reason: WRONG_SUM,
    put: write(text.replace("{", '{"x":1,')),
  },
  { what: "no checksum", reason: NO_FORMAT, put: write(text.replace("checksum", "check")) },
  {
    what: "an unlisted field of endless depth",
    reason: expect.any(String),
    put: write(text.replace("{", `{"x":${"[".repeat(500_000)}${"]".repeat(500_000)},`)),
  },
  {
    what: "a snapshot of another name",
    reason: "the snapshot of another name",
    put: stored(releaseSnapshot("windows")),
  },
  { what: "a wrong checksum", reason: WRONG_SUM, put: write(text.replace("EUR", "USD")) },
  {
    what: "an unlisted field in the payload",
    reason: WRONG_SHAPE,
    put: stored(resealed(later, { ...later.payload, margin: 0.4 })),
  },
  { what: "more plans than allowed", reason: WRONG_SHAPE, put: stored(plansSnapshot({ revision: 2, plans: 1_001 })) },
  {
    what: "a payload of more than 1 MiB",
    reason: WRONG_SHAPE,
    put: stored(resealed(later, { ...later.payload, cycles: manyCycles(1024 * 1024) })),
  },
  {
    what: "a release of another platform",
    reason: WRONG_SHAPE,
    put: stored(resealed(macos({ revision: 2 }), releaseSnapshot("windows").payload)),
    of: macos,
  },
  ...[
    ["a time of change after that of confirmation", { changedAt: new Date(NOW + 1).toISOString() }] as const,
    ["a lifetime of more than a year", { freshUntil: new Date(NOW + 365 * DAY + 1).toISOString() }] as const,
    ["an end before its confirmation", { freshUntil: new Date(NOW - MAX_AHEAD_MS - 1).toISOString() }] as const,
  ].map(([what, times]) => ({ what, reason: "its times contradict each other", put: stored({ ...later, ...times }) })),
  {
    what: "a snapshot from the future",
    reason: expect.stringMatching(
      /^confirmed in the future by \d+ min: the clock of this computer or that of the collector/,
    ),
    tag: "skewed",
    put: stored(plansSnapshot({ revision: 2, confirmedAt: NOW + MAX_AHEAD_MS + 1 })),
  },
];

describe.for(DAMAGES)(
  "$what (snapshots/facts.ts)",
  ({ reason, tag = "damaged", put, of = plansSnapshot, heals = true }) => {
    const { name } = of({ revision: 1 });
    const next = (revision: number) => of({ revision });

    /** A directory with so many snapshots published, then the damage in place of the last. */
    async function damagedAfter(published: number) {
      const directory = await temporaryDirectory();
      const store = openStore(directory);
      for (let count = 0; count < published; count++) await publishNext(store, next);
      const path = join(directory, currentKey(name));
      await rm(path, { force: true });
      await put(path);
      return { directory, store };
    }

    test("is damage: the previous copy is used, unless there is none, or it is damaged, too", async () => {
      const damage = { reason: tag, text: reason };
      const { directory, store } = await damagedAfter(2);
      expect(await readSnapshot(factsIn(store, { now: NOW }), name)).toMatchObject({
        state: "found",
        damage,
        snapshot: next(1),
      });
      await rm(join(directory, previousKey(name)));
      expect(await readSnapshot(factsIn(store, { now: NOW }), name)).toMatchObject({ state: "missing", damage });
      await put(join(directory, previousKey(name)));
      expect(await readSnapshot(factsIn(store, { now: NOW }), name)).toMatchObject({ state: "missing", damage });
    });

    if (!heals) return;

    test("is healed by the next publication, and never becomes the previous copy", async () => {
      const { directory, store } = await damagedAfter(2);
      const published = await publishNext(store, next);
      const { damage, ...read } = await readSnapshot(factsIn(store, { now: NOW }), name);
      expect(read).toMatchObject({ state: "found", snapshot: published });
      expect(damage).toBeUndefined();
      expect(await readFile(join(directory, previousKey(name)))).toEqual(encodeSnapshot(next(1)));
      const bare = await damagedAfter(0);
      await publishNext(bare.store, next);
      expect(await bare.store.get(previousKey(name))).toBeUndefined();
    });
  },
);

test("no bit of a stored snapshot can flip unnoticed", () => {
  const bytes = encodeSnapshot(later);
  const accepted: string[] = [];
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Uint8Array.from(bytes);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    try {
      decodeSnapshot(flipped, "plans");
      accepted.push(Buffer.from(flipped).toString());
    } catch {
      // Refused, as it should be.
    }
  }
  expect(accepted).toEqual([]);
});

describe("a snapshot with fields that this version does not know", () => {
  const unknown = { 7: ["a number as its name"], __proto__: null, names: { de: "Acme Notizen" }, "": -0, price: 1e21 };
  Object.defineProperty(unknown, "__proto__", { value: { isAdmin: true }, enumerable: true });
  const { format, ...rest } = JSON.parse(text);
  const WHERE: Record<string, object> = {
    "before the others": { ...unknown, format, ...rest },
    "behind the others": { format, ...rest, ...unknown },
    "behind the checksum": { format, ...rest, checksum: "", ...unknown },
    "in another order": Object.fromEntries(Object.entries({ ...unknown, ...rest, format }).toReversed()),
  };

  test.for(Object.entries(WHERE))("%s is read, kept as it is, and covered by its checksum", async ([, fields]) => {
    const sealed = sealedAs(fields);
    expect(decodeSnapshot(sealed, "plans")).toEqual(later);
    expect(decodeSnapshot(Buffer.from(JSON.stringify(JSON.parse(sealed.toString()), null, 2)), "plans")).toEqual(later);
    const changed = sealed.toString().replace("Notizen", "Notizem");
    expect(() => decodeSnapshot(Buffer.from(changed), "plans")).toThrow("checksum does not match");
    const store = openStore(await temporaryDirectory());
    await store.put(currentKey("plans"), sealed);
    await publishNext(store, (revision) => plansSnapshot({ revision }));
    expect(await store.get(previousKey("plans"))).toMatchObject({ bytes: sealed });
  });

  /** The file of the fields, sealed as a writer in any language does it: the text without the checksum is hashed. */
  function sealedAs(fields: object): Buffer {
    const without = JSON.stringify(fields, (key, value: unknown) => (key === "checksum" ? undefined : value));
    const sealed = JSON.stringify(fields).replace(/"checksum":"\w*"/, `"checksum":"${sha256(without)}"`);
    return Buffer.from(
      sealed.includes("checksum") ? sealed : sealed.replace(/\}$/, `,"checksum":"${sha256(without)}"}`),
    );
  }
});

test.for(["EACCES", "EPERM"])("a snapshot that this user may not read is forbidden (%s), not damaged", async (code) => {
  const directory = await temporaryDirectory();
  await publishNext(openStore(directory), (revision) => plansSnapshot({ revision }));
  const fs = steppedFs(async (step, run, args) => {
    if (step === "open") throw systemError(code, step);
    return run(...args);
  });
  expect(await readSnapshot(factsIn(openFileStore(directory, fs), { now: NOW }), "plans")).toMatchObject({
    state: "missing",
    damage: { reason: "forbidden", text: expect.stringContaining(`no permission: could not be read (${code}); `) },
  });
});

test("a missing snapshot is replaced by its previous copy", async () => {
  const directory = await temporaryDirectory();
  const store = openStore(directory);
  const first = await publishNext(store, (revision) => plansSnapshot({ revision }));
  await publishNext(store, (revision) => plansSnapshot({ revision }));
  await rm(join(directory, currentKey("plans")));
  expect(await readSnapshot(factsIn(store, { now: NOW }), "plans")).toMatchObject({
    snapshot: first,
    damage: { reason: "gone", text: "no longer in the store" },
  });
});

test("a reader overtaken by the first two publications finds the second, and no damage", async () => {
  const directory = await temporaryDirectory();
  const publishTwice = async () => {
    await publishNext(openStore(directory), (revision) => plansSnapshot({ revision }));
    return publishNext(openStore(directory), (revision) => plansSnapshot({ revision }));
  };
  let second: Promise<Snapshot> | undefined;
  const fs = steppedFs(async (step, run, args) => {
    try {
      return await run(...args);
    } finally {
      // Once it is seen that there is nothing to open.
      if (step === "open") await (second ??= publishTwice());
    }
  });
  const read = await readSnapshot(factsIn(openFileStore(directory, fs), { now: NOW }), "plans");
  expect(read).toMatchObject({ state: "found", snapshot: await second });
  expect(read.state === "found" && read.damage).toBeUndefined();
});

test("publishing over a symbolic link does not change its target", async () => {
  const directory = await temporaryDirectory();
  const [precious, path] = [join(directory, "precious.txt"), join(directory, currentKey("plans"))];
  await writeFile(precious, "not ours");
  await symlink(precious, path);
  await publishNext(openStore(directory), (revision) => plansSnapshot({ revision }));
  expect(await readFile(precious, "utf8")).toBe("not ours");
  expect(await readSnapshot(factsIn(openStore(directory), { now: NOW }), "plans")).toMatchObject({ state: "found" });
});

test("a clock five minutes ahead is accepted", async () => {
  const store = openStore(await temporaryDirectory());
  await publishNext(store, (revision) => plansSnapshot({ revision, confirmedAt: NOW + MAX_AHEAD_MS }));
  expect(await readSnapshot(factsIn(store, { now: NOW }), "plans")).toMatchObject({ state: "found" });
});

/** Even a link to a good snapshot is not followed. */
async function linkToGood(path: string): Promise<void> {
  await writeFile(`${path}.elsewhere`, text);
  await symlink(`${path}.elsewhere`, path);
}

/** A good snapshot, followed by more than is read; sparse, so it costs no disk. */
async function putOverSize(path: string): Promise<void> {
  await writeFile(path, text);
  await truncate(path, MAX_VALUE_BYTES + 1);
}

test.for(["cut", "garbage"])(
  "a value that arrives %s once, framed as whole, is read again before it counts as damaged",
  async (how) => {
    const directory = await temporaryDirectory();
    const store = openStore(directory);
    const published = await publishNext(store, (revision) => plansSnapshot({ revision }));
    let reads = 0;
    const disturbed: Reader = {
      ...store,
      async get(key, ifNot) {
        const stored = await store.get(key, ifNot);
        if (typeof stored !== "object" || ++reads > 1) return stored;
        return {
          ...stored,
          bytes: how === "cut" ? stored.bytes.subarray(0, stored.bytes.length / 2) : Buffer.from("{}"),
        };
      },
    };
    const read = await readSnapshot(factsIn(disturbed, { now: NOW }), "plans");
    expect(read).toMatchObject({ state: "found", snapshot: published });
    expect(read.damage).toBeUndefined();
  },
);
