// The browser and the vendors, started once for all checks.
import { beforeAll } from "vitest";
import type { Browser } from "playwright-core";
import { afterTests } from "../../support/clean-up.ts";
import { startChromium } from "./chromium.ts";
import { startVendors, type Vendors } from "./vendors.ts";

export let browser: Browser;
export let vendors: Vendors;
export const onFinished = afterTests();

beforeAll(async () => {
  vendors = await startVendors(onFinished);
  browser = await startChromium();
  onFinished(() => browser.close());
});
