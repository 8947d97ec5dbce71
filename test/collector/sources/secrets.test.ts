// Every kind of source that can have a secret, with an upstream that returns it wherever possible: it is never printed,
// written, or sent to another origin after a redirect.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SourceSettings } from "../../../collector/sources/sources.ts";
import { runInProcess } from "../../support/program/in-process.ts";
import { settingsDirectory } from "../../support/program/settings.ts";
import { KINDS, SECRET, type KindExample } from "../../support/collecting/kinds.ts";
import { body, json, redirect, startUpstream, status, type Behaviour } from "../../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../../support/collecting/vendor.ts";

/** File sources for the other parts. */
const others = { plans: { from: "file", path: "plans.json" }, releases: { from: "file", path: "releases.json" } };

async function start({ secret = SECRET, source, part, others: documents = {} }: KindExample) {
  const upstream = await startUpstream();
  for (const [path, document] of Object.entries(documents)) upstream.set(path, json(document));
  const given = source(upstream.origin);
  const other = (platform: string) => ({ from: "file", path: `${platform}.json` });
  const releases =
    part === "releases.windows"
      ? { macos: other("macos"), windows: given }
      : { macos: given, windows: other("windows") };
  const directory = await settingsDirectory({
    ...others,
    ...(part.startsWith("releases.") ? { releases } : { [part]: given }),
  });
  const { macos, windows } = vendorReleases();
  const files = { plans: vendorPlans(), releases: { macos, windows }, macos, windows };
  for (const [name, value] of Object.entries(files)) {
    await writeFile(join(directory, `${name}.json`), JSON.stringify(value));
  }
  const command = (...words: string[]) => runInProcess(words, directory, { THE_SECRET: secret });
  return {
    upstream,
    /** What is printed of the settings and of all collections. */
    async past() {
      const shown = [await command("check"), await command("history", "--json"), await command("diff", "--json")];
      return shown.map((text) => JSON.stringify(text));
    },
    /** Collects once: the exit code, and everything that is printed or written. */
    async collect() {
      const { code, ...told } = await command("collect");
      const shown = [
        await command("collect", "--dry-run", "--json"),
        await command("collect", "--dry-run"),
        await command("status", "--json"),
        await command("status"),
      ];
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      const written = entries.filter((entry) => entry.isFile());
      const texts = written.map(({ parentPath, name }) => readFile(join(parentPath, name), "utf8"));
      return { code, ...told, all: [told, shown, ...(await Promise.all(texts))].map((text) => JSON.stringify(text)) };
    },
  };
}

function expectNothingOf(all: readonly string[]): void {
  for (const text of all) expect(text).not.toMatch(/xyzzy/);
}

describe.for(Object.entries(KINDS))("the secret of %s", ([, adapter]) => {
  const { path, document, secret = SECRET, sent = { authorization: `Bearer ${secret}` } } = adapter;
  /** The document with the secret in every header that may be saved or shown. */
  const echoing = (document: string, code = 200): Behaviour =>
    status(code, { etag: `"${secret}"`, "last-modified": secret, "x-echo": secret, "content-type": secret }, document);

  test("is sent, and never printed or written, wherever the upstream returns it", async () => {
    const { upstream, collect, past } = await start(adapter);
    const address = `/${secret}?key=${encodeURIComponent(secret)}`;
    const elsewhere = redirect(`https://me:${encodeURIComponent(secret)}@127.0.0.1:1${address}`);
    const ANSWERS: [what: string, behaviour: Behaviour, code: number][] = [
      ["unread", echoing(document(secret, "")), 0],
      ["read", echoing(document("", secret)), 1],
      ["refused", echoing(`{"message":"${secret}"}`, 401), 1],
      ["forbidden for a while", status(403, { "retry-after": secret }, secret), 1],
      ["a page", body(`<html>${secret}</html>`, { "content-type": "text/html" }), 1],
      ["half a document", echoing(document(secret, secret).slice(0, -3)), 1],
      ["other fields", body(JSON.stringify({ [secret]: secret, version: [secret], plans: [{ [secret]: secret }] })), 1],
      ["an address that is refused", elsewhere, 1],
    ];
    for (const [what, behaviour, code] of ANSWERS) {
      upstream.set(path, behaviour);
      const { all, ...collected } = await collect();
      expect({ what, ...collected }).toMatchObject({ what, code });
      expectNothingOf(all);
    }
    expectNothingOf(await past());
    expect(upstream.requests.length).toBeGreaterThanOrEqual(3 * ANSWERS.length);
    for (const { headers } of upstream.requests) expect(headers).toMatchObject(sent);
  });

  test("is not sent to another origin after a redirect", async () => {
    const { upstream, collect } = await start(adapter);
    const away = await startUpstream();
    away.set("/moved", echoing(document("", "")));
    upstream.set(path, redirect(away.url("/moved")));
    expect(await collect()).toMatchObject({ code: 0 });
    expect(away.requests.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(away.requests)).not.toMatch(/xyzzy|authorization|x-api-key|private-token/);
  });
});

test("every kind with a setting for a secret is here", () => {
  const kinds = SourceSettings.options.filter(({ shape }) => "headers" in shape || "key" in shape || "token" in shape);
  const missing = kinds.map(({ shape }) => shape.from.value).filter((kind) => !Object.hasOwn(KINDS, kind));
  expect(missing, "kinds without a row in test/support/collecting/kinds.ts").toEqual([]);
});

describe("a secret in a message is replaced by a fixed one", () => {
  const github = KINDS.github!;
  const release = (tag_name: string, names: string[]) => {
    const assets = names.map((name) => ({
      name,
      state: "uploaded",
      browser_download_url: `https://dl.example/${name}`,
    }));
    return JSON.stringify([{ tag_name, draft: false, prerelease: false, assets }]);
  };
  const TOKEN = `xyzzy_${"0123456789".repeat(9)}`;

  test.for<[what: string, adapter: KindExample, document: string]>([
    ["a file in the way", github, release("v1.0.0", [`${SECRET}.bin`])],
    ["a tag in the way", github, release(SECRET, ["N.dmg", "N.exe"])],
    ["a token that is longer than a name", { ...github, secret: TOKEN }, release(TOKEN, ["N.dmg", "N.exe"])],
    ["a key that occurs twice", KINDS.json!, `{"${SECRET}":1,"${SECRET}":2}`],
  ])("as %s", async ([, adapter, document]) => {
    const { upstream, collect, past } = await start(adapter);
    upstream.set(adapter.path, body(document));
    const { code, all } = await collect();
    expect(code).toBe(1);
    expectNothingOf([...all, ...(await past())]);
    expect(all.join()).toContain("the answer contains a secret that was sent to the upstream");
  });
});
