// Redirects: never to another scheme, from outside to this computer, with the vendor's secrets to another origin, or
// past a certificate.
import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { fetchText } from "../../collector/http/fetch.ts";
import { UpstreamError } from "../../collector/http/errors.ts";
import { countingPort } from "../support/counting-port.ts";
import { selfSigned } from "../support/certificate.ts";
import { builtScript } from "../support/program/built.ts";
import { launch } from "../support/program/run.ts";
import { json, redirect, startUpstream, type Upstream } from "../support/collecting/upstream.ts";

const NO_CERTIFICATE = "openssl is not there to make a certificate";
const REFUSED_ADDRESS = "the URL must be https, or http on this computer";
const SECRETS = { "x-api-key": "s1", authorization: "Bearer s2", cookie: "s3", "private-token": "s4" };
const WHOLE = { text: '{"whole":true}' };

const fetched = (url: string) =>
  fetchText(url, { signal: new AbortController().signal, deadline: 20_000, headers: SECRETS });

async function startWith(answer = json({ whole: true })): Promise<Upstream> {
  const upstream = await startUpstream();
  upstream.set("/", answer);
  return upstream;
}

describe("a redirect (collector/http/fetch.ts)", () => {
  test.for([301, 302, 303, 307, 308])("%i is followed, with the headers on the same origin", async (code) => {
    const upstream = await startWith(redirect("/next", code));
    upstream.set("/next", redirect(upstream.url("/last?a=1"), code));
    upstream.set("/last?a=1", json({ whole: true }));
    expect(await fetched(upstream.url("/"))).toMatchObject(WHOLE);
    expect(upstream.requests.map(({ path }) => path)).toEqual(["/", "/next", "/last?a=1"]);
    for (const { headers } of upstream.requests) expect(headers).toMatchObject(SECRETS);
  });

  test("no vendor header goes to another origin, and none comes back from there", async () => {
    const [home, away] = [await startWith(), await startWith()];
    home.set("/out", redirect(away.url("/")));
    away.set("/", redirect(home.url("/")));
    expect(await fetched(home.url("/out"))).toMatchObject(WHOLE);
    expect(home.requests[0]?.headers).toMatchObject(SECRETS);
    for (const { headers } of [away.requests[0]!, home.requests[1]!]) {
      for (const name of Object.keys(SECRETS)) expect(headers).not.toHaveProperty(name);
    }
  });

  test("the same host by another name is another origin", async () => {
    const upstream = await startWith();
    upstream.set("/out", redirect(`http://localhost:${upstream.port}/`));
    expect(await fetched(upstream.url("/out"))).toMatchObject(WHOLE);
    expect(upstream.requests[1]?.headers).not.toHaveProperty("x-api-key");
  });

  test("five redirects are followed, a sixth is not", async () => {
    const upstream = await startUpstream();
    for (let hop = 1; hop <= 6; hop++) upstream.set(`/${hop}`, redirect(`/${hop - 1}`));
    upstream.set("/0", json({ whole: true }));
    expect(await fetched(upstream.url("/5"))).toMatchObject(WHOLE);
    await expect(fetched(upstream.url("/6"))).rejects.toThrow(new UpstreamError("more than 5 redirects"));
  });

  test("whose host cannot be reached is told by its host, and by nothing else of it", async () => {
    const [upstream, { port }] = [await startUpstream(), await countingPort()];
    upstream.set("/", redirect("https://moved.invalid/x?key=s5"));
    // Without a network, no name server says so.
    await expect(fetched(upstream.url("/"))).rejects.toThrow(
      /^(?:no host has the name in the address \(ENOTFOUND\)|.*\(EAI_AGAIN\)) after a redirect to moved\.invalid$/,
    );
    upstream.set("/", redirect(`https://127.0.0.1:${port}/`));
    await expect(fetched(upstream.url("/"))).rejects.toThrow(
      new RegExp(` after a redirect to 127\\.0\\.0\\.1:${port}$`),
    );
  });

  const ELSEWHERE = ["http://upstream.example/", "http://127.0.0.1.upstream.example/", "http://[2001:db8::1]/"];
  const SCHEMES = [
    "ftp://127.0.0.1/",
    "file:///etc/passwd",
    "data:application/json,{}",
    "javascript:0",
    "ws://127.0.0.1/",
  ];

  test.for([...ELSEWHERE, ...SCHEMES])("%s is not asked, and no redirect to it is followed", async (address) => {
    const upstream = await startWith(redirect(address));
    await expect(fetched(address)).rejects.toThrow(new UpstreamError(REFUSED_ADDRESS));
    await expect(fetched(upstream.url("/"))).rejects.toThrow(new UpstreamError(REFUSED_ADDRESS));
  });

  test.for(["http://", "http://[", "http://a:99999/", "http://%/"])("a redirect to %j is refused", async (address) => {
    const upstream = await startWith(redirect(address));
    await expect(fetched(upstream.url("/"))).rejects.toThrow(
      new UpstreamError("answered 302 with an invalid Location header"),
    );
  });

  /** The results of fetching these URLs in a separate process, in order. */
  async function inAnotherProcess(urls: string[], environment: Record<string, string>): Promise<object[]> {
    const { stdout, code } = await launch(builtScript("fetch-urls"), urls, { environment }).ended;
    expect(code).toBe(0);
    return stdout
      .trim()
      .split("\n")
      .map((line): object => JSON.parse(line));
  }

  test("an untrusted certificate is refused even if the environment allows it, and nothing is sent", async ({
    skip,
  }) => {
    const tls = await selfSigned();
    if (!tls) return skip(NO_CERTIFICATE);
    const upstream = await startUpstream({ tls });
    upstream.set("/", json({ whole: true }));
    const [answer] = await inAnotherProcess([upstream.url("/")], { NODE_TLS_REJECT_UNAUTHORIZED: "0" });
    expect(answer).toEqual({
      error: expect.stringMatching(
        /^UpstreamError: its TLS certificate is not accepted \([A-Z_]+\): name its authority in NODE_EXTRA_CA_CERTS$/,
      ),
    });
    expect(upstream.requests).toEqual([]);
  });

  test("a remote upstream is verified by its certificate, and cannot redirect to this computer", async ({ skip }) => {
    const tls = await selfSigned(["upstream.example"]);
    if (!tls) return skip(NO_CERTIFICATE);
    const [upstream, inner, innerTls] = [await startUpstream({ tls }), await startWith(), await startUpstream({ tls })];
    const outside = (path: string) => `https://upstream.example:${upstream.port}${path}`;
    const names = ["127.0.0.1", "127.1", "localhost", "localhost.", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"];
    const targets = [inner.url("/"), ...names.map((name) => `https://${name}:${innerTls.port}/`)];
    upstream.set("/", json({ whole: true }));
    for (const [index, target] of targets.entries()) upstream.set(`/${index}`, redirect(target));

    const urls = [
      outside("/"),
      `https://other.example:${upstream.port}/`,
      ...targets.map((_, index) => outside(`/${index}`)),
    ];
    const [believed, otherName, ...inside] = await inAnotherProcess(urls, { NODE_EXTRA_CA_CERTS: tls.path });
    expect(believed).toMatchObject({ fetched: WHOLE });
    expect(otherName).toMatchObject({ error: expect.stringContaining("its TLS certificate is not accepted") });
    expect(Object.fromEntries(targets.map((target, index) => [target, inside[index]]))).toEqual(
      Object.fromEntries(
        targets.map((target) => [target, { error: "UpstreamError: redirected to this computer, which is refused" }]),
      ),
    );
    expect([...inner.requests, ...innerTls.requests]).toEqual([]);
  });

  test("a redirect to a name that resolves to this computer, or to its own address, makes no connection", async ({
    skip,
  }) => {
    const tls = await selfSigned(["upstream.example"]);
    if (!tls) return skip(NO_CERTIFICATE);
    const [upstream, inner] = [await startUpstream({ tls }), await countingPort()];
    const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
    const addresses = own.filter(({ family }) => family === "IPv4").map(({ address }) => address);
    const targets = ["inner.example", ...addresses].map((host) => `https://${host}:${inner.port}/`);
    for (const [index, target] of targets.entries()) upstream.set(`/${index}`, redirect(target));
    upstream.set("/same", redirect(`https://upstream.example:${inner.port}/`));
    const outside = (path: string) => `https://upstream.example:${upstream.port}${path}`;
    const environment = { NODE_EXTRA_CA_CERTS: tls.path };
    const answers = await inAnotherProcess(
      targets.map((_, index) => outside(`/${index}`)),
      environment,
    );
    const refused = { error: "UpstreamError: redirected to this computer, which is refused" };
    expect(answers).toEqual(targets.map(() => refused));
    expect(inner.connections()).toBe(0);
    // The name that the vendor has chosen may lead here.
    expect(await inAnotherProcess([outside("/same")], environment)).not.toEqual([refused]);
    expect(inner.connections()).toBeGreaterThan(0);
  });
});
