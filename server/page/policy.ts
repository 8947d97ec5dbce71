// The Content-Security-Policy of a page: its own style and script by hash, embedded images, and nothing else.
import { createHash } from "node:crypto";

/** The strictest policy under which a page works. `script`: the page has none without it. */
export function policyFor(style: string, script?: string): string {
  return [
    "default-src 'none'",
    `style-src '${hash(style)}'`,
    ...(script === undefined ? [] : [`script-src '${hash(script)}'`, "connect-src 'self'"]),
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
