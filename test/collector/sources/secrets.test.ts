// Every kind of source that can have a secret, with an upstream that returns it wherever possible: it is never printed,
// written, or sent to another origin after a redirect.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runInProcess } from "../../support/program/in-process.ts";
import { settingsDirectory } from "../../support/program/settings.ts";
import * as lemon from "../../support/collecting/lemonsqueezy.ts";
import * as paddle from "../../support/collecting/paddle.ts";
import { CYCLES, KEY, price, yearly } from "../../support/collecting/stripe.ts";
import { body, json, redirect, startUpstream, status, type Behaviour } from "../../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../../support/collecting/vendor.ts";

/** Has characters that URLs encode; a Stripe key has none. */
const SECRET = "xyzzy/0123456789+=";
const headers = { "x-api-key": "$THE_SECRET", authorization: "Bearer $THE_SECRET" };

interface Adapter {
  secret?: string;
  /** The settings of the source for an upstream at this origin. */
  source: (origin: string) => object;
  /** The header with the secret, by default a bearer token. */
  sent?: Record<string, string>;
  /** The part of the settings that it is for. */
  part: "plans" | "releases" | "releases.macos" | "releases.windows";
  path: string;
  /** Documents at other paths. */
  others?: Record<string, unknown>;
  /** A valid document with one text in a field that is not read, and the other in one that is published or shown. */
  document: (unread: string, read: string) => string;
}

const ADAPTERS: Record<string, Adapter> = {
  json: {
    source: (origin) => ({ from: "json", url: `${origin}/plans`, headers }),
    part: "plans",
    path: "/plans",
    document: (unread, read) => {
      const { cycles, ...plans } = vendorPlans();
      return JSON.stringify({ ...plans, cycles: cycles.map((cycle) => ({ ...cycle, savingBadge: read })), unread });
    },
  },
  "json with fields": {
    source: (origin) => ({
      from: "json",
      url: `${origin}/latest.json`,
      headers,
      fields: { version: "/version", downloadURL: "/url", changelog: "/notes" },
    }),
    part: "releases.macos",
    path: "/latest.json",
    document: (unread, read) =>
      JSON.stringify({ version: "1.0.0", url: "https://dl.example/N.dmg", notes: read, unread }),
  },
  stripe: {
    secret: KEY,
    source: (api) => ({
      from: "stripe",
      key: "$THE_SECRET",
      api,
      currency: "USD",
      cycles: CYCLES,
      plans: [{ id: "pro", product: "prod_pro" }],
    }),
    part: "plans",
    path: "/v1/prices",
    document: (unread, read) => {
      const prices = [price("price_m"), yearly("price_y", { nickname: unread })];
      const odd = price(read || "price_o", { recurring: null, type: "one_time" });
      return JSON.stringify({ object: "list", has_more: false, data: [...prices, odd] });
    },
  },
  paddle: {
    secret: paddle.KEY,
    source: (api) => ({
      from: "paddle",
      key: "$THE_SECRET",
      api,
      currency: "USD",
      cycles: CYCLES,
      plans: [{ id: "pro", product: "pro_notes" }],
    }),
    part: "plans",
    path: "/prices",
    others: { "/currencies": paddle.CURRENCIES },
    document: (unread, read) => {
      const prices = [paddle.price("pri_m"), paddle.yearly("pri_y", { name: unread })];
      const odd = paddle.price(read || "pri_o", { billing_cycle: null });
      return JSON.stringify(paddle.page([...prices, odd]));
    },
  },
  lemonsqueezy: {
    secret: lemon.KEY,
    source: (api) => ({
      from: "lemonsqueezy",
      key: "$THE_SECRET",
      api,
      currency: "USD",
      cycles: CYCLES,
      plans: [{ id: "pro", variants: { monthly: "11", annual: "12" } }],
    }),
    part: "plans",
    path: "/v1/prices",
    others: { "/v1/products/5": lemon.product() },
    document: (unread, read) => {
      const prices = [lemon.price("501", { tax_code: unread }), lemon.yearly("502")];
      const included = [lemon.variant(11), lemon.variant(12, { status: read || "published" })];
      return JSON.stringify(lemon.page(prices, included));
    },
  },
  github: {
    source: (api) => ({ from: "github", repo: "acme/notes", token: "$THE_SECRET", api }),
    part: "releases",
    path: "/repos/acme/notes/releases",
    document: (unread, read) => {
      const asset = (name: string) => ({
        name,
        state: "uploaded",
        size: 1,
        browser_download_url: `https://dl.example/${name}?${encodeURIComponent(read)}`,
        label: unread,
      });
      const said = { draft: false, prerelease: false, published_at: "", body: "", author: unread };
      return JSON.stringify([{ ...said, tag_name: "v1.0.0", assets: [asset("N.dmg"), asset("N.exe")] }]);
    },
  },
  gitea: {
    source: (url) => ({ from: "gitea", repo: "acme/notes", token: "$THE_SECRET", url }),
    sent: { authorization: `token ${SECRET}` },
    part: "releases",
    path: "/api/v1/repos/acme/notes/releases",
    document: (unread, read) => {
      const asset = (name: string) => ({
        name,
        size: 1,
        browser_download_url: `https://dl.example/${name}?${encodeURIComponent(read)}`,
        uuid: unread,
      });
      const said = { draft: false, prerelease: false, published_at: "", body: "", author: unread };
      return JSON.stringify([{ ...said, tag_name: "v1.0.0", assets: [asset("N.dmg"), asset("N.exe")] }]);
    },
  },
  gitlab: {
    source: (url) => ({ from: "gitlab", project: "acme/notes", token: "$THE_SECRET", url }),
    sent: { "private-token": SECRET },
    part: "releases",
    path: "/api/v4/projects/acme%2Fnotes/releases",
    document: (unread, read) => {
      const link = (name: string) => ({ name, url: `https://dl.example/${name}?${encodeURIComponent(read)}`, unread });
      const assets = { links: [link("N.dmg"), link("N.exe")], sources: [{ url: unread }] };
      return JSON.stringify([{ tag_name: "v1.0.0", released_at: "", description: "", author: unread, assets }]);
    },
  },
  tauri: {
    source: (origin) => ({ from: "tauri", url: `${origin}/latest.json`, headers }),
    part: "releases",
    path: "/latest.json",
    document: (unread, read) => {
      const file = (name: string) => ({ signature: unread, url: `https://dl.example/${name}` });
      const platforms = { "darwin-universal": file("N.dmg"), "windows-x86_64": file("N.exe") };
      return JSON.stringify({ version: "1.0.0", notes: read, platforms });
    },
  },
  "electron-builder": {
    source: (origin) => ({ from: "electron-builder", url: `${origin}/latest-mac.yml`, headers }),
    part: "releases.macos",
    path: "/latest-mac.yml",
    document: (unread, read) => `version: 1.0.0\nsha512: "${unread}"\npath: N.dmg\nreleaseNotes: "${read}"`,
  },
  sparkle: {
    source: (origin) => ({ from: "sparkle", url: `${origin}/appcast.xml`, headers }),
    part: "releases.macos",
    path: "/appcast.xml",
    document: (unread, read) =>
      `<rss><channel><copyright>${unread}</copyright><item><sparkle:version>7</sparkle:version>
       <description>${read}</description><enclosure url="N.dmg"/></item></channel></rss>`,
  },
  squirrel: {
    source: (origin) => ({ from: "squirrel", url: `${origin}/RELEASES.json`, headers }),
    part: "releases.macos",
    path: "/RELEASES.json",
    document: (unread, read) => {
      const updateTo = { url: "N.zip", notes: read, name: unread };
      return JSON.stringify({ currentRelease: "1.0.0", releases: [{ version: "1.0.0", updateTo }] });
    },
  },
  velopack: {
    source: (origin) => ({ from: "velopack", url: `${origin}/releases.osx.json`, installer: "N.pkg", headers }),
    part: "releases.macos",
    path: "/releases.osx.json",
    document: (unread, read) => JSON.stringify({ Assets: [{ Version: "1.0.0", SHA256: unread, NotesMarkdown: read }] }),
  },
  autoupdater: {
    source: (origin) => ({ from: "autoupdater", url: `${origin}/update.xml`, headers }),
    part: "releases.windows",
    path: "/update.xml",
    document: (unread, read) =>
      `<item><version>1.0.0</version><url>N.exe?${encodeURIComponent(read)}</url><args>${unread}</args></item>`,
  },
};

/** File sources for the other parts. */
const others = { plans: { from: "file", path: "plans.json" }, releases: { from: "file", path: "releases.json" } };

async function start({ secret = SECRET, source, part, others: documents = {} }: Adapter) {
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

describe.for(Object.entries(ADAPTERS))("the secret of %s", ([, adapter]) => {
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

describe("a secret in a message is replaced by a fixed one", () => {
  const github = ADAPTERS.github!;
  const release = (tag_name: string, names: string[]) => {
    const assets = names.map((name) => ({
      name,
      state: "uploaded",
      browser_download_url: `https://dl.example/${name}`,
    }));
    return JSON.stringify([{ tag_name, draft: false, prerelease: false, assets }]);
  };
  const TOKEN = `xyzzy_${"0123456789".repeat(9)}`;

  test.for<[what: string, adapter: Adapter, document: string]>([
    ["a file in the way", github, release("v1.0.0", [`${SECRET}.bin`])],
    ["a tag in the way", github, release(SECRET, ["N.dmg", "N.exe"])],
    ["a token that is longer than a name", { ...github, secret: TOKEN }, release(TOKEN, ["N.dmg", "N.exe"])],
    ["a key that occurs twice", ADAPTERS.json!, `{"${SECRET}":1,"${SECRET}":2}`],
  ])("as %s", async ([, adapter, document]) => {
    const { upstream, collect, past } = await start(adapter);
    upstream.set(adapter.path, body(document));
    const { code, all } = await collect();
    expect(code).toBe(1);
    expectNothingOf([...all, ...(await past())]);
    expect(all.join()).toContain("the answer contains a secret that was sent to the upstream");
  });
});
