// Lighthouse's scores for the demo, on a phone and on a desktop, alone because other work lowers them.
import { describe, test } from "vitest";
import type { Flags } from "lighthouse";
import { freePort } from "../../../support/port.ts";
import { startChromium } from "../chromium.ts";
import { vendors } from "../scene.ts";

/** Of 100, in each category. */
const MIN_SCORE = 95;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
/** It refuses the line `Agentmap`, by which the agent audit of Lighthouse 13.5 finds the catalogue. Crawlers ignore lines that they do
 * not know (RFC 9309, 2.2.4). */
const SKIPPED = ["robots-txt"];
/** Other load on the machine lowers the scores, too. */
const RETRIES = 2;

describe.sequential("alone", () => {
  test.for(["phone", "desktop"])(
    `Lighthouse gives at least ${MIN_SCORE}, %s`,
    { retry: RETRIES },
    async (device, { expect, onTestFinished }) => {
      const { default: lighthouse, desktopConfig } = await import("lighthouse");
      // A new browser, without caches from earlier visits.
      const port = await freePort();
      const browser = await startChromium(port);
      onTestFinished(() => browser.close());
      const wanted = { onlyCategories: CATEGORIES, skipAudits: SKIPPED };
      const flags: Flags = { port, logLevel: "error", ...wanted, disableFullPageScreenshot: true };
      const result = await lighthouse(vendors.demo, flags, device === "desktop" ? desktopConfig : undefined);
      if (!result || result.lhr.runtimeError) throw new Error(result?.lhr.runtimeError?.message ?? "no result");
      const { categories, audits } = result.lhr;
      for (const { title, score, auditRefs } of Object.values(categories)) {
        const failed = auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1);
        const why = failed.map(({ id }) => `${id}: ${audits[id]?.displayValue ?? audits[id]?.explanation ?? ""}`);
        const points = Math.round((score ?? 0) * 100);
        expect.soft(points, `${title}: ${why.join(", ")}`).toBeGreaterThanOrEqual(MIN_SCORE);
      }
    },
  );
});
