// The same facts for search engines, as JSON-LD in the vocabulary of schema.org. A data block is not subject to script-src.
import { clip, isCurrencyCode } from "../../../snapshots/rules.ts";
import type { Release } from "../../../snapshots/schema.ts";
import { MAX_RHYTHM, PLATFORM_NAMES } from "../words/words.ts";
import { html, planName, trusted, webLink, type Html } from "./markup.ts";
import type { View } from "./view.ts";

/** One application for each version, for both platforms if they have the same. */
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
