// A store in S3 without keys in the environment: with the credentials of a profile or a role, as AWS's own programs find them.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { Unreachable, type Store } from "../../../snapshots/store.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { NO_ROLE, SESSION_MS, startRoleService } from "../../support/role-service.ts";
import { errorOf, KEYS, startS3Double } from "../../support/s3-double.ts";

const KEY = "plans.json";
const bytes = (text: string) => Buffer.from(text);

const NO_CREDENTIALS = new Unreachable(
  "S3 has no credentials here (CredentialsProviderError): set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role or a profile",
);

/** `variables`: of the process, which AWS's chain reads. */
function open(address: Record<string, string>, variables: Record<string, string>): Store {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const store = openStore("s3://facts/acme", address);
  onTestFinished(() => store.close());
  return store;
}

beforeEach(() => {
  onTestFinished(() => void vi.unstubAllEnvs());
});

/** A store whose role has been asked once. `pass`: lets so many ms pass. */
async function startSession() {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const s3 = await startS3Double();
  const role = await startRoleService(s3);
  const store = open(s3.address, role.environments.container);
  await store.put(KEY, bytes("one"));
  return { role, store, pass: (time: number) => vi.setSystemTime(Date.now() + time) };
}

describe("a role (snapshots/features/s3/role.ts)", () => {
  test.for(["container", "instance", "web identity"] as const)(
    "(%s) lets the store read and write, and is asked for once",
    async (kind) => {
      const s3 = await startS3Double();
      const role = await startRoleService(s3);
      const store = open(s3.address, role.environments[kind]);
      const [first] = await Promise.all([store.put(KEY, bytes("one")), store.list("history"), store.get(KEY)]);
      expect(await store.get(KEY, first)).toBe("unchanged");
      await (await store.claim())?.release();
      await store.remove(KEY);
      expect(role.answers).toBe(1);
    },
  );

  test("gets another session before its session ends, without a wait, and after its end", async () => {
    const { role, store, pass } = await startSession();
    pass(SESSION_MS - 60_000);
    await store.get(KEY);
    await vi.waitFor(() => expect(role.answers).toBe(2));
    pass(2 * SESSION_MS);
    expect(await store.get(KEY)).toMatchObject({ bytes: bytes("one") });
    expect(role.answers).toBe(3);
  });

  test("whose service hangs when the session has ended ends every call in time, and works once it answers", async () => {
    const { role, store, pass } = await startSession();
    pass(2 * SESSION_MS);
    role.fault = "hang";
    const start = performance.now();
    const calls = [store.get(KEY), store.put(KEY, bytes("two")), store.list("history"), store.claim()];
    const errors = await Promise.all(calls.map(errorOf));
    expect(performance.now() - start).toBeLessThan(5_000);
    const text = "S3 gets no credentials in time (ETIMEDOUT): see to the service that gives this machine its role";
    expect(errors).toEqual(calls.map(() => new Unreachable(text)));
    role.fault = "none";
    expect(await store.get(KEY)).toMatchObject({ bytes: bytes("one") });
  });

  test.for([
    ["instance", "refuse"],
    ["instance", "hang"],
  ] as const)("(%s) counts as none if its service answers with: %s", async ([kind, fault]) => {
    const s3 = await startS3Double();
    const role = await startRoleService(s3);
    role.fault = fault;
    expect(await errorOf(open(s3.address, role.environments[kind]).get(KEY))).toEqual(NO_CREDENTIALS);
  });

  test.for(["refuse", "away"] as const)("of a container names its service if that answers with: %s", async (fault) => {
    const s3 = await startS3Double();
    const role = await startRoleService(s3);
    role.fault = fault;
    const error = await errorOf(open(s3.address, role.environments.container).get(KEY));
    const { host } = new URL(role.environments.container.AWS_CONTAINER_CREDENTIALS_FULL_URI ?? "");
    const text = `S3 gets no credentials: the service of the role at ${host} is away, or refuses them`;
    const remedy = "see to that service, and to the role";
    expect(error).toEqual(new Unreachable(`${text} (CredentialsProviderError): ${remedy}`));
  });

  test("whose trust policy is refused says so", async () => {
    const s3 = await startS3Double();
    const role = await startRoleService(s3);
    role.fault = "refuse";
    const error = await errorOf(open(s3.address, role.environments["web identity"]).get(KEY));
    const remedy = "correct the role or the profile, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
    expect(error).toEqual(new Unreachable(`S3 gets no credentials (AccessDenied): ${remedy}`));
  });
});

test("a profile has keys", async () => {
  const s3 = await startS3Double();
  const file = join(await temporaryDirectory(), "credentials");
  const lines = Object.entries(KEYS).map(([name, value]) => `${name.toLowerCase()} = ${value}`);
  await writeFile(file, ["[default]", "aws_access_key_id = another", "[acme]", ...lines].join("\n"));
  const store = open(s3.address, { ...NO_ROLE, AWS_SHARED_CREDENTIALS_FILE: file, AWS_PROFILE: "acme" });
  await store.put(KEY, bytes("one"));
  expect(await store.get(KEY)).toMatchObject({ bytes: bytes("one") });
});

test("keys in the environment come first: no role is asked for", async () => {
  const s3 = await startS3Double();
  const role = await startRoleService(s3);
  await open(s3.environment, role.environments.container).list("history");
  expect(role.answers).toBe(0);
});

test("without keys, profile and role, the error says what to set", async () => {
  const s3 = await startS3Double();
  expect(await errorOf(open(s3.address, NO_ROLE).get(KEY))).toEqual(NO_CREDENTIALS);
  expect(s3.requests).toEqual([]);
});
