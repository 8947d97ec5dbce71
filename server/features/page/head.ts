// The head of the page: its name and icon, its other forms, how a link to it is previewed, the facts as linked data,
// and the security policy.
import { createHash } from "node:crypto";
import { clip, isCurrencyCode } from "../../../snapshots/rules.ts";
import type { Release } from "../../../snapshots/schema.ts";
import type { Site } from "../../answers/addition.ts";
import { document, type Answer } from "../../answers/answer.ts";
import { MAX_RHYTHM, PLATFORM_NAMES } from "../../format.ts";
import { html, planName, trusted, webLink, type Html } from "./markup.ts";
import { accents, GROUND } from "./style.ts";
import type { View } from "./view.ts";

export function pageHead({ index, base, logo, picture, api, mentions }: View): Html {
  const { name, description } = index;
  const feeds = mentions()
    .flatMap(({ feeds = [] }) => feeds)
    .map(({ type, href }, index) => {
      return html`${index === 0 ? " " : "\n"}<link rel="alternate" type="${type}" title="Changes" href="${href}" />`;
    });
  return html`${commonHead(name, logo, api.color)}
    <meta name="description" content="${description}" />
    <link rel="canonical" href="${base}/" />
    <link rel="alternate" type="text/markdown" href="${base}/" />${feeds}
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${name}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${base}/" />
    ${
      picture !== undefined &&
      html`<meta property="og:image" content="${base}${picturePath(picture)}" />
        <meta name="twitter:card" content="summary_large_image" />`
    }`;
}

/** Where the picture for shared links is, which is a `data:` URI. */
function picturePath(picture: string): string {
  return picture.startsWith("data:image/png") ? "/picture.png" : "/picture.jpg";
}

/** The icon of the addresses that are no page, and the picture for shared links, by path. Both are `data:` URIs. */
export function images({ api, logo, picture }: Pick<Site, "api" | "logo" | "picture">): Record<string, Answer> {
  return {
    "/favicon.ico": logo === undefined ? document(glassCase(api.color), "image/svg+xml") : imageFile(logo),
    ...(picture !== undefined && { [picturePath(picture)]: imageFile(picture) }),
  };
}

function imageFile(dataUri: string): Answer {
  const { type = "", base64 = "" } = /^data:(?<type>[^;]+);base64,(?<base64>.*)$/.exec(dataUri)?.groups ?? {};
  return document(Buffer.from(base64, "base64"), type);
}

/** The part that every page has. */
export function commonHead(title: string, logo: string | undefined, colour: string | undefined): Html {
  const icon = logo ?? `data:image/svg+xml,${encodeURIComponent(glassCase(colour))}`;
  return html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" content="${GROUND.light}" />
    <meta name="theme-color" content="${GROUND.dark}" media="(prefers-color-scheme: dark)" />
    <title>${title}</title>
    <link rel="icon" href="${icon}" />`;
}

/** An icon in the accent colour. */
function glassCase(colour: string | undefined): string {
  const { light } = accents(colour);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M5 4h22v24H5zM5 22h22" fill="none" stroke="${light}" stroke-width="3"/></svg>`;
}

/** The strictest Content-Security-Policy under which a page works: its own style and script by hash, embedded images,
 * and nothing else. `script`: the page has none without it. Its own host may be read, because Lighthouse asks for
 * robots.txt from within the page. */
export function policyFor(style: string, script?: string): string {
  return [
    "default-src 'none'",
    `style-src '${hash(style)}'`,
    ...(script === undefined ? [] : [`script-src '${hash(script)}'`]),
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The same facts for search engines, as JSON-LD in the vocabulary of schema.org: one application for each version, for
 * both platforms if they have the same. A data block is not subject to script-src. */
export function linkedData(view: View): Html {
  const published = view.releases.flatMap(({ fact }) =>
    fact.state === "fresh" && fact.payload.hasUpdate ? [fact.payload.latest] : [],
  );
  const versions = new Set(published.map(({ version }) => version));
  const groups = Array.from(versions, (version) => published.filter((release) => release.version === version));
  const applications = (groups.length === 0 ? [[]] : groups).map((group) => application(view, group));
  const about = JSON.stringify({ "@context": "https://schema.org", "@graph": applications }, withoutEmpty);
  // Without `<`, nothing in it can end the element.
  return html`<script type="application/ld+json">
    ${trusted<"html">(about.replaceAll("<", "\\u003c"))}
  </script>`;
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** Release notes are cut after so many UTF-16 units. */
const MAX_NOTES = 1_000;

/** Search engines know a fixed list of categories; this one fits most products with subscription plans. */
const CATEGORY = "BusinessApplication";

function application(view: View, published: readonly Release[]): object {
  const { index, base } = view;
  return {
    "@type": "SoftwareApplication",
    name: index.name,
    description: index.description,
    url: `${base}/`,
    applicationCategory: CATEGORY,
    operatingSystem: published.map(({ platform }) => PLATFORM_NAMES[platform]).join(", "),
    softwareVersion: published[0]?.version,
    ...details(published),
    downloadUrl: published.map(({ downloadURL }) => webLink(downloadURL)).filter((link) => link !== undefined),
    offers: offers(view),
  };
}

/** What is true of all the releases. */
function details(releases: readonly Release[]): object {
  const common = (value: (release: Release) => string): string => {
    const values = new Set(releases.map(value));
    return values.size === 1 ? [...values].join() : "";
  };
  return {
    fileSize: common(({ size }) => (size === "" ? "" : `${size} B`)),
    datePublished: common(({ date }) => /^\d{4}-\d\d-\d\d/.exec(date)?.[0] ?? ""),
    releaseNotes: common(({ changelog }) => clip(changelog, MAX_NOTES)),
  };
}

/** An offer for each plan and cycle with a price. None if the plans are unavailable or the currency has no code,
 * without which a price says nothing. */
function offers({ base, facts }: View): object[] {
  if (facts.plans.state !== "fresh" || !isCurrencyCode(facts.plans.payload.currency)) return [];
  const { names = {}, payload } = facts.plans;
  const { currency: priceCurrency, cycles, plans } = payload;
  return plans.flatMap(({ id, prices }) => {
    const { title, buy = `${base}/#plans` } = planName(id, names);
    return cycles.flatMap(({ key, durationMonths }) => {
      const price = Object.hasOwn(prices, key) ? prices[key] : undefined;
      if (price === undefined) return [];
      const isRhythm = durationMonths <= MAX_RHYTHM;
      const billing = { price, priceCurrency, ...(isRhythm && { billingDuration: `P${durationMonths}M` }) };
      return [
        {
          "@type": "Offer",
          name: `${title}, ${key}`,
          url: buy,
          price,
          priceCurrency,
          priceSpecification: { "@type": "UnitPriceSpecification", ...billing },
        },
      ];
    });
  });
}

/** JSON.stringify calls it, and it drops empty texts and lists. */
function withoutEmpty(_name: string, value: unknown): unknown {
  return value === "" || (Array.isArray(value) && value.length === 0) ? undefined : value;
}
