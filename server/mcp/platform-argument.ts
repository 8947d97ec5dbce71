// The platform in the arguments of a tool call, and arguments that look like one. A model that sends `os: "windows"` would take
// the release of the default platform for the one it asked for.
import { distance } from "fastest-levenshtein";
import { PLATFORMS } from "../../snapshots/schema.ts";

type Arguments = Record<string, unknown>;

/** Undefined if it is omitted. */
export function platformArgument({ platform }: Arguments): unknown {
  return isGiven(platform) ? platform : undefined;
}

/** For a tool whose platform was not given, although another argument names one. */
export const MISNAMED_PLATFORM =
  "The platform was not given in the argument called platform, so no release was looked up. Call again with " +
  `${PLATFORMS.map((platform) => JSON.stringify({ platform })).join(" or ")}.`;

/** For a tool without a platform. */
export const NOT_PER_PLATFORM =
  "The plans and prices are not for one platform: get_pricing has no arguments. get_latest_version has a platform.";

/** Whether an argument names a platform: `os`, a misspelled `platform`, or any with an operating system as its name or value. */
export function namesPlatform(given: Arguments): boolean {
  return Object.entries(given).some(([name, value]) => isGiven(value) && (isPlatformName(name) || isSystem(value)));
}

/** Some hosts send null or an empty string for an omitted argument. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

const MAX_EDITS = 2;

function isPlatformName(name: string): boolean {
  const start = name.slice(0, "platform".length + MAX_EDITS).toLowerCase();
  return name.toLowerCase() === "os" || isSystem(name) || distance(start, "platform") <= MAX_EDITS;
}

const SYSTEM = /^\s*(?:mac(?:[ _-]?os)?(?:[ _-]?x)?|os[ _-]?x|darwin|win(?:dows)?[ _-]?\d{0,3}|linux)\s*$/i;

function isSystem(text: unknown): boolean {
  return typeof text === "string" && SYSTEM.test(text);
}
