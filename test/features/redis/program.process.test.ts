// The whole program over a Redis with users and with TLS.
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { selfSigned } from "../../support/certificate.ts";
import { json } from "../../support/collecting/upstream.ts";
import { vendorPlans } from "../../support/collecting/vendor.ts";
import { freePort } from "../../support/port.ts";
import { isIn } from "../../support/program/feature.ts";
import { runInProcess, startInProcess } from "../../support/program/in-process.ts";
import { startStdioInProcess } from "../../support/program/stdio.ts";
import { vitrine } from "../../support/program/run.ts";
import { settingsDirectory, startVendor } from "../../support/program/settings.ts";
import { NO_REDIS, startRedis } from "../../support/redis.ts";
import { isOk, pollUntil } from "../../support/serving/server.ts";
import { startProxy } from "../../support/tcp-proxy.ts";

const SECRET = "T0XYZ-hunter2";
const SOURCE = { from: "file", path: "facts.json" };
const USERS = { server: "s3rver-user", collector: "c0llector-user" };

/** The users of SECURITY.md, with names and passwords of this test, as commands. */
async function users(): Promise<string[][]> {
  const text = await readFile(join(import.meta.dirname, "../../../SECURITY.md"), "utf8");
  const rules = [...text.matchAll(/^(ACL SETUSER .*)$/gm)].map(([, rule = ""]) => rule.split(/ +/));
  expect(rules.map(([, , name]) => name)).toEqual(Object.keys(USERS));
  return rules.map(([acl = "", setuser = "", name, ...words]) => [
    acl,
    setuser,
    USERS[name as keyof typeof USERS],
    ...words.map((word) => word.replace("PASSWORD", SECRET)),
  ]);
}

describe.skipIf(NO_REDIS !== undefined)("with Redis", () => {
  test("collector and server need only the permissions in SECURITY.md, and survive an outage", async () => {
    const redis = await startRedis(onTestFinished);
    const startUsers = async (server: typeof redis) => {
      for (const user of await users()) expect(await server.command(...user)).toBe("+OK");
      expect(await server.command("ACL", "SETUSER", "default", "off")).toBe("+OK");
    };
    await startUsers(redis);
    const { directory } = await startVendor();
    const { host } = new URL(redis.location());
    const location = `redis://${USERS.collector}:${SECRET}@${host}/0/acme`;
    const collect = () => runInProcess(["collect"], directory, { SNAPSHOTS: location });
    const collected = await collect();
    expect(collected).toMatchObject({ code: 0, stderr: "" });

    const environment = {
      SNAPSHOTS: `redis://${host}/0/acme`,
      REDIS_USERNAME: USERS.server,
      REDIS_PASSWORD: SECRET,
    };
    const server = await startInProcess(["serve"], { directory, environment });
    expect((await server.get("/api/v1/plans")).status).toBe(200);
    await redis.kill();
    await pollUntil(
      () => Promise.resolve(server.errors()),
      (lines) => lines.includes("cannot be read"),
    );
    const failed = await collect();
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/ECONNREFUSED/) });
    expect((await server.get("/api/v1/plans")).status).toBe(200);
    await startUsers(await startRedis(onTestFinished, redis));
    expect(await collect()).toMatchObject({ code: 0 });
    await pollUntil(
      () => Promise.resolve(server.errors()),
      (lines) => lines.includes("can be read again"),
    );
    expect(server.errors().match(/cannot be read/g)).toHaveLength(1);
    expect(await server.stop()).toBe(0);
  });

  test("a server starts while its store is silent, answers 502, and has the facts once the store answers", async () => {
    const redis = await startRedis(onTestFinished);
    const { directory } = await startVendor();
    const SNAPSHOTS = redis.location();
    expect(await runInProcess(["collect"], directory, { SNAPSHOTS })).toMatchObject({ code: 0 });
    const proxy = await startProxy(redis.port);
    proxy.drop();
    // Metrics need the deferred part of the server from the start.
    const environment = { SNAPSHOTS: SNAPSHOTS.replace(`:${redis.port}`, `:${proxy.port}`), METRICS: "on" };
    const server = await startInProcess(["serve"], { directory, environment });
    expect((await server.get("/api/v1/plans")).status).toBe(502);
    if (isIn("metrics")) expect((await server.get("/metrics")).status).toBe(200);
    proxy.restore();
    await pollUntil(() => server.get("/api/v1/plans"), isOk);
    const warned =
      /^! the store cannot be read: Redis .*; answered with 502 until it can\n! the store can be read again\n$/;
    expect(server.errors()).toMatch(warned);
  });

  test.runIf(isIn("follow"))(
    "with LAST_COPY a restart while the store is away, or empty, changes nothing: for readers, hosts and the guard",
    async () => {
      const redis = await startRedis(onTestFinished);
      const { directory, upstream } = await startVendor();
      const environment = { SNAPSHOTS: redis.location(), LAST_COPY: "kept" };
      const run = async (command: string) => startInProcess([command], { directory, environment });
      const first = await run("start");
      const facts = await pollUntil(() => first.get("/api/v1/plans"), isOk);
      expect(await first.stop()).toBe(0);
      // A process would end when all is written.
      await pollUntil(
        () => readdir(join(directory, "kept"), { recursive: true }).catch((): string[] => []),
        (files) => files.some((file) => basename(file) === "plans.json"),
      );

      await redis.kill();
      const nameless = await settingsDirectory({ plans: SOURCE, releases: SOURCE });
      const of = (SNAPSHOTS: string) => ({ SNAPSHOTS, LAST_COPY: join(directory, "kept") });
      const [again, other] = await Promise.all([
        run("serve"),
        startInProcess(["serve"], { directory: nameless, environment: of(redis.location()) }),
      ]);
      expect((await again.get("/api/v1/plans")).bytes).toEqual(facts.bytes);
      expect(again.errors()).toMatch(/^! the store cannot be read: .*; served from lastCopy until stale: plans.*\n$/);
      // Of another store, though a server without a product would accept it.
      expect((await other.get("/api/v1/plans")).status).toBe(502);
      if (isIn("mcp")) {
        const agent = startStdioInProcess({ directory: nameless, environment: of(environment.SNAPSHOTS) });
        const answer = await agent.ask("tools/call", { name: "get_pricing", arguments: {} });
        expect(answer).toMatchObject({ result: { structuredContent: facts.json() } });
      }
      expect(await again.stop()).toBe(0);

      if (!isIn("guard")) return;
      await startRedis(onTestFinished, redis);
      upstream.set("/plans", json({ ...vendorPlans(), currency: "CHF" }));
      const emptied = await run("start");
      await pollUntil(
        async () => emptied.output(),
        (lines) => /held: the currency would change .*; the store has no readable snapshot of it/.test(lines),
      );
      expect((await emptied.get("/api/v1/plans")).bytes).toEqual(facts.bytes);
    },
  );

  test("TLS is used if the certificate holds, and nothing is sent if it does not", async ({ skip }) => {
    const certificate = await selfSigned();
    if (!certificate) return skip("openssl made no certificate");
    const port = await freePort();
    const key = certificate.path.replace("certificate.pem", "key.pem");
    const tls = ["--tls-cert-file", certificate.path, "--tls-key-file", key, "--tls-auth-clients", "no"];
    const redis = await startRedis(onTestFinished, { settings: ["--tls-port", String(port), ...tls] });
    const location = `rediss://127.0.0.1:${port}/0/acme`;
    const failure = async (location: string) => {
      const store = openStore(location);
      const read = await store.get("plans.json").catch(String);
      await store.close();
      return read;
    };
    const untrusted = /Redis has no certificate that holds for its address \(DEPTH_ZERO_SELF_SIGNED_CERT\): /;
    expect(await failure(location)).toMatch(untrusted);
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await failure(location)).toMatch(untrusted);
    expect(await failure(location.replace("rediss:", "redis:"))).toMatch(
      /(ended the connection|its protocol) .*rediss:/,
    );
    expect(await failure(redis.location().replace("redis:", "rediss:"))).toMatch(/Redis .*\(ETIMEDOUT|ERR_SSL/);

    const directory = await settingsDirectory({ plans: SOURCE, releases: SOURCE });
    const environment = { SNAPSHOTS: location, NODE_EXTRA_CA_CERTS: certificate.path };
    if (!isIn("status")) return;
    expect(await vitrine(["status"], { directory, environment })).toMatchObject({ code: 3, stderr: "" });
  });
});
