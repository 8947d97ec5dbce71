// One collector at a time in S3, whatever the clocks and the service do.
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { StoreError } from "../../../snapshots/store.ts";
import { errorOf, startS3Double } from "../../support/s3-double.ts";

const bytes = (text: string) => Buffer.from(text);
const LEASE_MS = 30_000;

describe("a claim (snapshots/features/s3/s3-store.ts)", () => {
  test.for([0, 400 * 86_400_000, -400 * 86_400_000])(
    "is judged by the service's clock alone, which is %i ms ahead",
    async (ahead) => {
      const s3 = await startS3Double();
      s3.ahead = ahead;
      expect(await s3.open().claim()).toBeDefined();
      s3.ahead += LEASE_MS - 2_000;
      expect(await s3.open().claim()).toBeUndefined();
      s3.ahead += 4_000;
      expect(await s3.open().claim()).toBeDefined();
    },
  );

  test("is dead if the service's clock was set back after it", async () => {
    const s3 = await startS3Double();
    await s3.open().claim();
    s3.ahead -= LEASE_MS + 2_000;
    expect(await s3.open().claim()).toBeDefined();
  });

  test("that is refreshed is kept beyond the lease", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const s3 = await startS3Double();
    const claim = await s3.open().claim();
    for (let beats = 0; beats < 3; beats++) {
      s3.ahead += LEASE_MS - 2_000;
      const before = s3.objects.get("acme/.claim");
      vi.advanceTimersByTime(5_000);
      // Other bytes, and so another version: a rival that has read the old one cannot replace it.
      await vi.waitFor(() => expect(s3.objects.get("acme/.claim")?.bytes).not.toEqual(before?.bytes));
      expect(await s3.open().claim()).toBeUndefined();
    }
    await claim?.release();
    expect(await s3.open().claim()).toBeDefined();
  });

  test("that was lost is neither refreshed nor released by the one who lost it", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const s3 = await startS3Double();
    const lost = await s3.open().claim();
    s3.ahead += LEASE_MS + 2_000;
    expect(await s3.open().claim()).toBeDefined();
    vi.clearAllTimers();
    await lost?.release();
    expect(await s3.open().claim()).toBeUndefined();
  });

  test("whose answer was lost is recognised as one's own, and keeps others out until then", async () => {
    const s3 = await startS3Double();
    const [store, other] = [s3.open(), s3.open()];
    await (await store.claim())?.release();
    s3.faults = ["none", ...Array.from({ length: 4 }, () => "cut after" as const)];
    await expect(store.claim()).rejects.toThrow(StoreError);
    expect(await other.claim()).toBeUndefined();
    const claim = await store.claim();
    expect(claim).toBeDefined();
    expect(await store.claim()).toBeUndefined();
    await claim?.release();
    expect(await other.claim()).toBeDefined();
  });

  test("is released through a disturbance", async () => {
    const s3 = await startS3Double();
    const claim = await s3.open().claim();
    s3.faults = ["cut", "none", "cut after", { status: 500, isDone: true }];
    await claim?.release();
    expect(await s3.open().claim()).toBeDefined();
  });

  test.for(["", "garbage", "{}", "null", '{"holder":1}'])("with the bytes %j is none", async (text) => {
    const s3 = await startS3Double();
    s3.objects.set("acme/.claim", { bytes: bytes(text), modified: Date.now() });
    expect(await s3.open().claim()).toBeDefined();
    expect(await s3.open().claim()).toBeUndefined();
  });

  test.for([["if-match"], ["if-none-match"], ["if-match", "if-none-match"]] as const)(
    "is refused by a service that ignores %j, before anything is published",
    async (ignored) => {
      const s3 = await startS3Double({ ignored });
      const problem = "S3 ignores the conditions of writes, which keep collectors apart: use another service";
      expect(await errorOf(s3.open().claim())).toEqual(new StoreError(problem));
      expect([...s3.objects.keys()]).toEqual(["acme/.probe"]);
    },
  );

  test("costs one probe in the life of a process, which leaves one object for all", async () => {
    const s3 = await startS3Double();
    const store = s3.open();
    await (await store.claim())?.release();
    s3.requests.length = 0;
    await (await store.claim())?.release();
    expect(s3.requests).toEqual(
      Array.from({ length: 4 }, (_, index) => `${index % 2 ? "PUT" : "GET"} facts/acme/.claim`),
    );
    await (await s3.open().claim())?.release();
    expect(s3.requests.filter((request) => request.endsWith("/.probe"))).toHaveLength(2);
  });
});
