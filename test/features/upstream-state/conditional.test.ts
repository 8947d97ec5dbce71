// Conditional requests: "not modified" confirms only intact snapshots that were made from that answer.
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SNAPSHOT_NAMES } from "../../../snapshots/snapshot.ts";
import { anotherMillisecond, startCollector } from "../../support/collecting/collector.ts";
import { json, jsonWithEtag } from "../../support/collecting/upstream.ts";
import { vendorPlans, vendorRelease } from "../../support/collecting/vendor.ts";

describe("a conditional request (collector/features/upstream-state/upstream-state.ts)", () => {
  const asked = (upstream: { requests: { path: string; headers: object }[] }) =>
    upstream.requests.filter(({ path }) => path === "/plans").map(({ headers }) => "if-none-match" in headers);

  test("saves the body: a 304 confirms the published payload", async () => {
    const { upstream, run, stored } = await startCollector();
    upstream.set("/plans", jsonWithEtag('"a"', vendorPlans()));
    await run();
    const before = await stored("plans");
    await anotherMillisecond();
    expect((await run()).plans).toMatchObject({ result: "confirmed", payload: vendorPlans() });
    expect(asked(upstream)).toEqual([false, true]);
    const { confirmedAt, freshUntil, ...rest } = await stored("plans");
    expect(before).toMatchObject(rest);
    expect(Date.parse(confirmedAt)).toBeGreaterThan(Date.parse(before.confirmedAt));
    expect(Date.parse(freshUntil)).toBeGreaterThan(Date.parse(before.freshUntil));
  });

  test.for([
    ["the snapshot was damaged", "plans.json", async (path: string) => writeFile(path, "damage")],
    ["the snapshot is gone", "plans.json", (path: string) => rm(path)],
    ["what is known of the upstream is damaged", "upstreams.json", (path: string) => writeFile(path, '{"format":1}')],
    [
      "it would break a header",
      "upstreams.json",
      async (path: string) => writeFile(path, (await readFile(path, "utf8")).replace('\\"a\\"', "a\\r\\nx-evil: 1")),
    ],
  ] as const)("is not made when %s", async ([, file, harm]) => {
    const { upstream, run, stored, directory } = await startCollector();
    upstream.set("/plans", jsonWithEtag('"a"', vendorPlans()));
    await run();
    await harm(join(directory, file));
    expect((await run()).plans.result).not.toBe("failed");
    expect(asked(upstream)).toEqual([false, false]);
    expect((await stored("plans")).payload).toEqual(vendorPlans());
  });

  test("is not made with other settings", async () => {
    const { upstream, run } = await startCollector();
    upstream.set("/plans", jsonWithEtag('"a"', vendorPlans()));
    await run();
    await run({ fingerprints: new Map(SNAPSHOT_NAMES.map((name) => [name, "other settings"])) });
    expect(asked(upstream)).toEqual([false, false]);
  });

  test("is not made when another collector has published since", async () => {
    const [{ upstream, run, stored, store }, other] = [await startCollector(), await startCollector()];
    upstream.set("/plans", jsonWithEtag('"a"', vendorPlans()));
    await run();
    other.upstream.set("/plans", json({ ...vendorPlans(), currency: "CHF" }));
    await anotherMillisecond();
    await other.run({ store });
    await anotherMillisecond();
    expect((await run()).plans).toMatchObject({ result: "changed", payload: { currency: "EUR" } });
    expect(asked(upstream)).toEqual([false, false]);
    expect((await stored("plans")).revision).toBe(3);
  });

  test("is not made after an answer that could not be used", async () => {
    const { upstream, run } = await startCollector();
    upstream.set("/plans", jsonWithEtag('"a"', { currency: "EUR" }));
    expect((await run()).plans.result).toBe("failed");
    expect((await run()).plans.result).toBe("failed");
    expect(asked(upstream)).toEqual([false, false]);
  });

  test("for both platforms is made only when both are published", async () => {
    const { upstream, run } = await startCollector();
    upstream.set("/releases", jsonWithEtag('"a"', { macos: vendorRelease("macos"), windows: null }));
    for (let count = 0; count < 2; count++) {
      const outcomes = await run();
      expect(outcomes["release-windows"].result).toBe("failed");
      expect(outcomes["release-macos"].result).not.toBe("failed");
    }
  });

  test.for(["ä", "€", '"\u{1f4a9}"', "\u0080"])("with an odd ETag such as %j fails no run", async (etag) => {
    const { upstream, run } = await startCollector();
    const bytes = JSON.stringify(vendorPlans());
    const head = `HTTP/1.1 200 OK\r\netag: ${etag}\r\ncontent-length: ${Buffer.byteLength(bytes)}\r\n\r\n`;
    upstream.set("/plans", ({ socket }) => void socket.write(head + bytes));
    await run();
    expect((await run()).plans).toMatchObject({ result: "confirmed" });
  });

  test("can be made with a date alone, even beside an empty ETag", async () => {
    const { upstream, run } = await startCollector();
    const date = "Sat, 28 Feb 2026 10:00:00 GMT";
    upstream.set("/plans", ({ headers }, response) => {
      response.writeHead(headers["if-modified-since"] === date ? 304 : 200, { etag: "", "last-modified": date });
      response.end(JSON.stringify(vendorPlans()));
    });
    await run();
    expect((await run()).plans).toMatchObject({ result: "confirmed" });
    expect(upstream.requests.filter(({ headers }) => headers["if-modified-since"] === date)).toHaveLength(1);
  });
});
