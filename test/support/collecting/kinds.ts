// An example of every kind of source that sends a request, for the tests that all of them must pass.
import { expect } from "vitest";
import { SourceSettings } from "../../../collector/sources/sources.ts";
import * as lemon from "./lemonsqueezy.ts";
import * as paddle from "./paddle.ts";
import { KEY, page, price, yearly } from "./stripe.ts";
import { CYCLES, vendorPlans } from "./vendor.ts";

/** Has characters that URLs encode; a Stripe key has none. */
export const SECRET = "xyzzy/0123456789+=";
const headers = { "x-api-key": "$THE_SECRET", authorization: "Bearer $THE_SECRET" };

type Part = "plans" | "releases" | "releases.macos" | "releases.windows";

/** Settings with this source in this part. */
export function settingsOf(source: object, part: Part, other: unknown = "none"): object {
  if (!part.startsWith("releases.")) return { [part]: source };
  return {
    releases: part === "releases.macos" ? { macos: source, windows: other } : { macos: other, windows: source },
  };
}

const PRIVATE = /^answered 404: .* private and needs a "token"/;
const NO_RELEASES = { releases: "provides plans, not releases" };
const ONE_PLATFORM = { releases: "provides one platform", plans: "provides releases, not plans" };

export interface KindExample {
  secret?: string;
  /** The settings of the source for an upstream at this origin. */
  source: (origin: string) => object;
  /** The headers of every request, by default a bearer token. */
  sent?: Record<string, unknown>;
  /** The part of the settings that it is for. */
  part: Part;
  /** What it reports for a status, if it is more than the status. */
  refusals?: Record<number, string | RegExp>;
  /** The problem with it in other parts of the settings. */
  misplaced?: Partial<Record<Part, string>>;
  path: string;
  /** Documents at other paths. */
  others?: Record<string, unknown>;
  /** A valid document with one text in a field that is not read, and the other in one that is published or shown. */
  document: (unread: string, read: string) => string;
  /** A valid document for each of its readers, with every text that is read between « and »; none for Vitrine's own
   * shape, whose texts the gate checks. */
  texts?: ReadableText[];
}

export interface ReadableText {
  reader: string;
  text: string;
}

const LIST_ENTRY = `"prerelease":false,"draft":false,"published_at":"«2026-11-05»","body":"notes"`;
const ATTACHMENT = `"name":"«N.exe»","size":1,"browser_download_url":"«https://dl.example/N.exe»"`;

const PAYMENTS = { key: "$THE_SECRET", currency: "USD", cycles: CYCLES };
const refusals = (about: string, unknown: string, forbidden: string) => ({
  400: `answered 400 for ${about} (${unknown})`,
  401: "answered 401 (is the key right?)",
  403: `answered 403 (${forbidden})`,
  404: `answered 404 for ${about} (${unknown})`,
});

/** A list of releases as GitHub and Gitea have it. */
function gitReleases(unread: string, read: string): string {
  const asset = (name: string) => ({
    name,
    state: "uploaded",
    size: 1,
    browser_download_url: `https://dl.example/${name}?${encodeURIComponent(read)}`,
    label: unread,
  });
  const said = { draft: false, prerelease: false, published_at: "", body: "", author: unread };
  return JSON.stringify([{ ...said, tag_name: "v1.0.0", assets: [asset("N.dmg"), asset("N.exe")] }]);
}

export const KINDS: Record<string, KindExample> = {
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
    misplaced: NO_RELEASES,
    refusals: refusals("prod_pro", "does the product or price exist?", "may the key read Products and Prices?"),
    secret: KEY,
    sent: { authorization: `Bearer ${KEY}`, "stripe-version": expect.stringMatching(/^\d/) },
    source: (api) => ({ ...PAYMENTS, from: "stripe", api, plans: [{ id: "pro", product: "prod_pro" }] }),
    part: "plans",
    path: "/v1/prices",
    document: (unread, read) => {
      const prices = [price("price_m"), yearly("price_y", { nickname: unread })];
      const odd = price(read || "price_o", { recurring: null, type: "one_time" });
      return JSON.stringify(page([...prices, odd]));
    },
    texts: [
      {
        reader: "stripe",
        text: `{"object":"list","has_more":false,"data":[{"id":"«price»","active":true,"livemode":true,"type":"«recurring»",
        "currency":"«usd»","billing_scheme":"«per_unit»","lookup_key":"«pro»","tiers_mode":"«none»",
        "unit_amount_decimal":"«1999»","recurring":{"interval":"«month»","interval_count":1,"usage_type":"«licensed»"},
        "product":{"id":"«prod»"},"currency_options":{"«eur»":{"unit_amount_decimal":"«1999»"}}}]}`,
      },
    ],
  },
  paddle: {
    misplaced: NO_RELEASES,
    refusals: refusals(
      "pro_notes",
      "does the product or price exist?",
      "is the key a live one, and may it read prices and products?",
    ),
    secret: paddle.KEY,
    sent: { authorization: `Bearer ${paddle.KEY}`, "paddle-version": "1" },
    source: (api) => ({ ...PAYMENTS, from: "paddle", api, plans: [{ id: "pro", product: "pro_notes" }] }),
    part: "plans",
    path: "/prices",
    others: { "/currencies": paddle.CURRENCIES },
    document: (unread, read) => {
      const prices = [paddle.price("pri_m"), paddle.yearly("pri_y", { name: unread })];
      const odd = paddle.price(read || "pri_o", { billing_cycle: null });
      return JSON.stringify(paddle.page([...prices, odd]));
    },
    texts: [
      {
        reader: "paddle",
        text: `{"meta":{"pagination":{"has_more":false}},"data":[{"id":"«pri»","product_id":"«pro»","status":"«active»",
        "type":"«standard»","billing_cycle":{"interval":"«month»","frequency":1},"quantity":{"minimum":1},
        "unit_price":{"amount":"«1»","currency_code":"«USD»"},"unit_price_overrides":[],"product":{"status":"«active»"}}]}`,
      },
      {
        reader: "paddle-currencies",
        text: `{"data":[{"code":"«USD»","decimal_places":2}]}`,
      },
    ],
  },
  lemonsqueezy: {
    misplaced: NO_RELEASES,
    refusals: refusals("11", "does the variant exist?", "may the key read the store?"),
    secret: lemon.KEY,
    sent: { authorization: `Bearer ${lemon.KEY}`, accept: "application/vnd.api+json" },
    source: (api) => ({
      ...PAYMENTS,
      from: "lemonsqueezy",
      api,
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
    texts: [
      {
        reader: "lemonsqueezy",
        text: `{"meta":{"page":{"currentPage":1,"lastPage":1}},"data":[{"type":"prices","id":"«1»","attributes":{"variant_id":1,
        "category":"«subscription»","scheme":"«standard»","usage_aggregation":"«sum»","unit_price":1,
        "renewal_interval_unit":"«month»","renewal_interval_quantity":1,"created_at":"«2026-11-05T00:00:00Z»"}}],
        "included":[{"type":"variants","id":"«1»","attributes":{"product_id":1,"status":"«published»","test_mode":false}}]}`,
      },
      {
        reader: "lemonsqueezy-product",
        text: `{"data":{"type":"products","attributes":{"store_id":1,"status":"«published»","test_mode":false}},
        "included":[{"type":"stores","id":"1","attributes":{"currency":"«USD»"}},{"type":"«variants»","id":"«2»"}]}`,
      },
    ],
  },
  github: {
    refusals: { 404: PRIVATE },
    source: (api) => ({ from: "github", repo: "acme/notes", token: "$THE_SECRET", api }),
    part: "releases",
    path: "/repos/acme/notes/releases",
    document: gitReleases,
    texts: [
      { reader: "github", text: `[{"tag_name":"«v1»",${LIST_ENTRY},"assets":[{${ATTACHMENT},"state":"«uploaded»"}]}]` },
      { reader: "gitea", text: `[{"tag_name":"«v1»",${LIST_ENTRY},"assets":[{${ATTACHMENT}}]}]` },
      {
        reader: "gitlab",
        text: `[{"tag_name":"«v1»","released_at":"«2026-11-05»","assets":{"links":[{"name":"«N.exe»",
        "url":"«https://dl.example/N.exe»","direct_asset_url":"«https://dl.example/N.exe»"}]}}]`,
      },
    ],
  },
  gitea: {
    refusals: { 404: PRIVATE },
    source: (url) => ({ from: "gitea", repo: "acme/notes", token: "$THE_SECRET", url }),
    sent: { authorization: `token ${SECRET}` },
    part: "releases",
    path: "/api/v1/repos/acme/notes/releases",
    document: gitReleases,
  },
  gitlab: {
    refusals: { 404: PRIVATE },
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
      const file = (name: string) => ({ with_elevated_task: unread, url: `https://dl.example/${name}` });
      const platforms = { "darwin-universal": file("N.dmg"), "windows-x86_64": file("N.exe") };
      return JSON.stringify({ version: "1.0.0", notes: read, platforms });
    },
    texts: [
      {
        reader: "tauri",
        text: `{"version":"«1»","pub_date":"«2026-11-05»","url":"«https://dl.example/N.exe»",
        "platforms":{"«windows-x86_64»":{"url":"«https://dl.example/N.exe»"}}}`,
      },
    ],
  },
  "electron-builder": {
    misplaced: ONE_PLATFORM,
    source: (origin) => ({ from: "electron-builder", url: `${origin}/latest-mac.yml`, headers }),
    part: "releases.macos",
    path: "/latest-mac.yml",
    document: (unread, read) => `version: 1.0.0\nstagingPercentage: "${unread}"\npath: N.dmg\nreleaseNotes: "${read}"`,
    texts: [
      {
        reader: "electron-builder",
        text: "version: «1.0»\nfiles:\n  - url: «N.exe»\npath: «N.exe»\nreleaseDate: «2026-11-05»",
      },
      { reader: "electron-builder", text: "version: '1'\nreleaseNotes:\n  - version: «1.0»\n    note: notes" },
      { reader: "squirrel", text: `${"0".repeat(40)} «Notes-1»-1.0.0-full.nupkg 1` },
      { reader: "squirrel", text: `${"0".repeat(40)} «https://dl.example/»Notes-1.0.0-full.nupkg 1` },
      {
        reader: "squirrel",
        text: `{"currentRelease":"«1.0»","releases":[{"version":"«1.0»",
        "updateTo":{"version":"«1.0»","url":"«https://dl.example/N.zip»","pub_date":"«2026-11-05»"}}]}`,
      },
    ],
  },
  sparkle: {
    misplaced: ONE_PLATFORM,
    source: (origin) => ({ from: "sparkle", url: `${origin}/appcast.xml`, headers }),
    part: "releases.macos",
    path: "/appcast.xml",
    document: (unread, read) =>
      `<rss><channel><copyright>${unread}</copyright><item><sparkle:version>7</sparkle:version>
       <description>${read}</description><enclosure url="N.dmg"/></item></channel></rss>`,
    texts: [
      {
        reader: "sparkle",
        text: `<rss><channel><item><sparkle:version>«7»</sparkle:version><sparkle:channel>«beta»</sparkle:channel>
        <sparkle:shortVersionString>«1.0»</sparkle:shortVersionString><pubDate>«Wed»</pubDate>
        <enclosure url="«https://dl.example/N.dmg»" length="«1»" sparkle:os="«macos»"/></item></channel></rss>`,
      },
    ],
  },
  squirrel: {
    misplaced: ONE_PLATFORM,
    source: (origin) => ({ from: "squirrel", url: `${origin}/RELEASES.json`, headers }),
    part: "releases.macos",
    path: "/RELEASES.json",
    document: (unread, read) => {
      const updateTo = { url: "N.zip", notes: read, name: unread };
      return JSON.stringify({ currentRelease: "1.0.0", releases: [{ version: "1.0.0", updateTo }] });
    },
  },
  velopack: {
    misplaced: { releases: "provides one platform" },
    source: (origin) => ({ from: "velopack", url: `${origin}/releases.osx.json`, installer: "N.pkg", headers }),
    part: "releases.macos",
    path: "/releases.osx.json",
    document: (unread, read) => JSON.stringify({ Assets: [{ Version: "1.0.0", SHA256: unread, NotesMarkdown: read }] }),
    texts: [
      { reader: "velopack", text: `{"Assets":[{"Version":"«1.0»"}]}` },
      {
        reader: "autoupdater",
        text: `<item><version>«1»</version><url>«https://dl.example/N.exe»</url><mandatory minVersion="«1»">true</mandatory></item>`,
      },
    ],
  },
  autoupdater: {
    misplaced: { releases: "provides releases for Windows", "releases.macos": "provides releases for Windows" },
    source: (origin) => ({ from: "autoupdater", url: `${origin}/update.xml`, headers }),
    part: "releases.windows",
    path: "/update.xml",
    document: (unread, read) =>
      `<item><version>1.0.0</version><url>N.exe?${encodeURIComponent(read)}</url><args>${unread}</args></item>`,
  },
};

/** The kinds that settings may name. */
export const SOURCE_KINDS = SourceSettings.options.map(({ shape }) => shape.from.value);
