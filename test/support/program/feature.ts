// Which features are in: tests of the whole house must not be red because one of them was taken out.
import { existsSync } from "node:fs";

const PROGRAMS = ["snapshots", "collector", "server", "cli"];

/** If all of these are. */
export function isIn(...features: string[]): boolean {
  const isThere = (path: string) => existsSync(new URL(`../../../${path}`, import.meta.url));
  return features.every((feature) => PROGRAMS.some((program) => isThere(`${program}/features/${feature}`)));
}

/** The features whose settings these are; all others are the core's. */
const OF_SETTINGS: Readonly<Record<string, string>> = {
  checkLink: "link-check",
  crossChecks: "witnesses",
  guard: "guard",
  history: "history",
  names: "names",
  notify: "notify",
  signing: "signatures",
  trust: "signatures",
};

/** If there is someone to read all of these settings. */
export function haveFeatures(settings: object): boolean {
  const features = Object.keys(settings).flatMap((name) => OF_SETTINGS[name] ?? []);
  return isIn(...features);
}

/** The features that open stores, by the first letters of their locations. */
const OF_STORES: Readonly<Record<string, string>> = { redis: "redis", s3: "s3", http: "follow" };

/** If there is someone to open the store at this location. */
export function hasStore(location: string): boolean {
  return Object.entries(OF_STORES).every(([scheme, feature]) => !location.startsWith(scheme) || isIn(feature));
}
