// The same facts for search engines, as JSON-LD in the vocabulary of schema.org. A data block is not subject to
// script-src.
import { isCurrencyCode } from "../../snapshots/rules.ts";
import type { Platform, Release } from "../../snapshots/schema.ts";
import { PLATFORM_NAMES } from "../format.ts";
import { trusted, html, type Html } from "./markup.ts";
import { webLink } from "./components.ts";
import type { View } from "./view.ts";

interface Published {
  platform: Platform;
  latest: Release;
}

/** Search engines know a fixed list of categories; this one fits most products with subscription plans. */
const CATEGORY = "BusinessApplication";

/** One application for each version: for both platforms if they have the same. */
export function linkedData(view: View): Html {
  const published = view.releases.flatMap(({ platform, fact }) =>
    fact.state === "fresh" && fact.payload.hasUpdate ? [{ platform, latest: fact.payload.latest }] : [],
  );
  const versions = new Set(published.map(({ latest }) => latest.version));
  const groups = Array.from(versions, (version) => published.filter(({ latest }) => latest.version === version));
  const applications = (groups.length === 0 ? [[]] : groups).map((group) => application(view, group));
  const about = JSON.stringify({ "@context": "https://schema.org", "@graph": applications }, withoutEmpty);
  // Without `<`, nothing in it can end the element.
  return html`<script type="application/ld+json">
    ${trusted<"html">(about.replaceAll("<", "\\u003c"))}
  </script>`;
}

/** `published`: releases of one version. */
function application(view: View, published: readonly Published[]): object {
  const { index, base } = view;
  return {
    "@type": "SoftwareApplication",
    name: index.name,
    description: index.description,
    url: `${base}/`,
    applicationCategory: CATEGORY,
    operatingSystem: published.map(({ platform }) => PLATFORM_NAMES[platform]).join(", "),
    softwareVersion: published[0]?.latest.version,
    downloadUrl: published.map(({ latest }) => webLink(latest.downloadURL)).filter((link) => link !== undefined),
    offers: offers(view),
  };
}

/** An offer for each plan and cycle with a price. None if the plans are unavailable or the currency has no code, without
 * which a price says nothing. */
function offers({ base, facts }: View): object[] {
  if (facts.plans.state !== "fresh" || !isCurrencyCode(facts.plans.payload.currency)) return [];
  const { currency: priceCurrency, cycles, plans } = facts.plans.payload;
  return plans.flatMap(({ id, prices }) =>
    cycles.flatMap(({ key, durationMonths }) => {
      const price = Object.hasOwn(prices, key) ? prices[key] : undefined;
      if (price === undefined) return [];
      const billing = { price, priceCurrency, billingDuration: `P${durationMonths}M` };
      return [
        {
          "@type": "Offer",
          name: `${id}, ${key}`,
          url: `${base}/#plans`,
          price,
          priceCurrency,
          priceSpecification: { "@type": "UnitPriceSpecification", ...billing },
        },
      ];
    }),
  );
}

/** For JSON.stringify: drops empty texts and lists. */
function withoutEmpty(_name: string, value: unknown): unknown {
  return value === "" || (Array.isArray(value) && value.length === 0) ? undefined : value;
}
