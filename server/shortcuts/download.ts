// Downloads by links that never change: /download/macos and /download/windows lead to the installer of the latest release,
// for as long as that is a fact, and /download to the one for the reader's system.
import { PLATFORMS, type Platform } from "../../snapshots/schema.ts";
import { releaseName, type SnapshotName } from "../../snapshots/snapshot.ts";
import { empty, error, type Answer } from "../answers/answer.ts";
import { unavailable, type FactView } from "../answers/facts.ts";
import { PLATFORM_NAMES } from "../format.ts";
import type { Mirror, Servable } from "../mirror/mirror.ts";

export const DOWNLOAD_PATH = "/download";

export const DOWNLOADS: readonly FactView[] = PLATFORMS.map((platform) => ({
  name: releaseName(platform),
  targets: [`${DOWNLOAD_PATH}/${platform}`],
  fresh: (snapshot) => toInstaller(snapshot) ?? error(404, `No release is published for ${PLATFORM_NAMES[platform]}.`),
  unavailable: unavailable(releaseName(platform)),
}));

/** Undefined if no release is published. */
function toInstaller({ payload }: Servable): Answer | undefined {
  return "hasUpdate" in payload && payload.hasUpdate ? empty(302, { location: payload.latest.downloadURL }) : undefined;
}

/** In the User-Agent of a browser on a computer; a phone or a console does not install the app. */
const SYSTEMS: Record<Platform, RegExp> = { macos: /\(Macintosh;/, windows: /^(?!.*Xbox).*Windows NT/ };

/** Browsers name the system near the beginning. A search that begins again at each name took 18 ms for 15 KB, in which
 * nobody else is answered. */
const MAX_USER_AGENT = 512;

/** To the installer for the system that the User-Agent names, or to the page's downloads if it names none or no release is
 * published for it. No cache may keep the answer, because some ignore Vary. `base`: the public base URL, without a
 * trailing slash. */
export function downloadFor(userAgent: string, base: string, mirror: Mirror): Answer {
  const known = userAgent.slice(0, MAX_USER_AGENT);
  const platform = PLATFORMS.find((candidate) => SYSTEMS[candidate].test(known));
  const answer =
    (platform && answerFor(releaseName(platform), mirror)) ?? empty(302, { location: `${base}/#downloads` });
  return { ...answer, headers: { ...answer.headers, vary: "User-Agent" } };
}

function answerFor(name: SnapshotName, mirror: Mirror): Answer | undefined {
  const lookup = mirror.get(name);
  return lookup.state === "fresh" ? toInstaller(lookup.snapshot) : unavailable(name);
}
