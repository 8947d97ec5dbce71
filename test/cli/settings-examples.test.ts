// Settings exactly as vendors write them, plus `standIns` that replace Acme, GitHub and Stripe by servers of the test.
// The published facts are compared field by field.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSnapshot, SNAPSHOT_NAMES } from "../../snapshots/snapshot.ts";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { runInProcess } from "../support/program/in-process.ts";
import { settingsDirectory } from "../support/program/settings.ts";
import { CYCLES, KEY, listing, price, product, yearly } from "../support/collecting/stripe.ts";
import { body, json, redirect, startUpstream, type Behaviour, type Upstream } from "../support/collecting/upstream.ts";
import { vendorPlans } from "../support/collecting/vendor.ts";

const FILE_AND_GITHUB = `
{ "plans": { "from": "file", "path": "plans.json" },
  "releases": { "from": "github", "repo": "acme/notes" } }`;
const STRIPE_AND_ELECTRON_BUILDER = `
{ "schedule": "*/10 * * * *", "staleAfter": "24h",
  "plans": { "from": "stripe", "key": "$STRIPE_RESTRICTED_KEY", "currency": "USD",
    "cycles": [{ "key": "monthly", "durationMonths": 1, "labelKey": "billing.monthly", "savingBadge": null },
               { "key": "annual", "durationMonths": 12, "labelKey": "billing.annual", "savingBadge": "-17%" }],
    "plans": [{ "id": "free", "prices": { "monthly": 0, "annual": 0 }, "creditsMonthly": 100 },
              { "id": "pro", "product": "prod_Abc", "popular": true, "creditsMonthly": 2000 },
              { "id": "team", "lookup": { "monthly": "team_monthly", "annual": "team_annual" } }] },
  "releases": { "macos":   { "from": "electron-builder", "url": "https://dl.acme.com/latest-mac.yml", "arch": "arm64" },
                "windows": { "from": "electron-builder", "url": "https://dl.acme.com/latest.yml" } } }`;
const JSON_SPARKLE_AND_GITHUB = `
{ "plans": { "from": "json", "url": "https://internal.acme.com/product-data/plans", "headers": { "x-api-key": "$PRODUCT_KEY" } },
  "releases": { "macos":   { "from": "sparkle", "url": "https://acme.com/appcast.xml", "force": "critical" },
                "windows": { "from": "github", "repo": "acme/notes", "tag": "desktop@*", "asset": "*-x64.msi", "token": "$GITHUB_TOKEN" } },
  "guard": { "confirm": 3, "over": "20m", "priceFactor": 5 } }`;

const ENVIRONMENT = {
  STRIPE_RESTRICTED_KEY: KEY,
  PRODUCT_KEY: "product-key-0123456789",
  GITHUB_TOKEN: "github_pat_01234",
};

/** A stand-in for each origin, with its paths. */
async function startStandIns(paths: Record<string, Record<string, Behaviour>>) {
  const standIns: Record<string, Upstream> = {};
  for (const [origin, behaviours] of Object.entries(paths)) {
    standIns[origin] = await startUpstream();
    for (const [path, behaviour] of Object.entries(behaviours)) standIns[origin].set(path, behaviour);
  }
  return standIns;
}

/** Collects with these settings; the published payloads by name. */
async function published(settings: string, standIns: Record<string, Upstream>) {
  const origins = Object.fromEntries(Object.entries(standIns).map(([upstream, { origin }]) => [upstream, origin]));
  const directory = await settingsDirectory({ ...JSON.parse(settings), standIns: origins, checkLink: false });
  await writeFile(join(directory, "plans.json"), JSON.stringify(vendorPlans()));
  expect(await runInProcess(["collect"], directory, ENVIRONMENT)).toMatchObject({ code: 0, stderr: "" });
  const store = openStore(join(directory, "facts"));
  const reads = SNAPSHOT_NAMES.map(async (name) => {
    const read = await readSnapshot(store, name, Date.now());
    return [name, read.state === "found" ? read.snapshot.payload : read.state] as const;
  });
  return Object.fromEntries(await Promise.all(reads));
}

function release(tag_name: string, names: string[], fields: object = {}): object {
  const assets = names.map((name, index) => ({
    name,
    state: "uploaded",
    size: 81_000_000 + index,
    browser_download_url: `https://github.com/acme/notes/releases/download/${tag_name}/${name}`,
  }));
  const said = { draft: false, prerelease: false, published_at: "2026-11-02T10:00:00Z", body: `Notes of ${tag_name}` };
  return { tag_name, ...said, assets, ...fields };
}

test("a file and a repository: one list of releases for both platforms, asked for once", async () => {
  const installers = (version: string) => [`Notes-${version}.dmg`, `Notes-Setup-${version}.exe`, "SHA256SUMS.txt"];
  const releases = [
    release("v2.0.0-beta.1", installers("2.0.0-beta.1"), { prerelease: true }),
    release("v1.10.0", installers("1.10.0")),
    release("v1.9.3", installers("1.9.3")),
  ];
  const standIns = await startStandIns({
    "https://api.github.com": { "/repos/acme/notes/releases": json(releases, { etag: '"one"' }) },
  });
  const facts = await published(FILE_AND_GITHUB, standIns);
  const latest = { version: "1.10.0", changelog: "Notes of v1.10.0", date: "2026-11-02T10:00:00Z" };
  const folder = "https://github.com/acme/notes/releases/download/v1.10.0";
  const [macos, windows] = [
    { downloadURL: `${folder}/Notes-1.10.0.dmg`, size: "81000000" },
    { downloadURL: `${folder}/Notes-Setup-1.10.0.exe`, size: "81000001" },
  ];
  expect(facts).toEqual({
    plans: vendorPlans(),
    "release-macos": { hasUpdate: true, forceUpdate: false, latest: { platform: "macos", ...latest, ...macos } },
    "release-windows": { hasUpdate: true, forceUpdate: false, latest: { platform: "windows", ...latest, ...windows } },
  });
  const paths = standIns["https://api.github.com"]?.requests.map(({ path }) => path.replace(/\?.*/, ""));
  expect(paths).toEqual(["/repos/acme/notes/releases", "/repos/acme/notes/releases/latest"]);
});

test("Stripe, and electron-builder's documents", async () => {
  const [pro, team] = [{ product: product("prod_Abc") }, { product: product("prod_Team") }];
  const prices = [
    price("price_1", pro),
    yearly("price_2", pro),
    price("price_3", { ...team, unit_amount: 4900, unit_amount_decimal: "4900", lookup_key: "team_monthly" }),
    yearly("price_4", { ...team, lookup_key: "team_annual" }),
    price("price_5", { product: product("prod_Secret") }),
  ];
  const mac = [
    "version: 2.10.0",
    "files:",
    "  - { url: Acme%20Notes-2.10.0-mac.zip, size: 101120034 }",
    "  - { url: Acme Notes-2.10.0-arm64.dmg, size: 104211334 }",
    "  - { url: Acme Notes-2.10.0.dmg, size: 114211334 }",
    "releaseNotes: |-",
    "  * Faster",
    "releaseDate: '2026-11-02T10:01:02.345Z'",
  ];
  const windows = ["version: 2.10", "path: Acme-Notes-Setup-2.10.exe", "releaseDate: '2026-11-03T00:00:00.000Z'"];
  const standIns = await startStandIns({
    "https://api.stripe.com": { "/v1/prices": listing(prices) },
    "https://dl.acme.com": { "/latest-mac.yml": body(mac.join("\n")), "/latest.yml": body(windows.join("\r\n")) },
  });
  const facts = await published(STRIPE_AND_ELECTRON_BUILDER, standIns);
  const plan = { popular: false, creditsMonthly: null };
  expect(facts.plans).toEqual({
    currency: "USD",
    cycles: CYCLES,
    plans: [
      { ...plan, id: "free", prices: { monthly: 0, annual: 0 }, monthlyPrice: 0, annualPrice: 0, creditsMonthly: 100 },
      {
        id: "pro",
        popular: true,
        prices: { monthly: 19.99, annual: 199 },
        monthlyPrice: 19.99,
        annualPrice: 199,
        creditsMonthly: 2000,
      },
      { ...plan, id: "team", prices: { monthly: 49, annual: 199 }, monthlyPrice: 49, annualPrice: 199 },
    ],
  });
  expect(facts["release-macos"]).toEqual({
    hasUpdate: true,
    forceUpdate: false,
    latest: {
      platform: "macos",
      version: "2.10.0",
      changelog: "- Faster",
      downloadURL: "https://dl.acme.com/Acme%20Notes-2.10.0-arm64.dmg",
      size: "104211334",
      date: "2026-11-02T10:01:02.345Z",
    },
  });
  expect(facts["release-windows"]).toEqual({
    hasUpdate: true,
    forceUpdate: false,
    latest: {
      platform: "windows",
      version: "2.10",
      changelog: "",
      downloadURL: "https://dl.acme.com/Acme-Notes-Setup-2.10.exe",
      size: "",
      date: "2026-11-03T00:00:00.000Z",
    },
  });
});

test("a private service, an appcast, and a repository of several apps", async () => {
  const enclosure = (file: string) => `<enclosure url="${file}" length="9000000" type="application/octet-stream"/>`;
  const item = (build: number, version: string, more: string) =>
    `<item><sparkle:version>${build}</sparkle:version><sparkle:shortVersionString>${version}</sparkle:shortVersionString>
     <pubDate>Mon, 02 Nov 2026 10:00:00 +0000</pubDate>${more}${enclosure(`Notes-${version}.dmg`)}</item>`;
  const appcast = `<?xml version="1.0"?><rss version="2.0" xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle">
    <channel>${item(99, "2.9", "")}${item(241, "2.10", "<sparkle:criticalUpdate/><description><![CDATA[<p>A &amp; B</p>]]></description>")}
    </channel></rss>`;
  const releases = [
    release("mobile@9.0.0", ["Notes-9.0.0-x64.msi"]),
    release("desktop@2.2.0", ["Notes-2.2.0-arm64.msi"]),
    release("desktop@2.1.0", ["Notes-2.1.0-arm64.msi", "Notes-2.1.0-x64.msi", "Notes-2.1.0-x64.msi.sha256"]),
  ];
  const standIns = await startStandIns({
    "https://internal.acme.com": { "/product-data/plans": json(vendorPlans()) },
    "https://acme.com": { "/appcast.xml": body(appcast, { "content-type": "application/xml" }) },
    "https://api.github.com": { "/repos/acme/notes/releases": json(releases) },
  });
  expect(await published(JSON_SPARKLE_AND_GITHUB, standIns)).toEqual({
    plans: vendorPlans(),
    "release-macos": {
      hasUpdate: true,
      forceUpdate: true,
      latest: {
        platform: "macos",
        version: "2.10",
        changelog: "A & B",
        downloadURL: "https://acme.com/Notes-2.10.dmg",
        size: "9000000",
        date: "2026-11-02T10:00:00Z",
      },
    },
    "release-windows": {
      hasUpdate: true,
      forceUpdate: false,
      latest: {
        platform: "windows",
        version: "2.1.0",
        changelog: "Notes of desktop@2.1.0",
        downloadURL: "https://github.com/acme/notes/releases/download/desktop@2.1.0/Notes-2.1.0-x64.msi",
        size: "81000001",
        date: "2026-11-02T10:00:00Z",
      },
    },
  });
  const sent = Object.entries(standIns).map(([origin, { requests }]) => [origin, requests[0]?.headers] as const);
  expect(Object.fromEntries(sent)).toMatchObject({
    "https://internal.acme.com": { "x-api-key": ENVIRONMENT.PRODUCT_KEY },
    "https://api.github.com": { authorization: `Bearer ${ENVIRONMENT.GITHUB_TOKEN}` },
  });
});

describe("a stand-in", () => {
  test("replaces the upstream everywhere, also after a redirect", async () => {
    const standIns = await startStandIns({
      "https://internal.acme.com": { "/product-data/plans": redirect("https://acme.com/moved?to=here") },
      "https://acme.com": {
        "/moved?to=here": json(vendorPlans()),
        "/appcast.xml": body("<rss><channel><title>Notes</title></channel></rss>"),
      },
      "https://api.github.com": { "/repos/acme/notes/releases": json([]) },
    });
    const facts = await published(JSON_SPARKLE_AND_GITHUB, standIns);
    expect(facts).toMatchObject({ plans: vendorPlans(), "release-macos": { hasUpdate: false } });
    const moved = standIns["https://acme.com"]?.requests.find(({ path }) => path.startsWith("/moved"));
    expect(moved?.headers).not.toHaveProperty("x-api-key");
  });

  test.for([
    ["https://dl.acme.com/files", "http://127.0.0.1:4010"],
    ["dl.acme.com", "http://127.0.0.1:4010"],
    ["https://dl.acme.com", "http://mirror.acme.com"],
    ["https://dl.acme.com", "https://me:password@mirror.acme.com"],
    ["https://dl.acme.com", "https://mirror.acme.com/"],
  ])("must replace one origin by another: not %s, %s", async ([from = "", to = ""]) => {
    const directory = await settingsDirectory({ ...JSON.parse(FILE_AND_GITHUB), standIns: { [from]: to } });
    await expect(runInProcess(["check"], directory)).rejects.toThrow(
      /standIns\.\S+ +must be an https origin such as https:\/\/dl\.acme\.com, without a path/,
    );
  });
});
