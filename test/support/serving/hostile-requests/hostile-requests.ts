// Hostile requests with the expected statuses, for a server that has the plans and the release for macOS, but none for
// Windows. One list for all tests that must hold for any request.
import { isServed } from "../prepared-targets.ts";
import { FRAMING } from "./framing.ts";
import { HEADERS } from "./headers.ts";
import { HOSTS } from "./hosts.ts";
import { REQUEST_LINES } from "./request-lines.ts";
import { MCP_MESSAGES } from "./mcp-messages.ts";
import { TRUNCATED, PIPELINED } from "./pipelining.ts";
import { TARGETS } from "./targets.ts";
import { PREFERENCES } from "./preferences.ts";

export interface HostileRequest {
  group: string;
  /** Names the hostile part. */
  title: string;
  /** As sent, one character per byte. */
  bytes: string;
  /** Of the answers, in order. */
  statuses: readonly number[];
  /** Whether the server has to wait for more until the client closes its side. */
  isTruncated: boolean;
}

const GROUPS = {
  "request line": REQUEST_LINES,
  target: TARGETS,
  Host: HOSTS,
  header: HEADERS,
  preference: PREFERENCES,
  framing: FRAMING,
  "MCP message": MCP_MESSAGES,
  pipelining: PIPELINED,
  "truncated request": TRUNCATED,
};

export const HOSTILE_REQUESTS: readonly HostileRequest[] = Object.entries(GROUPS).flatMap(([group, cases]) =>
  cases
    .filter(([, , bytes]) => targetsOf(bytes).every(isServed) && (cases !== MCP_MESSAGES || isServed("/mcp")))
    .map(([statuses, title, bytes]) => ({
      group,
      title,
      bytes,
      statuses: typeof statuses === "number" ? [statuses] : statuses,
      isTruncated: cases === TRUNCATED,
    })),
);

/** The paths in each of several requests. */
function targetsOf(bytes: string): string[] {
  const targets = Array.from(bytes.matchAll(/[A-Z]+ (\S*) HTTP\//g), ([, target = ""]) => target);
  return targets.map((target) => (URL.canParse(target, "http://a") ? new URL(target, "http://a").pathname : target));
}
