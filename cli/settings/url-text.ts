// URLs of the settings as they may be shown: the path or query of one may hold a secret.
import { isRemote } from "../../snapshots/open-store.ts";
import { parseUrl } from "../../snapshots/rules.ts";

/** A web URL as its origin, with a mark if there is more; any other text unchanged. */
export function withoutPath(text: string): string {
  const url = parseWebUrl(text);
  if (!url) return text;
  const { origin, href } = url;
  return href === `${origin}/` ? origin : `${origin}/…`;
}

/** The URL of a store as it may be shown, without user name and password; a directory's path unchanged. */
export function withoutUserInfo(location: string): string {
  const url = isRemote(location) ? parseUrl(location) : undefined;
  return url ? Object.assign(url, { username: "", password: "" }).href : location;
}

export function hasUserInfo(location: string): boolean {
  const url = parseUrl(location);
  return url !== undefined && url.username + url.password !== "";
}

/** Undefined for text that is no URL of the web. */
export function parseWebUrl(text: string): URL | undefined {
  return /^https?:/i.test(text) ? parseUrl(text) : undefined;
}
