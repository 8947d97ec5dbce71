// Hostile requests, each with what is to be answered: by a server that has the plans and the release for macOS, but none
// for Windows. One list for all that must hold whatever is asked.
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
  /** What is hostile about it, as a piece of a sentence. */
  title: string;
  /** As they are sent, a character each. */
  bytes: string;
  /** Of the answers, in their order. */
  statuses: readonly number[];
  /** Whether the server has to wait for more, until the client closes its side. */
  isTruncated: boolean;
}

const GROUPS = {
  "a first line": REQUEST_LINES,
  "a target": TARGETS,
  "a Host": HOSTS,
  "a header": HEADERS,
  "a wish": PREFERENCES,
  "an end of a message": FRAMING,
  "a message": MCP_MESSAGES,
  "a sequence": PIPELINED,
  "a half": TRUNCATED,
};

export const HOSTILE_REQUESTS: readonly HostileRequest[] = Object.entries(GROUPS).flatMap(([group, cases]) =>
  cases.map(([statuses, title, bytes]) => ({
    group,
    title,
    bytes,
    statuses: typeof statuses === "number" ? [statuses] : statuses,
    isTruncated: cases === TRUNCATED,
  })),
);
