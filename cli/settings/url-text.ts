// URLs of the settings as they may be shown: the path or query of one may hold a secret.
import { parseUrl } from "../../snapshots/rules.ts";

/** A web URL as its origin, with a mark if there is more; any other text unchanged. */
export function withoutPath(text: string): string {
  const url = parseWebUrl(text);
  if (!url) return text;
  const { origin, href } = url;
  return href === `${origin}/` ? origin : `${origin}/…`;
}

/** A URL without user name and password; any other text unchanged. */
export function withoutUserInfo(text: string): string {
  const url = parseUrl(text);
  return url && url.username + url.password !== "" ? Object.assign(url, { username: "", password: "" }).href : text;
}

/** Undefined for text that is no URL of the web. */
export function parseWebUrl(text: string): URL | undefined {
  return /^https?:/i.test(text) ? parseUrl(text) : undefined;
}
