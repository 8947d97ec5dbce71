// The report of collections for the operator and the page: bounded, and without reasons for the page.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { readReport, readReportIfNot, writeReport } from "../../snapshots/records.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { factsIn } from "../support/snapshot.ts";

const milliseconds = 1;

describe("the report (snapshots/records.ts)", () => {
  test("the last 50 results of each snapshot are kept, and all are counted", async () => {
    const store = openStore(await temporaryDirectory());
    await writeReport(factsIn(store), [{ name: "release-macos", result: "changed", milliseconds }]);
    for (let run = 0; run < 52; run++)
      await writeReport(factsIn(store), [{ name: "plans", result: run < 3 ? "failed" : "confirmed", milliseconds }]);
    const report = await readReport(factsIn(store));
    expect(report?.collections.plans?.map(({ result }) => result)).toEqual(["failed", ...Array(49).fill("confirmed")]);
    expect(report?.collections["release-macos"]).toMatchObject([{ result: "changed" }]);
    expect(report?.outcomes.find(({ name }) => name === "plans")?.counts).toMatchObject({ failed: 3, confirmed: 49 });
  });

  test("a report that a reader already has is unchanged", async () => {
    const store = openStore(await temporaryDirectory());
    await writeReport(factsIn(store), [{ name: "plans", result: "changed", milliseconds }]);
    const { version } = await readReportIfNot(factsIn(store), undefined);
    expect(await readReportIfNot(factsIn(store), version)).toEqual({ document: undefined, version });
  });

  test("the page's part of the report has no reasons", async () => {
    const store = openStore(await temporaryDirectory());
    await writeReport(factsIn(store), [{ name: "plans", result: "failed", reason: "answered 503", milliseconds }]);
    const { outcomes, collections } = (await readReport(factsIn(store))) ?? {};
    expect(outcomes).toMatchObject([{ reason: "answered 503" }]);
    expect(JSON.stringify(collections)).not.toContain("answered");
  });

  test("a damaged report, or one of another version, counts as none, and the next run begins a new one", async () => {
    const directory = await temporaryDirectory();
    const store = openStore(directory);
    for (const contents of ["{", JSON.stringify({ format: 1, outcomes: [] })]) {
      await writeFile(join(directory, "last-run.json"), contents);
      expect(await readReport(factsIn(store))).toBeUndefined();
      await writeReport(factsIn(store), [{ name: "release-windows", result: "changed", milliseconds }]);
      expect((await readReport(factsIn(store)))?.outcomes).toMatchObject([{ name: "release-windows" }]);
    }
  });
});
