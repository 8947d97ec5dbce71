// What a check is.
import type { Browser } from "playwright-core";
import type { Vendors } from "./vendors.ts";

export interface Scene {
  browser: Browser;
  /** Path of the browser's program. */
  chromium: string;
  vendors: Vendors;
}

/** `seen`: what was looked at, in a few words; `faults`: what is wrong with it, a line each. */
export interface Verdict {
  checked: string;
  faults: string[];
}

export interface Check {
  /** What is so when it passes. */
  name: string;
  run: (scene: Scene) => Promise<Verdict>;
}
