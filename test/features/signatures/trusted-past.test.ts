// The past under trust: no server shows what others have written about it into the store.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { appendHistory } from "../../../snapshots/features/history/history.ts";
import { listShown, readShown } from "../../../snapshots/features/history/timeline.ts";
import { readSnapshot } from "../../../snapshots/facts.ts";
import { startCollector } from "../../support/collecting/collector.ts";
import { json } from "../../support/collecting/upstream.ts";
import { vendorPlans } from "../../support/collecting/vendor.ts";
import { startServer } from "../../support/serving/server.ts";
import { forged, newSigning, trustIn } from "../../support/signing.ts";
import { factsIn, NOW, plansSnapshot } from "../../support/snapshot.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Three signed prices of one plan, and a server that trusts the key. */
async function startPast() {
  const signing = newSigning();
  const { upstream, run, store, directory } = await startCollector();
  for (const [index, price] of [10, 12, 14].entries()) {
    const { plans, ...rest } = vendorPlans();
    const [hobby, studio] = plans;
    upstream.set("/plans", json({ ...rest, plans: [hobby, { ...studio, monthlyPrice: price }] }));
    const now = () => NOW - (3 - index) * HOUR;
    await run({ signing, now, staleAfter: DAY, history: { keep: 100, age: 400 * DAY } });
  }
  const trust = trustIn(signing);
  const facts = factsIn(store, { trust });
  const folder = join(directory, "history");
  const entries = (await readdir(folder)).filter((file) => file.startsWith("plans-")).toSorted();
  const edit = async (index: number, change: (text: string) => string) => {
    const path = join(folder, entries[index] ?? "");
    const text = await readFile(path, "utf8");
    expect(change(text)).not.toBe(text);
    await writeFile(path, change(text));
  };
  const shown = async () => (await readShown(facts, "plans")).flatMap(({ changes }) => changes);
  const serve = async () => {
    const { get, refresh } = await startServer({ store, trust });
    await refresh();
    return (await Promise.all(["/changes.json", "/changes.atom", "/"].map((path) => get(path))))
      .map(({ text }) => text)
      .join();
  };
  return {
    store,
    facts,
    trust,
    upstream,
    run: (changes: Parameters<typeof run>[0]) => run({ signing, ...changes }),
    edit,
    shown,
    serve,
  };
}

describe("the past under trust (snapshots/features/history/past.ts)", () => {
  test("changes between signed revisions are shown", async () => {
    const { shown, serve } = await startPast();
    expect((await shown()).join()).toMatch(/12 → 14.*10 → 12/s);
    expect(await serve()).toMatch(/€12 → €14/);
  });

  test("the words of an entry are not: they are written anew from what is signed", async () => {
    const { edit, shown, serve } = await startPast();
    for (const index of [0, 1, 2])
      await edit(index, (text) =>
        text.replace(
          /"changes":\[.*?\],"differences":\[.*?\],"sha/,
          '"changes":["plan evil: added"],"differences":[],"sha',
        ),
      );
    expect((await shown()).join()).toMatch(/12 → 14.*10 → 12/s);
    expect(await serve()).not.toContain("evil");
  });

  test("an entry that nobody has signed is not shown, and neither is what lies behind it", async () => {
    const { store, facts, shown, serve } = await startPast();
    await appendHistory(factsIn(store), plansSnapshot({ revision: 66, confirmedAt: NOW - 90 * 60_000 }));
    await appendHistory(factsIn(store), plansSnapshot({ revision: 67, confirmedAt: NOW - 60_000 }));
    expect((await shown()).join()).toMatch(/12 → 14.*10 → 12/s);
    expect((await listShown(facts, "plans")).map(({ revision }) => revision)).toEqual([3, 2, 1]);
    expect(await serve()).not.toContain("plan-0");
  });

  test("a price whose successor does not prove it is not shown, and no change to it or from it", async () => {
    const { edit, shown } = await startPast();
    await edit(2, (text) => text.replace(/"proof":"[^"]*"/, '"proof":"a.b.c"'));
    expect(await shown()).toEqual([]);
  });

  test("the times of an outage are signed, too", async () => {
    const { store, trust, run, upstream } = await startPast();
    upstream.set("/plans", json(vendorPlans()));
    const later = { staleAfter: HOUR, history: { keep: 100, age: 400 * DAY } };
    await run({ ...later, now: () => NOW });
    await run({ ...later, now: () => NOW + 2 * HOUR });
    const facts = factsIn(store, { trust, now: NOW + 2 * HOUR });
    const read = await readSnapshot(facts, "plans");
    const gaps = [{ from: new Date(NOW + HOUR).toISOString(), until: new Date(NOW + 2 * HOUR).toISOString() }];
    expect(read).toMatchObject({ state: "found", snapshot: { gaps } });
    const stored = await store.get("plans.json");
    const bytes = typeof stored === "object" ? stored.bytes : Buffer.of();
    await store.put(
      "plans.json",
      forged(bytes, "plans", () => ({ gaps: undefined })),
    );
    expect((await readSnapshot(facts, "plans")).damage).toMatchObject({ reason: "damaged" });
  });
});
