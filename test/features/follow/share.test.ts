// The snapshots that a server offers to those that follow it: the bytes of the store, for as long as they are facts.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { decodeSnapshot, encodeSnapshot } from "../../../snapshots/snapshot.ts";
import { asNewer } from "../../support/newer-store.ts";
import { SHARED, untilCompressed } from "../../support/serving/prepared-targets.ts";
import { ask, startServer } from "../../support/serving/server.ts";
import { NOW, plansSnapshot } from "../../support/snapshot.ts";

const DAY = 24 * 60 * 60_000;
const [PLANS] = SHARED;

describe("the snapshots at /snapshots/ (server/features/follow/shared-snapshots.ts)", () => {
  test("they are offered only if the settings say so", async () => {
    const { get } = await startServer();
    for (const target of SHARED) expect((await get(target)).status).toBe(404);
  });
});

test("they are the bytes of the store, in every encoding, also for HEAD and for web pages", async () => {
  const { get, port, directory } = await startServer({ share: true });
  await untilCompressed(port);
  for (const target of SHARED) {
    const stored = await readFile(join(directory, target.replace("/snapshots/", "")));
    const { status, headers, bytes } = await get(target);
    expect(status).toBe(200);
    expect(bytes.equals(stored)).toBe(true);
    expect(headers).toMatchObject({ "content-type": "application/json", "access-control-allow-origin": "*" });
    const packed = await get(target, { "accept-encoding": "br" });
    expect(packed.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(packed.bytes).equals(stored)).toBe(true);
    const head = await ask(port, target, { method: "HEAD" });
    expect(head).toMatchObject({ status: 200, text: "", headers: { etag: headers.etag } });
  }
});

test("what a newer collector stored is passed on as it is, with the facts of the same read", async () => {
  const { get, directory, refresh } = await startServer({ share: true });
  const later = plansSnapshot({ revision: 2, confirmedAt: NOW + 2 });
  const stored = asNewer(encodeSnapshot(later));
  await writeFile(join(directory, "plans.json"), stored);
  await refresh();
  expect((await get(PLANS)).bytes.equals(stored)).toBe(true);
  expect((await get("/api/v1/plans")).json()).toEqual(later.payload);
});

test("nothing else of the store is offered", async () => {
  const { get, publish } = await startServer({ share: true });
  await publish(plansSnapshot({ revision: 2 }));
  const others = ["", "plans.json.prev", "last-run.json", "plans.held.json", "upstreams.json", "history/plans-1.json"];
  for (const key of others) expect((await get(`/snapshots/${key}`)).status, key).toBe(404);
  const traversal = ["..%2fplans.json.prev", "%2e%2e/snapshots/plans.json.prev", "PLANS.json"];
  for (const key of traversal) expect((await get(`/snapshots/${key}`)).status, key).toBe(404);
});

test("a confirmation makes a new one, although the facts have not changed", async () => {
  const { get, publish, refresh } = await startServer({ share: true });
  const { headers } = await get(PLANS);
  const held = { "if-none-match": headers.etag ?? "" };
  expect((await get(PLANS, held)).status).toBe(304);
  await publish({ ...plansSnapshot(), confirmedAt: new Date(NOW + 1).toISOString() });
  await refresh();
  const { status, bytes } = await get(PLANS, held);
  expect(status).toBe(200);
  expect(decodeSnapshot(bytes, "plans").confirmedAt).toBe(new Date(NOW + 1).toISOString());
});

test("no cache may keep one that is no fact any more", async () => {
  const { get, clock } = await startServer({ share: true });
  const { headers } = await get(PLANS);
  clock.pass(DAY);
  const late = await get(PLANS, { "if-none-match": headers.etag ?? "" });
  expect(late).toMatchObject({ status: 502, headers: { "cache-control": "no-store" } });
  expect(late.headers.etag).toBeUndefined();
});
