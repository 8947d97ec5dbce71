// The S3 store on a real service, Ceph.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { Unreachable } from "../../../snapshots/store.ts";
import { afterTests } from "../../support/clean-up.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { promisesOfAStore } from "../../support/store-contract.ts";
import { missingTool, startCeph, type Ceph } from "./ceph.ts";

const KEY = "plans.json";
const bytes = (text: string) => Buffer.from(text);

const missing = missingTool();
if (missing !== undefined) process.stdout.write(`Ceph is skipped: ${missing} is not installed\n`);

describe.skipIf(missing !== undefined)("Ceph", () => {
  let ceph: Ceph;
  const onFinished = afterTests();
  let prefixes = 0;
  const open = (location: string, environment: Record<string, string> = {}) =>
    openStore(location, { ...ceph.environment, ...environment });

  beforeAll(async () => {
    ceph = await startCeph(await temporaryDirectory(onFinished), onFinished);
    await ceph.createBucket("facts");
  });

  promisesOfAStore(() => {
    const location = `s3://facts/store-${++prefixes}`;
    const another = () => open(location);
    return Promise.resolve({ store: another(), another, hasHints: false });
  });

  test("many keys are listed page by page", async () => {
    const store = open("s3://facts/many");
    const keys = Array.from({ length: 1_100 }, (_, index) => `history/plans-${10_000 + index}.json`);
    for (let start = 0; start < keys.length; start += 50) {
      await Promise.all(keys.slice(start, start + 50).map((key) => store.put(key, bytes("{}"))));
    }
    expect((await store.list("history")).toSorted()).toEqual(keys);
  });

  test("a value in the root of the bucket is read like any other", async () => {
    await open("s3://facts").put(KEY, bytes("of the root"));
    expect(await open("s3://facts").get(KEY)).toMatchObject({ bytes: bytes("of the root") });
  });

  test.for([
    ["s3://absent", {}, "NoSuchBucket"],
    ["s3://facts", { AWS_ACCESS_KEY_ID: "another" }, "InvalidAccessKeyId"],
    ["s3://facts", { AWS_SECRET_ACCESS_KEY: "another" }, "SignatureDoesNotMatch"],
  ] as const)("%s with %j is refused with %s", async ([location, environment, code]) => {
    const store = open(location, environment);
    const operations = [store.get(KEY), store.put(KEY, bytes("new")), store.remove(KEY), store.list("history")];
    for (const result of await Promise.allSettled([...operations, store.claim()])) {
      expect(result).toMatchObject({ status: "rejected", reason: expect.any(Unreachable) as unknown });
      expect(String(result.status === "rejected" && result.reason)).toContain(`(${code})`);
    }
  });

  test("server and collector need only the permissions in SECURITY.md", async () => {
    const text = await readFile(join(import.meta.dirname, "../../../SECURITY.md"), "utf8");
    const [list = "", get = "", ...write] = [...text.matchAll(/`(s3:[A-Z]\w+)`/g)].map(([, action = ""]) => action);
    const users = { server: await ceph.createUser("server"), collector: await ceph.createUser("collector") };
    await ceph.createBucket("shared");
    await ceph.permit("shared", {
      server: { bucket: [list], objects: [get] },
      collector: { bucket: [list], objects: [get, ...write] },
    });
    const [server, collector] = [open("s3://shared/acme", users.server), open("s3://shared/acme", users.collector)];
    expect(await server.get(KEY)).toBeUndefined();
    const claim = await collector.claim();
    const version = await collector.put(KEY, bytes("one"), { ifVersion: null });
    await collector.put("history/plans-1.json", bytes("{}"));
    expect(await server.get(KEY)).toMatchObject({ bytes: bytes("one") });
    expect(await server.get(KEY, version)).toBe("unchanged");
    expect(await server.list("history")).toEqual(["history/plans-1.json"]);
    await collector.remove("history/plans-1.json");
    await claim?.release();
    await expect(server.put(KEY, bytes("two"))).rejects.toThrow("(AccessDenied): SECURITY.md");
    await expect(server.remove(KEY)).rejects.toThrow("(AccessDenied): SECURITY.md");
  });

  test("a gateway that stops is noticed, and so is its return", async () => {
    const store = open("s3://facts/stopped");
    const version = await store.put(KEY, bytes("before"));
    ceph.signalGateway("SIGSTOP");
    onTestFinished(() => ceph.signalGateway("SIGCONT"));
    await expect(store.put(KEY, bytes("lost"), { ifVersion: version })).rejects.toThrow("ETIMEDOUT");
    ceph.signalGateway("SIGCONT");
    const read = await store.get(KEY);
    expect(["before", "lost"].map(bytes)).toContainEqual(typeof read === "object" && read.bytes);
  });

  test("the claim of a collector that dies is lost after 30 s by the clock of the bucket", async () => {
    const dead = open("s3://facts/dead");
    await dead.claim();
    await dead.close();
    await sleep(20_000);
    expect(await open("s3://facts/dead").claim()).toBeUndefined();
    await sleep(13_000);
    expect(await open("s3://facts/dead").claim()).toBeDefined();
  });
});
