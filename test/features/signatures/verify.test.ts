// `vitrine verify`: what it says of an honest host, of one that lies, and of one that has nothing to prove.
import { describe, expect, test } from "vitest";
import { claimsOf, keySet, signClaims, type Claims } from "../../../snapshots/features/signatures/proof.ts";
import { PLATFORMS } from "../../../snapshots/schema.ts";
import type { Snapshot } from "../../../snapshots/snapshot.ts";
import { startUpstream, type Behaviour } from "../../support/collecting/upstream.ts";
import { typeInProcess } from "../../support/program/in-process.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { newSigning } from "../../support/signing.ts";
import { plansSnapshot, releaseSnapshot, resealed } from "../../support/snapshot.ts";

const PLANS = "/api/v1/plans";
const PROOF = "/proofs/plans.jwt";
const JWKS = "/.well-known/jwks.json";
const HOUR = 60 * 60_000;

/** A host with signed facts, which a test makes lie. */
async function startHost() {
  const host = await startUpstream();
  const base = host.url("").replace(/\/$/, "");
  const signing = newSigning({ issuer: base });
  const send = (path: string, body: string, type = "application/json", status = 200) =>
    host.set(path, (_, response) => response.writeHead(status, { "content-type": type }).end(body));
  const confirmedAt = Date.now() - HOUR;
  const snapshots = {
    plans: plansSnapshot({ confirmedAt }),
    macos: releaseSnapshot("macos", { confirmedAt }),
    windows: releaseSnapshot("windows", { confirmedAt }),
  };
  const token = (snapshot: Snapshot, changes: Partial<Claims> = {}, by = signing) =>
    signClaims({ ...claimsOf(snapshot, base), ...changes }, by.key);
  const prove = (proof: string, path = PROOF) => send(path, proof, "application/jwt");
  const latest = (path: URL) => snapshots[path.searchParams.get("platform") === "windows" ? "windows" : "macos"].text;
  host.set("/api/v1/releases/latest", ({ url = "" }, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(latest(new URL(url, base)));
  });
  send(PLANS, snapshots.plans.text);
  prove(token(snapshots.plans));
  for (const platform of PLATFORMS) prove(token(snapshots[platform]), `/proofs/releases/${platform}.jwt`);
  send(JWKS, JSON.stringify(keySet([signing.key.publicKey])));
  const directory = await temporaryDirectory();
  const verify = (...words: string[]) => typeInProcess(["verify", base, ...words], { directory });
  return { ...host, base, signing, snapshots, send, prove, token, verify, key: signing.key.publicKey, directory };
}

describe("an honest host (cli/features/signatures/verify.ts)", () => {
  test("is proven, with a line for each fact, and a key that is its own is to be pinned", async () => {
    const { verify, key, base } = await startHost();
    const { code, stdout, stderr } = await verify();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const until = String.raw`until 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z: revision 1, confirmed at 20`;
    for (const name of ["plans", "macos", "windows"])
      expect(stdout).toMatch(new RegExp(`^ {2}✔ ${name} +proven by ${key} ${until}`, "m"));
    expect(stdout).toContain("The key is that of the same host");
    expect(stdout).toMatch(new RegExp(`verify (-- )?${base} --key ${key}$`, "m"));
  });

  test("is proven by tokens without the claims that readers of snapshots want", async () => {
    const { verify, prove, token, snapshots } = await startHost();
    prove(token(snapshots.plans, { changed: undefined }));
    expect(await verify()).toMatchObject({ code: 0, stderr: "" });
  });

  test("is proven by bytes in whatever character set it says, and by a token with the end of a line", async () => {
    const { verify, send, prove, token, snapshots } = await startHost();
    send(PLANS, snapshots.plans.text, "application/json; charset=utf-16");
    prove(`${token(snapshots.plans)}\n`);
    expect(await verify()).toMatchObject({ code: 0, stderr: "" });
  });

  test("is proven by a pinned key, without a word of its own", async () => {
    const { verify, key, send, base, directory } = await startHost();
    send(JWKS, "nothing", "text/plain", 404);
    const { code, stdout } = await verify("--key", key);
    expect([code, stdout.trimEnd().split("\n").length]).toEqual([0, 3]);
    const next = newSigning().key.publicKey;
    expect((await verify("--key", `${next},${key}`)).code).toBe(0);
    expect((await typeInProcess(["verify", `${base}/`, "--key", key], { directory })).code).toBe(0);
  });

  test("is asked past its caches before the answer is no", async () => {
    const { verify, set, snapshots, token, requests } = await startHost();
    const older = resealed(snapshots.plans, plansSnapshot({ revision: 2 }).payload);
    set(PROOF, ({ headers }, response) => {
      response.end(token(headers["cache-control"] === "no-cache" ? snapshots.plans : older));
    });
    expect((await verify()).code).toBe(0);
    expect(requests.filter(({ path }) => path === PLANS)).toHaveLength(2);
    expect(requests.find(({ path }) => path.startsWith(PROOF))?.path).toBe(`${PROOF}?sha256=${snapshots.plans.sha256}`);
  });
});

type Host = Awaited<ReturnType<typeof startHost>>;

describe("a host that lies is disproved", () => {
  const endingIn =
    (text: string, bytes: number[]): Behaviour =>
    (_, response) =>
      response.end(Buffer.concat([Buffer.from(text), Buffer.from(bytes)]));
  const LIES: [lie: string, tell: (host: Host) => unknown, said: string][] = [
    [
      "about a price",
      ({ send, snapshots }) => send(PLANS, snapshots.plans.text.replace('"monthly":1', '"monthly":2')),
      "other bytes",
    ],
    [
      "by a byte that is no text",
      ({ set, snapshots }) => set(PLANS, endingIn(snapshots.plans.text, [0xff])),
      "other bytes",
    ],
    ["by a byte order mark", ({ send, snapshots }) => send(PLANS, `\uFEFF${snapshots.plans.text}`), "other bytes"],
    [
      "with another key",
      ({ prove, token, snapshots }) => prove(token(snapshots.plans, {}, newSigning())),
      "signed by a key that is not trusted",
    ],
    [
      "with the proof of another fact",
      ({ prove, token, snapshots }) => prove(token(snapshots.macos)),
      "signed for another subject",
    ],
    [
      "with the proof of another API",
      ({ prove, token, snapshots }) => prove(token(snapshots.plans, { iss: "https://other.example" })),
      "signed for another issuer",
    ],
    [
      "with a broken signature",
      ({ prove, token, snapshots }) => prove(token(snapshots.plans).replace(/.{4}$/, "AAAA")),
      "its signature is not valid",
    ],
    ["with no token", ({ prove }) => prove("true"), "not a token"],
    [
      "with a time that no date has",
      ({ prove, token, snapshots }) => prove(token(snapshots.plans, { exp: Number.MAX_SAFE_INTEGER })),
      "its times are impossible",
    ],
  ];
  test.for(LIES)("%s", async ([, tell, said]) => {
    const host = await startHost();
    tell(host);
    const { code, stdout } = await host.verify("--key", host.key);
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^ {2}✖ plans +not proven for ${host.base}: .*${said}`, "m"));
    expect(stdout).toMatch(/✔ macos/);
  });

  test("with facts, proofs and keys that agree, unless the key is pinned", async () => {
    const { verify, key, send, prove, token, snapshots } = await startHost();
    const liar = newSigning();
    send(JWKS, JSON.stringify(keySet([liar.key.publicKey])));
    prove(token(snapshots.plans, {}, liar));
    for (const platform of PLATFORMS) prove(token(snapshots[platform], {}, liar), `/proofs/releases/${platform}.jwt`);
    expect((await verify()).code).toBe(0);
    expect((await verify("--key", key)).code).toBe(1);
  });
});

describe("what is not known is not disproved", () => {
  const seconds = (time: number) => Math.floor(time / 1000);
  const STATES: [state: string, bring: (host: Host) => unknown, code: number, said: string][] = [
    ["a stale fact", ({ send }) => send(PLANS, "{}", "application/json", 502), 3, "answered 502"],
    ["an address below the base", ({ send }) => send(PLANS, "", "text/html", 404), 3, "404: give the base URL"],
    [
      "an expired proof",
      ({ prove, token, snapshots }) => prove(token(snapshots.plans, { exp: seconds(Date.now()) - 1 })),
      3,
      "its proof has expired, at 20",
    ],
    [
      "a proof of tomorrow",
      ({ prove, token, snapshots }) => prove(token(snapshots.plans, { iat: seconds(Date.now()) + 86_400 })),
      3,
      "signed in the future",
    ],
    ["an unsigned fact", ({ send }) => send(PROOF, "{}", "application/json", 404), 5, "not signed"],
    [
      "an endless answer",
      ({ set }) => set(PLANS, (_, response) => response.end(" ".repeat(11 * 1024 * 1024))),
      3,
      "more than 10 MiB",
    ],
    [
      "a redirect in clear text",
      ({ set }) => set(PLANS, (_, response) => response.writeHead(302, { location: "http://192.0.2.1/" }).end()),
      3,
      "must be https",
    ],
  ];
  test.for(STATES)("%s", async ([, bring, expected, said]) => {
    const host = await startHost();
    bring(host);
    const { code, stdout } = await host.verify();
    expect(code).toBe(expected);
    expect(stdout).toMatch(new RegExp(`^ {2}✖ plans .*${said}`, "m"));
  });

  test("a host that is away", async () => {
    const { directory } = await startHost();
    const { code, stdout } = await typeInProcess(["verify", "http://127.0.0.1:1"], { directory });
    expect(code).toBe(3);
    expect(stdout).toMatch(/✖ plans +not known: the connection failed \(ECONNREFUSED\)/);
  });

  test("a worse answer decides: disproved before away, away before unsigned", async () => {
    const { verify, send, prove } = await startHost();
    send("/proofs/releases/windows.jwt", "{}", "application/json", 404);
    expect((await verify()).code).toBe(5);
    send("/api/v1/releases/latest", "{}", "application/json", 502);
    expect((await verify()).code).toBe(3);
    prove("x");
    expect((await verify()).code).toBe(1);
  });
});

test.for([
  [[], "name the base URL of a Vitrine"],
  [["facts.example.com"], "name the base URL of a Vitrine"],
  [["http://facts.example.com"], "http only on this computer"],
  [["https://facts.example.com/?x"], "name the base URL of a Vitrine"],
  [["https://facts.example.com", "--key", "short"], "--key must be a public key of 43 characters"],
  [["https://facts.example.com", "--issuer", "facts.example.com"], "--issuer must be the base URL of the API"],
  [["https://facts.example.com", "--issuer", `https://${"a".repeat(200)}`], "--issuer must have at most 128"],
] as const)("%j is a mistake of the command line", async ([words, said]) => {
  const { code, stdout, stderr } = await typeInProcess(["verify", ...words], { directory: await temporaryDirectory() });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(said);
});

/** The address that a host's proofs are for becomes `iss`. */
function proveFor({ prove, token, snapshots }: Host, iss: string): void {
  prove(token(snapshots.plans, { iss }));
  for (const platform of PLATFORMS) prove(token(snapshots[platform], { iss }), `/proofs/releases/${platform}.jwt`);
}

test("the proofs of another address are proven when it is named, however it is spelled", async () => {
  const host = await startHost();
  const SPELLINGS: [iss: string, ...spellings: string[]][] = [
    [
      "https://facts.example.com",
      "https://facts.example.com/",
      "HTTPS://Facts.Example.com:443",
      "https://facts.example.com/.",
    ],
    ["https://xn--bcher-kva.example/notes", "https://bücher.example/notes", "https://BÜCHER.example/x/../notes//"],
  ];
  for (const [iss, ...spellings] of SPELLINGS) {
    proveFor(host, iss);
    expect((await host.verify()).code).toBe(1);
    for (const spelling of spellings) {
      const { code, stdout } = await host.verify("--issuer", spelling);
      expect(code, spelling).toBe(0);
      expect(stdout).toMatch(new RegExp(`verify (-- )?${host.base} --issuer ${iss} --key ${host.key}$`, "m"));
    }
  }
});

test("an honest host is proven however its address is spelled, but 127.0.0.1 is another API than localhost", async () => {
  const { base, directory, ...host } = await startHost();
  const verify = (address: string) => typeInProcess(["verify", address], { directory });
  const { port } = new URL(base);
  for (const [name, other] of [
    ["localhost", "127.0.0.1"],
    ["127.0.0.1", "localhost"],
  ] as const) {
    proveFor({ base, directory, ...host }, `http://${name}:${port}`);
    const spellings = [
      `http://${name}:${port}/.`,
      `HTTP://${name.toUpperCase()}:${port}//`,
      `http://${name}:${port}/x/..`,
    ];
    for (const spelling of spellings) expect((await verify(spelling)).code, spelling).toBe(0);
    expect(await verify(`http://${other}:${port}`)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("signed for another issuer"),
    });
  }
});
