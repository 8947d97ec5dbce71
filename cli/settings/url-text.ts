// URLs of the settings as they may be shown: the path or query of one may hold a secret.
import { parseUrl } from "../../snapshots/rules.ts";

/** A web URL as its origin, with a mark if there is more; any other text unchanged. */
export function withoutPath(text: string): string {
  const url = parseWebUrl(text);
  if (!url) return text;
  const { origin, href } = url;
  return href === `${origin}/` ? origin : `${origin}/…`;
}

/** The URL of a store without user name and password; any other text unchanged. */
export function withoutUserInfo(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]+:\/\/)[^/]*@/i, "$1");
}

/** Undefined for text that is no URL of the web. */
export function parseWebUrl(text: string): URL | undefined {
  return /^https?:/i.test(text) ? parseUrl(text) : undefined;
}
