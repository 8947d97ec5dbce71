// A server that follows another one: it serves the same facts, believes nothing that does not verify, and never serves a fact
// past its end.
import { describe, expect, onTestFinished, test } from "vitest";
import { openReader } from "../../../snapshots/stores/open-store.ts";
import { encodeSnapshot, SNAPSHOT_NAMES, type Snapshot } from "../../../snapshots/snapshot.ts";
import { body, reset, startUpstream, status, type Behaviour } from "../../support/collecting/upstream.ts";
import { isIn } from "../../support/program/feature.ts";
import { FACTS, SHARED } from "../../support/serving/prepared-targets.ts";
import { allSnapshots, startServer } from "../../support/serving/server.ts";
import { NOW, plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const DAY = 24 * 60 * 60_000;
const [PLANS, , MACOS] = FACTS;

/** Starts a server that follows the one at an address, and offers the snapshots itself. */
async function follow(address: string) {
  const store = openReader(`${address}/snapshots/`);
  onTestFinished(() => store.close());
  const server = await startServer({ store, share: true });
  // A start does not wait for long on a busy computer.
  await server.refresh();
  return server;
}

/** A web server with the snapshots as files, and a server that follows it. */
async function startFollower() {
  const host = await startUpstream();
  const set = (name: string, behaviour: Behaviour) => host.set(`/snapshots/${name}.json`, behaviour);
  const offer = (snapshot: Snapshot) => set(snapshot.name, body(encodeSnapshot(snapshot)));
  for (const snapshot of allSnapshots()) offer(snapshot);
  return { set, offer, ...(await follow(host.origin)) };
}

test("the facts of a follower, and of its followers, are those of the first server, and end with them", async () => {
  const first = await startServer({ share: true });
  await first.refresh();
  const second = await follow(`http://127.0.0.1:${first.port}`);
  const third = await follow(`http://127.0.0.1:${second.port}`);
  const chain = [first, second, third];
  const expectSame = async (expected: number) => {
    for (const target of [...FACTS, ...SHARED]) {
      const answers = await Promise.all(chain.map(({ get }) => get(target)));
      const [{ status, text }] = answers as [(typeof answers)[0]];
      expect(status, target).toBe(expected);
      for (const answer of answers) expect(answer, target).toMatchObject({ status, text });
    }
  };
  await expectSame(200);
  await first.publish(plansSnapshot({ revision: 2, confirmedAt: NOW + 1 }));
  for (const { refresh } of chain) await refresh();
  await expectSame(200);
  expect((await third.get(PLANS)).json()).toEqual(plansSnapshot({ revision: 2 }).payload);
  for (const { clock } of chain) clock.pass(DAY + 1);
  for (const { refresh } of chain) await refresh();
  await expectSame(502);
});

test.runIf(isIn("history"))("a follower has no history, which is not the same as an empty one", async () => {
  const { get } = await startFollower();
  for (const target of ["/changes.atom", "/changes.json", "/changes.json?since=2026-01-01"]) {
    expect((await get(target)).status, target).toBe(404);
  }
  for (const target of ["/history/plans", "/history/releases/macos?at=2026-01-01"]) {
    const { status, text } = await get(target);
    expect({ status, error: JSON.parse(text).error }, target).toEqual({
      status: 404,
      error: "There is no history here. The server that this one follows may have one.",
    });
  }
});

describe("a good copy stays until its end (server/mirror/mirror.ts) when the followed server answers", () => {
  const good = plansSnapshot({ revision: 2, confirmedAt: NOW });
  const sealed = Buffer.from(encodeSnapshot(good)).toString();
  /** What else is no snapshot is in test/features/follow/https.test.ts. */
  const LIES: Record<string, Behaviour> = {
    "a snapshot that lasts longer, without the checksum for it": body(sealed.replace("2026-03-02", "2027-03-02")),
    "the snapshot of another name": body(encodeSnapshot(releaseSnapshot("macos", { confirmedAt: NOW + 1 }))),
    "an older snapshot, as of a cache": body(encodeSnapshot(plansSnapshot({ confirmedAt: NOW - DAY / 2 }))),
    "a snapshot of next week": body(encodeSnapshot(plansSnapshot({ revision: 3, confirmedAt: NOW + 7 * DAY }))),
    "that there is nothing": status(404),
    "that it is unchanged, although it is not": status(304),
    nothing: reset(),
  };

  test.for(Object.entries(LIES))("%s", async ([, lie]) => {
    const { get, set, offer, refresh, clock } = await startFollower();
    offer(good);
    await refresh();
    set("plans", lie);
    await refresh();
    const { status, text } = await get(PLANS);
    expect({ status, json: JSON.parse(text) as unknown }).toEqual({ status: 200, json: good.payload });
    clock.pass(DAY - 1);
    await refresh();
    expect((await get(PLANS)).status).toBe(200);
    clock.pass(1);
    await refresh();
    expect((await get(PLANS)).status).toBe(502);
  });
});

test("a snapshot that the followed server does not have leaves the others alone", async () => {
  const { get, set, offer, refresh, warnings } = await startFollower();
  set("plans", status(502));
  offer(releaseSnapshot("macos", { revision: 2, confirmedAt: NOW + 1 }));
  await refresh();
  await refresh();
  expect((await get(MACOS)).json()).toEqual(releaseSnapshot("macos", { revision: 2 }).payload);
  expect((await get(PLANS)).status).toBe(200);
  offer(plansSnapshot());
  await refresh();
  expect(warnings).toEqual([
    expect.stringMatching(/: the followed server is away, or this snapshot is stale or missing there \(HTTP 502\): /),
    expect.stringMatching(/^the store .* again$/),
  ]);
});

test("a server that is away altogether is one line, and one when it is back", async () => {
  const { get, set, offer, refresh, warnings } = await startFollower();
  for (const name of SNAPSHOT_NAMES) set(name, reset());
  await refresh();
  await refresh();
  for (const target of FACTS) expect((await get(target)).status).toBe(200);
  for (const snapshot of allSnapshots()) offer(snapshot);
  await refresh();
  expect(warnings).toHaveLength(2);
});
