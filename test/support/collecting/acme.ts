// Every upstream of the examples in docs/sources and docs/witnesses.md: Acme, who publish Notes 4.2.1 everywhere.
import * as lemon from "./lemonsqueezy.ts";
import * as paddle from "./paddle.ts";
import { listing, KEY as STRIPE_KEY, price, product, yearly } from "./stripe.ts";
import { body, json, status, type Behaviour } from "./upstream.ts";

export const ACME = { version: "4.2.1" };
const { version } = ACME;
/** Prices that no example selects are in every list of them. */
const SECRET = { product: product("prod_Secret"), lookup_key: "secret_monthly" };

/** Values of the secrets that the examples name. */
export const ACME_ENVIRONMENT: Record<string, string> = {
  STRIPE_KEY,
  PADDLE_KEY: paddle.KEY,
  LEMON_SQUEEZY_KEY: lemon.KEY,
  BILLING_TOKEN: "billing-token-0123456789",
  POLAR_TOKEN: "polar-token-0123456789",
  SHOP_KEY: "shop-key-0123456789",
  KEYGEN_TOKEN: "keygen-token-0123456789",
  GITEA_TOKEN: "gitea-token-0123456789",
  GITHUB_TOKEN: "github_pat_0123456789",
};

const FILES = [`Notes-${version}.dmg`, `Notes-Setup-${version}.exe`];

/** As GitHub and Gitea have it. */
function gitRelease(tag_name: string, names: readonly string[]): object {
  const url = (name: string) => `https://git.acme.com/releases/download/${tag_name}/${name}`;
  const assets = names.map((name) => ({ name, state: "uploaded", size: 1, browser_download_url: url(name) }));
  return { tag_name, draft: false, prerelease: false, published_at: "2026-11-02T10:00:00Z", body: "", assets };
}

const NOTES = json([gitRelease(`v${version}`, FILES)]);

const gitLabLinks = FILES.map((name) => ({ name, url: `https://dl.acme.com/${name}` }));

const APPCAST = `<rss xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle"><channel><item>
  <sparkle:version>421</sparkle:version><sparkle:shortVersionString>${version}</sparkle:shortVersionString>
  <enclosure url="https://acme.com/Notes-${version}.dmg"/></item></channel></rss>`;

const TAURI = {
  version,
  platforms: {
    "darwin-aarch64": { url: `https://dl.acme.com/Notes-${version}.app.tar.gz` },
    "windows-x86_64": { url: `https://dl.acme.com/Notes-${version}-setup.exe` },
  },
};

const updateTo = { version, url: `https://dl.acme.com/mac/Notes-${version}-mac.zip` };
const SQUIRREL_MAC = { currentRelease: version, releases: [{ version, updateTo }] };
const VELOPACK = json({ Assets: [{ Version: version, Type: "Full" }] });
const AUTOUPDATER = `<item><version>${version}</version><url>NotesSetup.exe</url><mandatory>true</mandatory></item>`;

const prices = { prices: { monthly: 9 }, monthlyPrice: 9, annualPrice: 90 };
const CATALOGUE = {
  public: {
    pricing: {
      currency: "EUR",
      cycles: [{ key: "monthly", durationMonths: 1, labelKey: "billing.monthly", savingBadge: null }],
      plans: [{ id: "pro", popular: true, ...prices, creditsMonthly: null, cost: 2 }],
    },
  },
};

const FLAT = { version: `v${version}`, mandatory: true, mac: { installer_url: `../Notes-${version}.dmg` } };
const LISTED = {
  items: [
    { date: "2026-01-02", channel: "stable", version: "1.0.0", mac: { url: "Notes-1.0.0.dmg" } },
    { date: "2026-11-02", channel: "stable", version, mac: { url: `Notes-${version}.dmg` } },
    { date: "2026-11-09", channel: "beta", version: "99.0.0", mac: { url: "Notes-99.0.0.dmg" } },
  ],
};
const APP_STORE = { results: [{ kind: "mac-software", version, trackViewUrl: "https://apps.apple.com/us/app/id1" }] };
const HAZEL = { name: `v${version}`, url: "https://dl.acme.com/Notes-mac.zip" };
const KEYGEN = { data: { attributes: { version, status: "PUBLISHED" } } };
const PRICES = {
  plans: [
    { name: "Pro", price: 12, badge: "Popular", status: "active" },
    { name: "Enterprise", price: "Contact us", badge: null, status: "active" },
    { name: "Old", price: 9, badge: null, status: "archived" },
  ],
};
const PRODUCTS = { plans: { pro: { price: { month: 1200, year: 12_000 }, credits: 500 } } };
const polar = (id: string, name: string, recurring_interval: string, price_amount: number) => {
  const prices = [{ amount_type: "fixed", price_currency: "eur", price_amount }];
  return { id, name, is_recurring: true, is_archived: false, recurring_interval, recurring_interval_count: 1, prices };
};
const POLAR = {
  items: [polar("0a", "Pro", "month", 900), polar("0b", "Pro, yearly", "year", 9_000), polar("0c", "Tips", "month", 1)],
  pagination: { total_count: 3, max_page: 1 },
};

const STRIPE_PRICES = [
  price("price_1", { product: product("prod_Abc") }),
  yearly("price_2", { product: product("prod_Abc") }),
  price("price_3", { product: product("prod_Team"), unit_amount_decimal: "4900", lookup_key: "team_monthly" }),
  yearly("price_4", { product: product("prod_Team"), lookup_key: "team_annual" }),
  price("price_5", SECRET),
];

const PADDLE_PRICES = [
  paddle.price("pri_1", { product_id: "pro_01abc" }),
  paddle.yearly("pri_2", { product_id: "pro_01abc" }),
  paddle.price("pri_01month", { unit_price: paddle.costs("4900") }),
  paddle.yearly("pri_01year"),
  paddle.price("pri_secret"),
];

const LEMON_PRICES = [
  lemon.price("1", { variant_id: 4711, unit_price: 999, created_at: "2024-05-24T14:15:06.000000Z" }),
  lemon.price("2", { variant_id: 4711 }),
  lemon.yearly("3", { variant_id: 4712 }),
  lemon.price("4"),
];

/** The behaviour, if the request has this header. */
function only(header: string, value: string, behaviour: Behaviour): Behaviour {
  return (request, response) => (request.headers[header] === value ? behaviour : status(401))(request, response);
}

/** By origin and path. */
export const ACME_UPSTREAMS: Record<string, Record<string, Behaviour>> = {
  "https://api.github.com": {
    "/repos/acme/notes/releases": NOTES,
    "/repos/acme/apps/releases": json([
      gitRelease("mobile@9.0.0", ["Mobile-9.0.0.dmg", "Mobile-9.0.0-setup.zip"]),
      gitRelease(`desktop@${version}`, ["N-arm64.dmg", "Notes-x64.dmg", "Notes-setup.zip"]),
    ]),
  },
  "https://codeberg.org": { "/api/v1/repos/acme/notes/releases": NOTES },
  "https://git.acme.com": {
    "/api/v1/repos/acme/notes/releases": only("authorization", "token gitea-token-0123456789", NOTES),
  },
  "https://gitlab.com": {
    "/api/v4/projects/acme%2Fdesktop%2Fnotes/releases": json([
      { tag_name: `v${version}`, released_at: null, description: "", assets: { links: gitLabLinks } },
    ]),
  },
  "https://api.stripe.com": { "/v1/prices": listing(STRIPE_PRICES) },
  "https://api.paddle.com": { "/prices": paddle.listing(PADDLE_PRICES), "/currencies": json(paddle.CURRENCIES) },
  "https://api.lemonsqueezy.com": {
    "/v1/prices": lemon.listing(LEMON_PRICES),
    "/v1/products/5": json(lemon.product()),
  },
  "https://dl.acme.com": {
    "/latest-mac.yml": body(`version: ${version}\npath: Notes-${version}.dmg\n`),
    "/latest.yml": body(`version: ${version}\npath: Notes-Setup-${version}.exe\n`),
    "/latest.json": json(TAURI),
    "/darwin/aarch64/0.0.0": json(TAURI),
    "/windows/x86_64/0.0.0": json(TAURI),
    "/mac/RELEASES.json": json(SQUIRREL_MAC),
    "/win/RELEASES": body(`0d777ea94c612e8bf1ea7379164caefba6e24463 Notes-${version}-full.nupkg 600752`),
    "/releases.osx.json": VELOPACK,
    "/releases.win.json": VELOPACK,
    "/update.xml": body(AUTOUPDATER),
    "/updates/latest.json": json(FLAT),
    "/releases.json": json(LISTED),
  },
  "https://acme.com": {
    "/appcast.xml": body(APPCAST),
    "/pricing.json": json(PRICES),
    "/pricing": body(`<p>19,99 € a month, or 199 € a year</p><p>Notes ${version}</p>`, { "content-type": "text/html" }),
  },
  "https://billing.acme.com": {
    "/products": only("authorization", "Bearer billing-token-0123456789", json(PRODUCTS)),
    "/internal/catalogue": only("authorization", "Bearer billing-token-0123456789", json(CATALOGUE)),
  },
  "https://api.polar.sh": { "/v1/products": only("authorization", "Bearer polar-token-0123456789", json(POLAR)) },
  "https://itunes.apple.com": { "/lookup": json(APP_STORE) },
  "https://updates.acme.com": { "/update/darwin/0.0.0": json(HAZEL) },
  "https://api.keygen.sh": {
    "/v1/accounts/acme/releases/latest": only("authorization", "Bearer keygen-token-0123456789", json(KEYGEN)),
  },
  "https://shop.acme.com": {
    "/prices": only("x-api-key", "shop-key-0123456789", json([{ sku: "pro", month: 9, year: 90, cost: 2 }])),
  },
};
