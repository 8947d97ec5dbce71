// The JSON-LD of the page, as a search engine reads it.
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";
import { renderPage } from "../../support/serving/page.ts";

const Application = z.looseObject({
  "@type": z.literal("SoftwareApplication"),
  offers: z.array(z.unknown()).optional(),
});
const About = z.strictObject({ "@context": z.literal("https://schema.org"), "@graph": z.array(Application) });

/** The applications that the page describes. `payloads`: as of `renderPage`. */
function applications(payloads: NonNullable<Parameters<typeof renderPage>[0]>["payloads"] = {}) {
  const { html } = renderPage({ payloads, api: { name: "Acme </script> Notes" } });
  const [, text = ""] = /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(html) ?? [];
  expect(text).not.toMatch(/""|\[\]|\{\}|null/);
  return About.parse(JSON.parse(text))["@graph"];
}

const plans = plansSnapshot().payload;
const none = { hasUpdate: false };

describe("linked data (server/features/page/linked-data.ts)", () => {
  test("platforms with the same version are one application, with an offer for each price", () => {
    expect(applications()).toEqual([
      {
        "@type": "SoftwareApplication",
        name: "Acme </script> Notes",
        description: expect.any(String),
        url: "https://facts.example.org/",
        applicationCategory: "BusinessApplication",
        operatingSystem: "macOS, Windows",
        softwareVersion: "1.0.1",
        fileSize: "73400320 B",
        datePublished: "2026-02-28",
        releaseNotes: "- Faster.\n- Übersetzt.",
        downloadUrl: ["macos", "windows"].map((platform) => `https://downloads.example.com/notes-${platform}.zip`),
        offers: [
          {
            "@type": "Offer",
            name: "plan-0, monthly",
            url: "https://facts.example.org/#plans",
            price: 1,
            priceCurrency: "EUR",
            priceSpecification: {
              "@type": "UnitPriceSpecification",
              price: 1,
              priceCurrency: "EUR",
              billingDuration: "P1M",
            },
          },
        ],
      },
    ]);
  });

  test("platforms with different versions are an application each", () => {
    const windows = releaseSnapshot("windows", { revision: 2 }).payload;
    const seen = applications({ "release-windows": windows });
    expect(seen).toMatchObject([
      { operatingSystem: "macOS", softwareVersion: "1.0.1", downloadUrl: [expect.stringContaining("macos")] },
      { operatingSystem: "Windows", softwareVersion: "1.0.2", downloadUrl: [expect.stringContaining("windows")] },
    ]);
    expect(seen.map(({ offers }) => offers?.length)).toEqual([1, 1]);
  });

  test("a platform without a release is not in it, and without any there is nothing empty", () => {
    expect(applications({ "release-macos": none })).toMatchObject([{ operatingSystem: "Windows" }]);
    const payloads = { "release-macos": none, "release-windows": none, plans: { ...plans, plans: [] } };
    expect(applications(payloads).map((application) => Object.keys(application))).toEqual([
      ["@type", "name", "description", "url", "applicationCategory"],
    ]);
  });

  test.for(["credits", "usd", "€"])("prices in %j, which is no code of ISO 4217, are no offers", (currency) => {
    expect(applications({ plans: { ...plans, currency } })).toMatchObject([{ softwareVersion: "1.0.1" }]);
    expect(applications({ plans: { ...plans, currency } })[0]).not.toHaveProperty("offers");
  });
});
