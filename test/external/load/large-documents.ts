// Every kind of document that a collector reads, in 10 MB or the collector's limit, with a vendor's settings for it.
import type { Platform } from "../../../snapshots/schema.ts";
import * as stripe from "../../support/collecting/stripe.ts";
import { cycleOf, planOf, releaseSnapshot } from "../../support/snapshot.ts";
import type { LoadOrder } from "./collector-process.ts";

const MAX_BYTES = 10e6;

export interface LargeCase {
  /** The part of the settings, for an upstream at this origin. */
  settings: (origin: string) => object;
  path: string;
  document: (bytes: number) => string;
  /** The collector's limit for this kind, in bytes. */
  most?: number;
}

export const ENVIRONMENT: LoadOrder["environment"] = { STRIPE_KEY: "rk_live_0123456789" };

const cycles = [cycleOf("monthly", 1)];

/** A list of these that is about this many bytes long. */
function filled<T>(bytes: number, make: (index: number) => T): T[] {
  const size = JSON.stringify(make(1_000)).length + 1;
  return Array.from({ length: Math.max(1, Math.floor(bytes / size)) }, (_, index) => make(index));
}

const plan = (index: number) => planOf(`plan-${index}`, { monthly: index });
const own = (path: string) => (origin: string) => ({ plans: { from: "json", url: origin + path } });

const release = (platform: Platform, changelog: string) => releaseSnapshot(platform, {}, { changelog }).payload;

/** A release file, about as large as in GitHub's answers. */
const asset = (index: number) => ({
  url: `https://api.github.com/repos/acme/notes/releases/assets/${index}`,
  name: `Notes-${index}-x64.${index % 2 ? "exe" : "dmg"}`,
  uploader: { login: "acme", id: 1, html_url: "https://github.com/acme", note: "x".repeat(900) },
  state: "uploaded",
  size: 1,
  browser_download_url: `https://dl.example/Notes-${index}-x64.exe`,
});

const price = (index: number) =>
  stripe.price(`price_${index}`, {
    product: stripe.product("prod_pro", { metadata: { note: "x".repeat(90_000) } }),
    recurring: stripe.every(index === 0 ? "month" : "week"),
  });

export const LARGE_CASES: Record<string, LargeCase> = {
  "a service, much of it unlisted": {
    settings: own("/plans"),
    path: "/plans",
    document: (bytes) => {
      const more = filled(bytes, (id) => ({ id, name: `something ${id}`, tags: ["one", "two"], price: id / 3 }));
      return JSON.stringify({ currency: "EUR", cycles, plans: [plan(1)], more });
    },
  },
  "a service, as many plans as may be": {
    settings: own("/plans"),
    path: "/plans",
    document: (bytes) => JSON.stringify({ currency: "EUR", cycles, plans: filled(bytes, plan).slice(0, 1_000) }),
  },
  "a service, five million brackets": {
    settings: own("/plans"),
    path: "/plans",
    document: (bytes) => "[".repeat(bytes / 2) + "]".repeat(bytes / 2),
  },
  "a service, two long changelogs": {
    settings: (origin) => ({ releases: { from: "json", url: `${origin}/releases` } }),
    path: "/releases",
    document: (bytes) => {
      const changelog = "- a line of text\r\n".repeat(bytes / 45);
      return JSON.stringify({ macos: release("macos", changelog), windows: release("windows", changelog) });
    },
  },
  "GitHub, many files": {
    settings: (api) => ({ releases: { from: "github", repo: "acme/notes", api } }),
    path: "/repos/acme/notes/releases",
    document: (bytes) => {
      const said = { draft: false, prerelease: false, published_at: "", body: "" };
      const assets = filled(bytes / 99, asset);
      return JSON.stringify(Array.from({ length: 99 }, (_, index) => ({ ...said, tag_name: `v1.${index}`, assets })));
    },
  },
  "GitHub, long notes": {
    settings: (api) => ({ releases: { from: "github", repo: "acme/notes", api } }),
    path: "/repos/acme/notes/releases",
    document: (bytes) => {
      const said = {
        draft: false,
        prerelease: false,
        published_at: "",
        body: "- **better** \r\n".repeat(bytes / 1_700),
      };
      const assets = [asset(0), asset(1)];
      return JSON.stringify(Array.from({ length: 99 }, (_, index) => ({ ...said, tag_name: `v1.${index}`, assets })));
    },
  },
  "Stripe, a page of prices": {
    settings: (api) => {
      const plans = [{ id: "pro", product: "prod_pro", annualPrice: 1 }];
      return { plans: { from: "stripe", key: "$STRIPE_KEY", api, currency: "USD", cycles, plans } };
    },
    path: "/v1/prices",
    document: (bytes) => JSON.stringify(stripe.page(filled(bytes, price).slice(0, 100))),
  },
  "an appcast": {
    settings: (origin) => ({ releases: { macos: { from: "sparkle", url: `${origin}/appcast.xml` } } }),
    path: "/appcast.xml",
    document: (bytes) => {
      const item = (build: number) =>
        `<item><sparkle:version>${build}</sparkle:version><description>${"x".repeat(1_000)}</description>
         <enclosure url="N.dmg"/></item>`;
      return `<rss><channel>${filled(bytes, item).join("")}</channel></rss>`;
    },
  },
  "electron-builder's feed": {
    settings: (origin) => ({ releases: { macos: { from: "electron-builder", url: `${origin}/latest-mac.yml` } } }),
    path: "/latest-mac.yml",
    most: 64 * 1024,
    document: (bytes) => `version: 1.0\npath: N.dmg\nreleaseNotes: |\n${"  a line of text\n".repeat(bytes / 18)}`,
  },
  "Tauri's feed": {
    settings: (origin) => ({ releases: { from: "tauri", url: `${origin}/latest.json` } }),
    path: "/latest.json",
    most: 1e6,
    document: (bytes) => {
      const platforms = {
        "darwin-x64": { url: "https://dl.example/a.dmg" },
        "windows-x64": { url: "https://dl.example/a.exe" },
      };
      return JSON.stringify({ version: "1", notes: "a line\n".repeat(bytes / 8), platforms });
    },
  },
};

/** A document of a kind with so many bytes, by default and at most as many as are permitted. */
export function documentOf({ document, most = MAX_BYTES }: LargeCase, bytes = most): string {
  return document(Math.min(bytes, most));
}
