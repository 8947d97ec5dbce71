// Downloads by links that never change: /download/macos and /download/windows lead to the installer of the latest release,
// for as long as that is a fact, /download/macos/x64 to the one for a processor, and /download to the one for the reader's
// system. With .sha256 or .sha512 behind it, such a link has the checksum. For sites, readmes and scripts. People follow them in a
// browser, which gets a refusal as a page if there are notices. Without it, `/download…` is a 404.
// after: words
import type { Architecture } from "../../../snapshots/processors.ts";
import { PLATFORMS, type Platform, type ReleaseFile } from "../../../snapshots/schema.ts";
import { releaseName } from "../../../snapshots/snapshot.ts";
import type { Addition, LiveRead, Site } from "../../answers/addition.ts";
import { answer, empty, error, type Answer, type RequestHeaders } from "../../answers/answer.ts";
import { cacheControl, unavailable, UNAVAILABLE } from "../../answers/facts.ts";
import { negotiated } from "../../answers/negotiate.ts";
import { fileName } from "../words/file-name.ts";
import { PLATFORM_NAMES, installersOf, SUM_NAMES } from "../words/words.ts";

/** The processors whose installers have links. */
const PROCESSORS: Record<Platform, readonly Architecture[]> = {
  macos: ["arm64", "x64"],
  windows: ["x64", "arm64", "ia32"],
};
const SUMS = ["sha256", "sha512"] as const;

/** The User-Agent of a browser on a computer has them; a phone or a console does not install the app. */
const SYSTEMS: Record<Platform, RegExp> = { macos: /\(Macintosh;/, windows: /^(?!.*Xbox).*Windows NT/ };

/** Browsers name the system near the beginning. A search that begins again at each name took 18 ms for 15 KB, in which
 * nobody else is answered. */
const MAX_USER_AGENT = 512;

export function downloads({ base, mirror, notices }: Pick<Site, "base" | "mirror" | "notices">): Addition {
  const links = PLATFORMS.flatMap((platform) =>
    [undefined, ...PROCESSORS[platform]].flatMap((arch) =>
      [undefined, ...SUMS].map((sum): [string, LiveRead] => [
        `/download/${platform}${arch === undefined ? "" : `/${arch}`}${sum === undefined ? "" : `.${sum}`}`,
        (_query, headers) => ofInstaller({ platform, arch, sum }, headers),
      ]),
    ),
  );
  const notice = (status: number, message: string) => notices()?.refusal(status, message);
  /** Leads to an installer, or answers with its checksum. */
  function ofInstaller({ platform, arch, sum }: Wanted, headers: RequestHeaders): Answer {
    const refusal = (message: string) => negotiated(headers, error(404, message), () => notice(404, message));
    const [name, system] = [releaseName(platform), PLATFORM_NAMES[platform]];
    const lookup = mirror.get(name);
    if (lookup.state !== "fresh") return negotiated(headers, unavailable(name), () => notice(502, UNAVAILABLE[name]));
    const { payload, files = [] } = lookup.snapshot;
    if (!("latest" in payload)) return refusal(`No release is published for ${system}.`);
    const file = arch === undefined ? installersOf(payload.latest, files).own : fileFor(arch, files);
    const installer = `${base}/download/${platform}`;
    if (!file) return refusal(`No installer for ${system} is known to be for ${arch}. The published one: ${installer}`);
    const caching = { "cache-control": cacheControl(lookup.timeLeft) };
    if (sum === undefined) return empty(302, { location: file.url, ...caching });
    if (file[sum] === undefined) return refusal(`No ${SUM_NAMES[sum]} of this installer is known.`);
    const line = `${file[sum]}  ${fileName(file.url) || "installer"}\n`;
    return answer(200, line, { "content-type": "text/plain; charset=utf-8", ...caching });
  }
  /** Leads to the installer for the system that the User-Agent names, or to the page's downloads if it names none or no release is
   * published for it. No cache may keep the answer, because some ignore Vary. */
  const byUserAgent: LiveRead = (_query, headers) => {
    const userAgent = (headers.get("user-agent") ?? "").slice(0, MAX_USER_AGENT);
    const platform = PLATFORMS.find((candidate) => SYSTEMS[candidate].test(userAgent));
    const found = platform && ofInstaller({ platform }, headers);
    const chosen = found && found.status !== 404 ? found : empty(302, { location: `${base}/#downloads` });
    const vary = ["User-Agent", chosen.headers.vary].filter(Boolean).join(", ");
    return { ...chosen, headers: { ...chosen.headers, "cache-control": "no-store", vary } };
  };
  return { live: { "/download": byUserAgent, ...Object.fromEntries(links) } };
}

interface Wanted {
  platform: Platform;
  /** Undefined: the installer of the release, whatever it is for. */
  arch?: Architecture | undefined;
  sum?: (typeof SUMS)[number] | undefined;
}

function fileFor(arch: Architecture, files: readonly ReleaseFile[]): ReleaseFile | undefined {
  return files.find((file) => file.arch === arch) ?? files.find((file) => file.arch === "universal");
}
