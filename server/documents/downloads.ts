// Downloads by links that never change: /download/macos and /download/windows lead to the installer of the latest release,
// for as long as that is a fact, and /download to the one for the reader's system. People follow them in a browser, which
// gets a refusal as a page.
import { PLATFORMS, type Platform } from "../../snapshots/schema.ts";
import { releaseName } from "../../snapshots/snapshot.ts";
import { empty, error, type Answer, type RequestHeaders } from "../answers/answer.ts";
import { cacheControl, unavailable, UNAVAILABLE } from "../answers/facts.ts";
import { negotiated } from "../answers/negotiate.ts";
import { PLATFORM_NAMES } from "../format.ts";
import type { Mirror } from "../mirror/mirror.ts";

/** The User-Agent of a browser on a computer has them; a phone or a console does not install the app. */
const SYSTEMS: Record<Platform, RegExp> = { macos: /\(Macintosh;/, windows: /^(?!.*Xbox).*Windows NT/ };

/** Browsers name the system near the beginning. A search that begins again at each name took 18 ms for 15 KB, in which
 * nobody else is answered. */
const MAX_USER_AGENT = 512;

type Link = (query: URLSearchParams, headers: RequestHeaders) => Answer;

/** The links by path. `base`: the public base URL, without a trailing slash. `notice`: a refusal as HTML. */
export function downloads(
  base: string,
  mirror: Mirror,
  notice: (status: number, message: string) => Answer,
): Record<string, Link> {
  const byPlatform = PLATFORMS.map((platform): [string, Link] => [
    `/download/${platform}`,
    (_query, headers) => {
      const message = `No release is published for ${PLATFORM_NAMES[platform]}.`;
      return toInstaller(platform, headers) ?? negotiated(headers, error(404, message), () => notice(404, message));
    },
  ]);
  function toInstaller(platform: Platform, headers: RequestHeaders): Answer | undefined {
    const name = releaseName(platform);
    const lookup = mirror.get(name);
    if (lookup.state !== "fresh") return negotiated(headers, unavailable(name), () => notice(502, UNAVAILABLE[name]));
    const { payload } = lookup.snapshot;
    if (!("hasUpdate" in payload && payload.hasUpdate)) return undefined;
    return empty(302, { location: payload.latest.downloadURL, "cache-control": cacheControl(lookup.timeLeft) });
  }
  /** To the installer for the system that the User-Agent names, or to the page's downloads if it names none or no release is
   * published for it. No cache may keep the answer, because some ignore Vary. */
  const byUserAgent: Link = (_query, headers) => {
    const userAgent = (headers.get("user-agent") ?? "").slice(0, MAX_USER_AGENT);
    const platform = PLATFORMS.find((candidate) => SYSTEMS[candidate].test(userAgent));
    const answer = (platform && toInstaller(platform, headers)) ?? empty(302, { location: `${base}/#downloads` });
    const vary = ["User-Agent", answer.headers.vary].filter(Boolean).join(", ");
    return { ...answer, headers: { ...answer.headers, "cache-control": "no-store", vary } };
  };
  return { "/download": byUserAgent, ...Object.fromEntries(byPlatform) };
}
