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
  /** The origin that is meant if only the path of a repository is given. */
  origin: string;
  /** Path of the API on any other origin. */
  api: string;
  /** Name of the setting with the path of the repository. */
  setting: string;
}

/** The kinds that `--from` takes. */
const HOSTS: Readonly<Record<string, Host>> = {
  github: { origin: "https://github.com", api: "/api/v3", setting: "repo" },
};

/** `from`: a kind or a URL. `where`: OWNER/REPO or a URL, if `from` is a kind. @throws SettingsProblems */
export function readRepository(from: string, where: string | undefined): Repository {
  const url = parseUrl(where ?? from);
  if (url && !isSafeUrl(url)) throw mistake("the URL must be https, without user name (http only on this computer)");
  const kind = where === undefined && url ? kindOfHost(url) : from;
  const host = Object.hasOwn(HOSTS, kind) ? HOSTS[kind] : undefined;
  if (!host) throw mistake(`"${kind}" is not one of ${Object.keys(HOSTS).join(", ")}, or the URL of a repository`);
  const path = /^\/*(?<path>[^/]+\/[^/]+?)(?:\.git)?(?:\/.*)?$/.exec(url?.pathname ?? where ?? "")?.groups?.path;
  if (path === undefined) throw mistake(`--from ${kind} needs OWNER/REPO or the URL of a repository`);
  const origin = url?.origin ?? host.origin;
  const api = origin === host.origin ? {} : { api: origin + host.api };
  return { name: `${new URL(origin).host}/${path}`, source: { from: kind, [host.setting]: path, ...api } };
}

function kindOfHost({ origin, host }: URL): string {
  const [kind] = Object.entries(HOSTS).find(([, known]) => known.origin === origin) ?? [];
  if (kind !== undefined) return kind;
  throw mistake(`${host} is not a known host: name its kind, such as --from github URL for GitHub Enterprise Server`);
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
    const isHidden = error.status === 401 || error.status === 404;
    const hint = isHidden ? ": there is no such repository, or it is private and needs a token (see SOURCES.md)" : "";
    throw error.withMessage(`${name}: ${error.message}${hint}`);
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
