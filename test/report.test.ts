// What collections came to, kept for the operator and for the page: bounded, and for the page without a reason.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../snapshots/open-store.ts";
import { readCollections, readReport, writeReport } from "../snapshots/report.ts";
import { temporaryDirectory } from "./_directory.ts";

test("the last 50 results of each snapshot are kept, whatever is collected how often", async () => {
  const store = openStore(await temporaryDirectory());
  await writeReport(store, [{ name: "release-macos", result: "changed" }]);
  for (let run = 0; run < 52; run++)
    await writeReport(store, [{ name: "plans", result: run < 3 ? "failed" : "confirmed" }]);
  const read = await readCollections(store);
  if (read === "unchanged") throw new Error("unchanged from no version at all");
  expect(read.collections.plans?.map(({ result }) => result)).toEqual(["failed", ...Array(49).fill("confirmed")]);
  expect(read.collections["release-macos"]).toMatchObject([{ result: "changed" }]);
  expect(await readCollections(store, read.version)).toBe("unchanged");
});

test("reasons are for the operator alone", async () => {
  const store = openStore(await temporaryDirectory());
  await writeReport(store, [{ name: "plans", result: "failed", reason: "answered 503" }]);
  expect((await readReport(store))?.outcomes).toMatchObject([{ reason: "answered 503" }]);
  expect(JSON.stringify(await readCollections(store))).not.toContain("answered");
});

test("the report of an earlier version has no collections yet, and a damaged one none at all", async () => {
  const directory = await temporaryDirectory();
  const store = openStore(directory);
  const earlier = { format: 1, finishedAt: "2026-01-01T00:00:00.000Z", outcomes: [{ name: "plans", result: "held" }] };
  for (const contents of [JSON.stringify(earlier), "{", undefined]) {
    if (contents !== undefined) await writeFile(join(directory, "last-run.json"), contents);
    expect(await readCollections(store)).toMatchObject({ collections: {} });
  }
  await writeFile(join(directory, "last-run.json"), JSON.stringify(earlier));
  await writeReport(store, [{ name: "release-windows", result: "changed" }]);
  expect((await readReport(store))?.outcomes.map(({ name }) => name)).toEqual(["plans", "release-windows"]);
});
