// The interface of a check.
import type { Browser } from "playwright-core";
import type { Vendors } from "./vendors.ts";

export interface Scene {
  browser: Browser;
  /** Path of the browser's executable. */
  chromium: string;
  vendors: Vendors;
}

/** `checked`: the subject in a few words. `faults`: one line each. */
export interface CheckResult {
  checked: string;
  faults: string[];
}

export interface Check {
  /** A sentence that is true if the check passes. */
  name: string;
  run: (scene: Scene) => Promise<CheckResult>;
}
