// The repository that `init --from` names: the source that reads it, and the releases that this source finds there now.
import { UpstreamError } from "../collector/http/upstream-error.ts";
import { fetchFrom, reasonOf, translateAndGate } from "../collector/run/ask-source.ts";
import { withRunDeadline } from "../collector/schedule.ts";
import { SettingsProblems } from "../collector/settings/problems.ts";
import type { UpstreamAnswer, Source } from "../collector/source.ts";
import { openSource, SourceSettings } from "../collector/sources/sources.ts";
import { isSafeUrl, parseUrl } from "../snapshots/rules.ts";
import { PLATFORMS, type Platform } from "../snapshots/schema.ts";
import { releaseName } from "../snapshots/snapshot.ts";

export interface Repository {
  /** Such as `github.com/acme/notes`. */
  name: string;
  /** The settings of its source, as a vendor writes them. */
  source: { from: string };
}

/** What the source says of a platform. `none`: certainly nothing is published for it. */
export type FirstLook = { platform: Platform } & (
  | { state: "release"; version: string; picked: string; architectures: readonly string[] }
  | { state: "none" }
  | { state: "refused"; reason: string }
);

interface Host {
  /** The best-known host of this kind. */
  origin: string;
  /** Whether a path without a host is one there. */
  isDefault: boolean;
  /** The path of the repository in the path of any of its pages. */
  path: RegExp;
  /** Settings of the source of the repository at `path`. */
  source(path: string, origin: string): { from: string };
}

const OWNER_AND_NAME = /^\/*(?<path>[^/]+\/[^/]+?)(?:\.git)?(?:\/.*)?$/;
const GITHUB = "https://github.com";
const GITLAB = "https://gitlab.com";
/** By kind of source. */
const HOSTS: Readonly<Record<string, Host>> = {
  github: {
    origin: GITHUB,
    isDefault: true,
    path: OWNER_AND_NAME,
    // Elsewhere it is the API of a GitHub Enterprise Server.
    source: (repo, origin) => ({ from: "github", repo, ...(origin !== GITHUB && { api: `${origin}/api/v3` }) }),
  },
  gitea: {
    origin: "https://codeberg.org",
    isDefault: false,
    path: OWNER_AND_NAME,
    source: (repo, url) => ({ from: "gitea", url, repo }),
  },
  gitlab: {
    origin: GITLAB,
    isDefault: true,
    path: /^\/*(?<path>[^/]+(?:\/[^/]+)+?)(?:\.git)?(?:\/|\/-\/.*)?$/,
    source: (project, origin) => ({ from: "gitlab", project, ...(origin !== GITLAB && { url: origin }) }),
  },
};
const KINDS = Object.keys(HOSTS);

/** `from`: a kind or a URL. `where`: OWNER/REPO or a URL, if `from` is a kind. @throws SettingsProblems */
export function readRepository(from: string, where: string | undefined): Repository {
  const url = parseUrl(where ?? from);
  if (url && !isSafeUrl(url)) throw mistake("the URL must be https, without user name (http only on this computer)");
  const kind = where === undefined && url ? kindOfHost(url) : from;
  const host = Object.hasOwn(HOSTS, kind) ? HOSTS[kind] : undefined;
  if (!host) throw mistake(`"${kind}" is not one of ${KINDS.join(", ")}, or the URL of a repository`);
  const path = host.path.exec(url?.pathname ?? where ?? "")?.groups?.path;
  // In the path of a URL, the rest is a page of the repository; without a host, a third part is a mistake.
  const isWhole = url !== undefined || path === where?.replace(/\.git$/, "");
  if (path === undefined || !isWhole || !(url || host.isDefault)) {
    throw mistake(`--from ${kind} needs ${host.isDefault ? "OWNER/REPO or " : ""}the URL of a repository`);
  }
  const origin = url?.origin ?? host.origin;
  return { name: `${new URL(origin).host}/${path}`, source: host.source(path, origin) };
}

function kindOfHost({ origin, host }: URL): string {
  const kind = KINDS.find((name) => HOSTS[name]?.origin === origin);
  if (kind !== undefined) return kind;
  throw mistake(`${host} is not a known host: name its kind, such as --from gitea URL (${KINDS.join(", ")})`);
}

/** Asks the source once, without a secret. @throws UpstreamError, SettingsProblems */
export async function lookAt({ name, source: settings }: Repository, stop: AbortSignal): Promise<FirstLook[]> {
  const checked = SourceSettings.safeParse(settings);
  if (!checked.success) throw mistake(`${name} is not the name of a repository`);
  const source = openSource(checked.data, { names: PLATFORMS.map(releaseName), directory: ".", environment: {} });
  const answer = await ask(source, name, stop);
  return PLATFORMS.map((platform) => lookFor(platform, source, answer));
}

async function ask(source: Source, name: string, stop: AbortSignal): Promise<UpstreamAnswer> {
  try {
    const answer = await withRunDeadline(stop, (signal) => fetchFrom(source, { signal, validators: undefined }));
    if (answer === "unchanged") throw new TypeError("unchanged, though not asked with validators");
    return answer;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    throw error.withMessage(`${name}: ${error.message}`);
  }
}

function lookFor(platform: Platform, source: Source, answer: UpstreamAnswer): FirstLook {
  try {
    const { payload, picked = "", architectures = [] } = translateAndGate(source, releaseName(platform), answer);
    if (!("latest" in payload)) return { platform, state: "none" };
    return { platform, state: "release", version: payload.latest.version, picked, architectures };
  } catch (error) {
    return { platform, state: "refused", reason: reasonOf(error) };
  }
}

function mistake(problem: string): SettingsProblems {
  return new SettingsProblems("the command line", [problem]);
}
