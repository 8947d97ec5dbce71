// A server that keeps the last good snapshots in a directory: restarted while the server that it follows is away, it has the facts
// that it had before, until they end.
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { encodeSnapshot, type Snapshot } from "../../../snapshots/snapshot.ts";
import type { Reader, Store } from "../../../snapshots/store.ts";
import { openReader, openStore } from "../../../snapshots/stores/open-store.ts";
import { body, reset, startUpstream } from "../../support/collecting/upstream.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { FACTS } from "../../support/serving/prepared-targets.ts";
import { allSnapshots, pollUntil, startServer } from "../../support/serving/server.ts";
import { newSigning, signedBy, trustIn } from "../../support/signing.ts";
import { NOW, plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const DAY = 24 * 60 * 60_000;
const [PLANS] = FACTS;
const AWAY = /^the store cannot be read: .*; /;
const FILES = allSnapshots().map(({ name }) => `${name}.json`);

/** A host of snapshots, servers that follow it, and their directory, which exists once something is kept. */
async function startHost() {
  const host = await startUpstream();
  const offer = (snapshot: Snapshot) => host.set(`/snapshots/${snapshot.name}.json`, body(encodeSnapshot(snapshot)));
  const setAll = (behaviour: Parameters<typeof host.set>[1]) => {
    for (const file of FILES) host.set(`/snapshots/${file}`, behaviour);
  };
  for (const snapshot of allSnapshots()) offer(snapshot);
  const directory = join(await temporaryDirectory(), "kept/here");
  const start = async (lastCopy: Store = openStore(directory), product?: string) => {
    const store = openReader(host.url("/snapshots/"));
    onTestFinished(() => store.close());
    return startServer({ store, product, lastCopy });
  };
  const kept = (file: string) => readFile(join(directory, file)).catch(() => undefined);
  /** Resolves once the snapshot is in the directory, byte for byte. */
  const written = async (...snapshots: Snapshot[]) => {
    for (const snapshot of snapshots) {
      const bytes = Buffer.from(encodeSnapshot(snapshot));
      await pollUntil(
        () => kept(`${snapshot.name}.json`),
        (found) => found?.equals(bytes) ?? false,
      );
    }
  };
  /** A directory with the copies of a server that has ended, whose host is away. */
  const leave = async () => {
    const first = await start();
    await first.refresh();
    await written(...allSnapshots());
    await first.stop();
    setAll(reset());
    return first;
  };
  return { directory, offer, setAll, start, written, leave };
}

async function answers({ get }: Pick<Awaited<ReturnType<typeof startServer>>, "get">) {
  return Promise.all(FACTS.map(async (target) => (({ status, text }) => ({ status, text }))(await get(target))));
}

test("a restart while the store is away answers the same bytes, and 502 from their end on", async () => {
  const { start, leave } = await startHost();
  await leave();
  const server = await start();
  expect(await answers(server)).toEqual(await answers(await startServer()));
  await server.refresh();
  expect(server.warnings).toEqual([
    expect.stringMatching(
      new RegExp(`${AWAY.source}served from lastCopy until stale: plans, release-macos, release-w`),
    ),
  ]);
  server.clock.pass(DAY - 1);
  expect((await server.get(PLANS)).status).toBe(200);
  server.clock.pass(1);
  expect((await server.get(PLANS)).status).toBe(502);
});

test("the store takes over with all that is newer, and with nothing that is older", async () => {
  const { start, leave, offer, written } = await startHost();
  await leave();
  const server = await start();
  offer(plansSnapshot({ revision: 7, confirmedAt: NOW - 1 }));
  await server.refresh();
  expect((await server.get(PLANS)).json()).toEqual(plansSnapshot().payload);
  const newer = plansSnapshot({ revision: 2, confirmedAt: NOW + 1 });
  offer(newer);
  await server.refresh();
  expect((await server.get(PLANS)).json()).toEqual(newer.payload);
  await written(newer, releaseSnapshot("macos"));
});

describe("a store that is set back to an older fact, which is genuine and not stale, before a restart", () => {
  const signing = newSigning();
  const trust = trustIn(signing);
  const [old, newer] = [
    signedBy(signing, plansSnapshot({ confirmedAt: NOW - 2000 })),
    signedBy(signing, plansSnapshot({ revision: 2, confirmedAt: NOW })),
  ];
  // It would be served for as long as the newer one, and longer.
  const longer = signedBy(signing, { ...old, freshUntil: new Date(NOW + 3 * DAY).toISOString() });

  /** What a server says after it has had the newer fact, and then started with another in its store: now, and when that has ended. */
  async function afterRollback(store: Reader, set: (snapshot: Snapshot) => unknown, lastCopy: string | undefined) {
    const start = () => startServer({ store, trust, ...(lastCopy !== undefined && { lastCopy: openStore(lastCopy) }) });
    await set(newer);
    const first = await start();
    expect((await first.get(PLANS)).json()).toEqual(newer.payload);
    await pollUntil(
      async () => lastCopy === undefined || readFile(join(lastCopy, "plans.json")).catch(() => false as const),
      (kept) => kept !== false,
    );
    await first.stop();
    await set(longer);
    const second = await start();
    await second.refresh();
    const now = await second.get(PLANS);
    second.clock.pass(DAY);
    return { now: now.json(), later: (await second.get(PLANS)).status, warnings: second.warnings };
  }
  const KEPT = {
    now: newer.payload,
    later: 502,
    warnings: expect.arrayContaining([expect.stringContaining("before the one in memory")]),
  };

  test("is not believed by a server with a last copy", async () => {
    const engine = openStore(await temporaryDirectory());
    const set = (snapshot: Snapshot) => engine.put("plans.json", encodeSnapshot(snapshot));
    expect(await afterRollback(engine, set, await temporaryDirectory())).toEqual(KEPT);
    // Without one it has seen nothing newer, as SECURITY.md says.
    expect(await afterRollback(engine, set, undefined)).toMatchObject({ now: old.payload, later: 200 });
  });

  test("is not believed by a follower with a last copy", async () => {
    const host = await startUpstream();
    const store = openReader(host.url("/snapshots/"));
    onTestFinished(() => store.close());
    const set = (snapshot: Snapshot) => host.set("/snapshots/plans.json", body(encodeSnapshot(snapshot)));
    expect(await afterRollback(store, set, await temporaryDirectory())).toEqual(KEPT);
  });
});

test("a store that is empty after the restart leaves the copies, and the collector something to compare with", async () => {
  const { directory, leave } = await startHost();
  await leave();
  const server = await startServer({ snapshots: [], lastCopy: openStore(directory) });
  for (const { status } of await answers(server)) expect(status).toBe(200);
  expect(server.lastPayload("plans")).toEqual(plansSnapshot().payload);
  expect(server.warnings).toContainEqual(
    expect.stringMatching(/^snapshot plans: no longer in the store; the last good copy is served/),
  );
});

test("copies that are stale at the start are no facts, though the collector may compare with them", async () => {
  const { start, offer, setAll, written } = await startHost();
  const old = plansSnapshot({ confirmedAt: NOW - DAY });
  offer(old);
  const first = await start();
  await first.refresh();
  await written(old);
  await first.stop();
  setAll(reset());
  const server = await start();
  expect((await server.get(PLANS)).status).toBe(502);
  expect(server.lastPayload("plans")).toEqual(old.payload);
});

describe("a copy (server/features/follow/last-copy.ts) is ignored with a warning, and replaced once the store answers", () => {
  const good = Buffer.from(encodeSnapshot(plansSnapshot()));
  type Spoil = (path: string) => Promise<unknown>;
  const put = (bytes: Uint8Array | string) => (path: string) => writeFile(path, bytes);
  const BAD: [what: string, reason: string, spoil: Spoil][] = [
    ["half of it", "not JSON", put(good.subarray(0, 200))],
    ["of another product", 'of the product "other"', put(encodeSnapshot({ ...plansSnapshot(), product: "other" }))],
    ["as large as a disk", "over 4194304 bytes", put(Buffer.alloc(4 * 1024 * 1024 + 1))],
    [
      "that is a link",
      "could not be read (ELOOP)",
      async (path) => {
        await writeFile(join(dirname(path), "elsewhere"), good);
        await rm(path);
        await symlink(join(dirname(path), "elsewhere"), path);
      },
    ],
  ];

  test.for(BAD)("%s", async ([, reason, spoil]) => {
    const { directory, start, leave, offer, written } = await startHost();
    await leave();
    await spoil(join(directory, "plans.json"));
    const server = await start(undefined, "acme");
    expect(server.warnings[0]).toContain("snapshot plans in lastCopy is ignored: ");
    expect(server.warnings[0]).toContain(reason);
    expect((await answers(server)).map(({ status }) => status)).toEqual(FACTS.map((t) => (t === PLANS ? 502 : 200)));
    offer(plansSnapshot());
    await server.refresh();
    expect((await server.get(PLANS)).status).toBe(200);
    await written(plansSnapshot());
  });

  test("or is a folder, which nothing replaces", async () => {
    const { directory, start, leave } = await startHost();
    await leave();
    await rm(join(directory, "plans.json"));
    await mkdir(join(directory, "plans.json"));
    const server = await start();
    expect(server.warnings[0]).toMatch(/^snapshot plans in lastCopy is ignored: /);
    expect((await server.get(PLANS)).status).toBe(502);
  });
});

test("a directory that cannot be written is one warning, and another once it can; the facts are served", async () => {
  const { directory, start, offer, written } = await startHost();
  await mkdir(dirname(directory), { recursive: true });
  await writeFile(directory, "in the way");
  const server = await start();
  await server.refresh();
  const failed = expect.stringMatching(/^lastCopy cannot be written \(ENOTDIR\): a restart .* with 502$/);
  const warned = (count: number) =>
    pollUntil(
      async () => server.warnings.filter((line) => !line.startsWith("snapshot ")),
      (lines) => lines.length >= count,
    );
  expect(await warned(1)).toEqual([failed]);
  const confirm = async (minutes: number) => {
    const snapshot = plansSnapshot({ confirmedAt: NOW + minutes });
    offer(snapshot);
    await server.refresh();
    return snapshot;
  };
  await confirm(1);
  expect((await server.get(PLANS)).status).toBe(200);
  await rm(directory);
  await written(await confirm(2));
  expect(await warned(2)).toEqual([failed, "lastCopy can be written again"]);
});

test("a directory that hangs delays neither the facts nor what is newer, and holds one call at a time", async () => {
  const { start, offer } = await startHost();
  let calls = 0;
  const hang = () => new Promise<never>(() => void calls++);
  const server = await start({ ...openStore("/nowhere"), get: hang, put: hang, claim: hang });
  expect((await server.get(PLANS)).status).toBe(200);
  for (const revision of [2, 3, 4]) {
    offer(plansSnapshot({ revision, confirmedAt: NOW + revision }));
    await server.refresh();
    expect((await server.get(PLANS)).json()).toEqual(plansSnapshot({ revision }).payload);
  }
  // Nothing is written over copies that have not been read.
  expect(calls).toBe(1);
});

test("a directory that is slower than the start loses nothing newer to an older fact of the store", async () => {
  const { directory, start, offer } = await startHost();
  const kept = openStore(directory);
  const newer = encodeSnapshot(plansSnapshot({ revision: 2, confirmedAt: NOW + 1 }));
  await kept.put("plans.json", newer);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const get: Store["get"] = async (...words) => released.then(() => kept.get(...words));
  offer(plansSnapshot({ confirmedAt: NOW }));
  const server = await start({ ...kept, get });
  expect((await server.get(PLANS)).json()).toEqual(plansSnapshot().payload);
  release();
  await pollUntil(
    () => server.get(PLANS),
    (reply) => reply.text === plansSnapshot({ revision: 2 }).text,
  );
  await server.refresh();
  expect(await readFile(join(directory, "plans.json"))).toEqual(Buffer.from(newer));
});

test("what a killed server left half written is removed by the next write", async () => {
  const { directory, start, leave, offer, written } = await startHost();
  await leave();
  const leftOver = join(directory, ".plans.json.0.tmp");
  await writeFile(leftOver, "{");
  const newer = plansSnapshot({ confirmedAt: NOW + 1 });
  offer(newer);
  const server = await start();
  await server.refresh();
  await written(newer);
  await expect(readFile(leftOver)).rejects.toMatchObject({ code: "ENOENT" });
});
