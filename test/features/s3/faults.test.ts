// The store in S3 with a service that refuses, disturbs, or does not answer.
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { Conflict, StoreError, Unreachable, type Store, MAX_VALUE_BYTES } from "../../../snapshots/store.ts";
import { selfSigned } from "../../support/certificate.ts";
import { freePort } from "../../support/port.ts";
import { errorOf, startS3Double, type Fault } from "../../support/s3-double.ts";

const KEY = "plans.json";
const bytes = (text: string) => Buffer.from(text);

/** All operations, by name. */
const OPERATIONS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  get: (store) => store.get(KEY),
  "conditional get": (store) => store.get(KEY, "a version"),
  put: (store) => store.put(KEY, bytes("new")),
  create: (store) => store.put(KEY, bytes("new"), { ifVersion: null }),
  replace: (store) => store.put(KEY, bytes("new"), { ifVersion: "a version" }),
  remove: (store) => store.remove(KEY),
  list: (store) => store.list("history"),
  claim: (store) => store.claim(),
};

describe("a fault of the service is one line with its code and a remedy (snapshots/features/s3/faults.ts):", () => {
  test.for([
    [403, "AccessDenied", "SECURITY.md"],
    [403, "InvalidAccessKeyId", "AWS_ACCESS_KEY_ID"],
    [403, "SignatureDoesNotMatch", "AWS_SECRET_ACCESS_KEY or AWS_REGION"],
    [403, "RequestTimeTooSkewed", "set its clock"],
    [400, "ExpiredToken", "AWS_SESSION_TOKEN"],
    [404, "NoSuchBucket", "create it"],
    [301, "PermanentRedirect", "AWS_REGION"],
    [307, "TemporaryRedirect", "AWS_REGION"],
    [400, "AuthorizationHeaderMalformed", "AWS_REGION"],
    [418, undefined, "AWS_ENDPOINT_URL_S3"],
    [404, undefined, "AWS_ENDPOINT_URL_S3"],
    [503, "SlowDown", "ask its operator"],
    [500, "InternalError", "ask its operator"],
    [429, undefined, "ask its operator"],
  ] as const)("%i %s", { timeout: 20_000 }, async ([status, code, remedy]) => {
    const s3 = await startS3Double();
    s3.constantFault = {
      status,
      ...(code !== undefined && { code }),
      headers: { location: "https://elsewhere.example/" },
    };
    const errors = await Promise.all(Object.values(OPERATIONS).map((operate) => errorOf(operate(s3.open()))));
    for (const error of errors) {
      expect(error).toBeInstanceOf(Unreachable);
      expect(error.message).toMatch(new RegExp(`^S3 [^\\n]+ \\(${code ?? `HTTP ${status}`}\\): [^\\n]*${remedy}`));
    }
  });

  test("a code that is not known is not shown, because it may be anything", { timeout: 20_000 }, async () => {
    const s3 = await startS3Double();
    for (const status of [400, 503]) {
      s3.constantFault = { status, code: "Hush.Secret1" };
      const { message } = await errorOf(s3.open().get(KEY));
      expect(message).toMatch(new RegExp(`^S3 [^\\n]+ \\(HTTP ${status}\\): `));
      expect(message).not.toContain("Hush");
    }
  });

  test.for([
    [501, "NotImplemented", "use another service"],
    [403, "QuotaExceeded", "raise the quota"],
  ] as const)("%i %s of a write, after which the store is still read", async ([status, code, remedy]) => {
    const s3 = await startS3Double();
    s3.constantFault = { status, code };
    const error = await errorOf(s3.open().put(KEY, bytes("new")));
    expect(error).not.toBeInstanceOf(Unreachable);
    expect(error.message).toContain(remedy);
  });

  test("an endpoint that names the bucket, too", async () => {
    const s3 = await startS3Double();
    const AWS_ENDPOINT_URL_S3 = `${s3.environment.AWS_ENDPOINT_URL_S3}/facts`;
    const store = openStore("s3://facts/acme", { ...s3.environment, AWS_ENDPOINT_URL_S3 });
    expect((await errorOf(store.list("history"))).message).toBe(
      "S3 has no such bucket at this address (NoSuchKey): write no bucket into AWS_ENDPOINT_URL_S3",
    );
  });

  test("a login page in its place, which has ignored no condition", async () => {
    const s3 = await startS3Double();
    s3.constantFault = { status: 200, body: "<html>Log in</html>" };
    expect(await errorOf(s3.open().claim())).toEqual(
      new Unreachable("S3 does not answer as S3 does (no ETag): correct AWS_ENDPOINT_URL_S3 or AWS_REGION"),
    );
  });

  test("a wrong secret", async () => {
    const s3 = await startS3Double();
    const store = openStore("s3://facts/acme", { ...s3.environment, AWS_SECRET_ACCESS_KEY: "wrong" });
    expect((await errorOf(store.get(KEY))).message).toContain("SignatureDoesNotMatch");
  });
});

// Some take 5 s or several tries, so they run at the same time.
describe.concurrent("a call ends", () => {
  test.for([
    ["hang", "ETIMEDOUT"],
    ["slow", "ETIMEDOUT"],
    ["cut", "ECONNRESET"],
  ] as const)("if the service answers with %s", async ([fault, code], { onTestFinished: onFinished }) => {
    const s3 = await startS3Double({ onFinished });
    s3.constantFault = fault;
    const errors = await Promise.all(Object.values(OPERATIONS).map((operate) => errorOf(operate(s3.open()))));
    expect(errors.map(({ name }) => name)).toEqual(errors.map(() => "Unreachable"));
    for (const { message } of errors) expect(message).toContain(`S3 does not answer (${code})`);
  });

  test("and its connection before the next poll, by which time it may be lost without a sign", async ({
    onTestFinished: onFinished,
  }) => {
    const s3 = await startS3Double({ onFinished });
    const store = s3.open();
    await store.put(KEY, bytes("new"));
    await store.get(KEY);
    expect(s3.connections).toBe(1);
    await vi.waitFor(async () => expect(await s3.openConnections()).toBe(0), { timeout: store.pace });
  });

  test("if the store is closed meanwhile", async ({ onTestFinished: onFinished }) => {
    const s3 = await startS3Double({ onFinished });
    s3.constantFault = "hang";
    const store = s3.open();
    const failed = errorOf(store.get(KEY));
    await vi.waitFor(() => expect(s3.requests).toHaveLength(1));
    await store.close();
    expect((await failed).message).toBe("the store is closed");
  });
});

describe.concurrent("a disturbance that passes is not noticed:", () => {
  const DISTURBED: Fault[][] = [
    [{ status: 503, code: "SlowDown" }, "cut", { status: 500 }],
    [{ status: 429 }, { status: 409, code: "ConditionalRequestConflict" }, "cut after"],
    [{ status: 500, isDone: true }, "cut after", { status: 409, code: "OperationAborted" }],
  ];
  test.for(DISTURBED)("%j, %j, %j", async (faults, { onTestFinished: onFinished }) => {
    const s3 = await startS3Double({ onFinished });
    const store = s3.open();
    for (const ifVersion of [null, "present", undefined] as const) {
      const read = await store.get(KEY);
      const present = typeof read === "object" ? read.version : null;
      s3.faults = [...faults];
      const condition = ifVersion === undefined ? {} : { ifVersion: ifVersion && present };
      const version = await store.put(KEY, bytes(`value ${ifVersion}`), condition);
      expect(s3.faults).toEqual([]);
      expect(await store.get(KEY)).toMatchObject({ bytes: bytes(`value ${ifVersion}`), version });
    }
    s3.faults = [...faults];
    expect(await store.list("history")).toEqual([]);
    s3.faults = [...faults];
    await store.remove(KEY);
    expect(await store.get(KEY)).toBeUndefined();
  });

  test("the fourth failure in a row is the last", async ({ onTestFinished: onFinished }) => {
    const s3 = await startS3Double({ onFinished });
    s3.faults = ["cut", "cut", "cut", { status: 503, code: "SlowDown" }];
    expect((await errorOf(s3.open().put(KEY, bytes("new")))).message).toContain("SlowDown");
    expect(s3.objects.size).toBe(0);
  });
});

describe("an address is wrong:", () => {
  test("a closed port, an unknown name, another protocol", async () => {
    const port = await freePort();
    const open = (origin: string) => {
      const environment = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret", AWS_ENDPOINT_URL_S3: origin };
      return openStore("s3://facts", environment).get(KEY);
    };
    expect((await errorOf(open(`http://127.0.0.1:${port}`))).message).toContain("ECONNREFUSED");
    expect((await errorOf(open("http://nowhere.invalid"))).message).toMatch(/ENOTFOUND|EAI_AGAIN|ETIMEDOUT/);
    const s3 = await startS3Double();
    expect((await errorOf(open(s3.origin.replace("http:", "https:")))).message).toContain("write http: or https:");
  });

  test("if its certificate is not accepted, whatever the environment says", async (context) => {
    const tls = await selfSigned();
    if (!tls) return context.skip("needs openssl");
    const s3 = await startS3Double({ tls });
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    onTestFinished(() => void vi.unstubAllEnvs());
    const error = await errorOf(s3.open().get(KEY));
    expect(error.message).toMatch(/\(DEPTH_ZERO_SELF_SIGNED_CERT\): .*NODE_EXTRA_CA_CERTS/);
    expect(s3.requests).toEqual([]);
  });
});

test("a value that is too large is not read to its end, and can be replaced", async () => {
  const s3 = await startS3Double();
  await s3.open().put(KEY, Buffer.alloc(MAX_VALUE_BYTES + 1));
  const error = await errorOf(s3.open().get(KEY));
  expect(error).toBeInstanceOf(StoreError);
  expect(error).not.toBeInstanceOf(Unreachable);
  const { version } = error as StoreError;
  await s3.open().put(KEY, bytes("small"), { ifVersion: version ?? null });
  expect(await s3.open().get(KEY)).toMatchObject({ bytes: bytes("small") });
  s3.faults = ["endless"];
  expect((await errorOf(s3.open().list("history"))).message).toContain("no list of keys");
});

test("a write without a clear end has lost if another one is there", async () => {
  const s3 = await startS3Double();
  const store = s3.open();
  const version = await store.put(KEY, bytes("before"));
  const meanwhile = () => void s3.objects.set(`acme/${KEY}`, { bytes: bytes("theirs"), modified: Date.now() });
  s3.faults = [{ status: 500, meanwhile }];
  await expect(store.put(KEY, bytes("mine"), { ifVersion: version })).rejects.toThrow(Conflict);
});

test("a clear refusal is not repeated", async () => {
  const s3 = await startS3Double();
  await s3.open().put(KEY, bytes("before"));
  s3.requests.length = 0;
  await expect(s3.open().put(KEY, bytes("mine"), { ifVersion: null })).rejects.toThrow(Conflict);
  expect(s3.requests).toEqual([`PUT facts/acme/${KEY}`]);
});

test("requests share connections", async () => {
  const s3 = await startS3Double();
  const store = s3.open();
  for (let count = 0; count < 20; count++) await store.get(KEY);
  expect(s3.connections).toBe(1);
});

test("a store that is closed holds no connection", async () => {
  const s3 = await startS3Double();
  const store = s3.open();
  await store.get(KEY);
  await store.close();
  await store.close();
  await vi.waitFor(async () => expect(await s3.openConnections()).toBe(0));
  expect(await errorOf(store.get(KEY))).toBeInstanceOf(Unreachable);
});

describe("lists", () => {
  test("have the store's own keys from all pages, whatever else lies in the bucket", async () => {
    const s3 = await startS3Double({ pageSize: 3 });
    const own = Array.from({ length: 10 }, (_, index) => `history/plans-${index}.json`);
    const others = [
      "acme/history/&<>.json",
      "acme/history/a/b.json",
      "acme/historyb.json",
      "acme2/history/plans-1.json",
    ];
    for (const key of [...own.map((key) => `acme/${key}`), ...others]) {
      s3.objects.set(key, { bytes: bytes("{}"), modified: 0 });
    }
    expect((await s3.open().list("history")).toSorted()).toEqual(own);
  });

  test("end, even if the service always has another page", async () => {
    const s3 = await startS3Double();
    const token = "<IsTruncated>true</IsTruncated><NextContinuationToken>again</NextContinuationToken>";
    const body = `<ListBucketResult>${token}</ListBucketResult>`;
    s3.constantFault = { status: 200, body };
    expect((await errorOf(s3.open().list("history"))).message).toContain("over 20 pages");
  });

  test.for(["", "<html><br></html>", "<ListBucketResult>", "<Other/>", "{}"])("are not read from %j", async (body) => {
    const s3 = await startS3Double();
    s3.constantFault = { status: 200, body };
    expect((await errorOf(s3.open().list("history"))).message).toContain("no list of keys");
  });
});
