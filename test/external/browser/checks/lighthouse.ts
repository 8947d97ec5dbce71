// Lighthouse's scores for the demo, on a phone and on a desktop.
import lighthouse, { desktopConfig, type Flags } from "lighthouse";
import { freePort } from "../../../support/port.ts";
import type { Check, CheckResult } from "../check.ts";
import { startChromium } from "../chromium.ts";

/** Of 100, in each category. */
const MIN_SCORE = 95;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const DEVICES = { phone: undefined, desktop: desktopConfig };

/** Retries, because other load on the machine lowers the scores. */
const ATTEMPTS = 3;

export const LIGHTHOUSE: Check[] = (["phone", "desktop"] as const).map((device) => ({
  name: `Lighthouse gives at least ${MIN_SCORE}, ${device}`,
  async run({ chromium, vendors }) {
    let verdict = judge(await reportOf(vendors.demo, { device, chromium }));
    for (let attempt = 2; verdict.faults.length > 0 && attempt <= ATTEMPTS; attempt += 1) {
      verdict = judge(await reportOf(vendors.demo, { device, chromium }));
    }
    return verdict;
  },
}));

/** Uses a new browser, without caches from earlier visits. */
async function reportOf(
  address: string,
  { device, chromium }: { device: keyof typeof DEVICES; chromium: string },
): Promise<LighthouseResult> {
  const port = await freePort();
  const browser = await startChromium(chromium, port);
  try {
    const flags: Flags = { port, logLevel: "error", onlyCategories: CATEGORIES, disableFullPageScreenshot: true };
    const result = await lighthouse(address, flags, DEVICES[device]);
    if (!result) throw new Error("Lighthouse has no result");
    return result.lhr;
  } finally {
    await browser.close();
  }
}

type LighthouseResult = NonNullable<Awaited<ReturnType<typeof lighthouse>>>["lhr"];

/** Lists the audits that cost points. */
function judge({ categories, audits, runtimeError, runWarnings }: LighthouseResult): CheckResult {
  if (runtimeError) throw new Error(runtimeError.message);
  const faults: string[] = [];
  const scores = Object.values(categories).map(({ title, score, auditRefs }) => {
    const points = Math.round((score ?? 0) * 100);
    const failed = auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1);
    const names = failed.map(
      ({ id }) => `${id}: ${audits[id]?.displayValue ?? audits[id]?.explanation ?? audits[id]?.title}`,
    );
    if (points < MIN_SCORE) faults.push([`${title} ${points}`, ...names].join("\n  "));
    return `${title} ${points}${names.length > 0 ? ` (${failed.map(({ id }) => id).join(", ")})` : ""}`;
  });
  return { checked: [...scores, ...runWarnings].join(", "), faults };
}
