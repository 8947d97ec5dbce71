// The same facts for search engines, as JSON-LD in the vocabulary of schema.org. A data block is not subject to
// script-src.
import { PLATFORM_NAMES } from "../format.ts";
import { trusted, html, type Html } from "./markup.ts";
import { webLink } from "./components.ts";
import type { View } from "./view.ts";

export function linkedData(view: View): Html {
  const { index, base, releases } = view;
  const published = releases.flatMap(({ platform, fact }) =>
    fact.state === "fresh" && fact.payload.hasUpdate ? [{ platform, latest: fact.payload.latest }] : [],
  );
  const [first] = published;
  const about = {
    "@context": "https://schema.org",
    "@type": "SoftwareApplication",
    name: index.name,
    description: index.description,
    url: `${base}/`,
    applicationCategory: "DesktopApplication",
    operatingSystem: published.map(({ platform }) => PLATFORM_NAMES[platform]).join(", ") || undefined,
    softwareVersion: first?.latest.version,
    downloadUrl: published.map(({ latest }) => webLink(latest.downloadURL)).filter((link) => link !== undefined),
    offers: offers(view),
  };
  // Without `<`, nothing in it can end the element.
  return html`<script type="application/ld+json">
    ${trusted<"html">(JSON.stringify(about).replaceAll("<", "\\u003c"))}
  </script>`;
}

/** An offer for each plan and cycle with a price; undefined if the plans are unavailable. */
function offers({ facts }: View): object[] | undefined {
  if (facts.plans.state !== "fresh") return undefined;
  const { currency, cycles, plans } = facts.plans.payload;
  return plans.flatMap(({ id, prices }) =>
    cycles.flatMap(({ key, durationMonths }) => {
      const price = Object.hasOwn(prices, key) ? prices[key] : undefined;
      if (price === undefined) return [];
      const billing = {
        "@type": "UnitPriceSpecification",
        price,
        priceCurrency: currency,
        billingDuration: `P${durationMonths}M`,
      };
      return [{ "@type": "Offer", name: `${id}, ${key}`, price, priceCurrency: currency, priceSpecification: billing }];
    }),
  );
}
