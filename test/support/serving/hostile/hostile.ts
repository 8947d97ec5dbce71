// Hostile requests, each with what is to be answered: by a server that has the plans and the release for macOS, but none
// for Windows. One list for all that must hold whatever is asked.
import { FRAMING } from "./framing.ts";
import { HEADERS } from "./headers.ts";
import { HOSTS } from "./hosts.ts";
import { LINES } from "./lines.ts";
import { MESSAGES_TO_MCP } from "./messages.ts";
import { HALVES, SEQUENCES } from "./sequences.ts";
import { TARGETS } from "./targets.ts";
import { WISHES } from "./wishes.ts";

export interface Hostile {
  idea: string;
  /** What is hostile about it, as a piece of a sentence. */
  what: string;
  /** As they are sent, a character each. */
  bytes: string;
  /** Of the answers, in their order. */
  statuses: readonly number[];
  /** Whether the server has to wait for more, until the client closes its side. */
  isCutShort: boolean;
}

const IDEAS = {
  "a first line": LINES,
  "a target": TARGETS,
  "a Host": HOSTS,
  "a header": HEADERS,
  "a wish": WISHES,
  "an end of a message": FRAMING,
  "a message": MESSAGES_TO_MCP,
  "a sequence": SEQUENCES,
  "a half": HALVES,
};

export const HOSTILE: readonly Hostile[] = Object.entries(IDEAS).flatMap(([idea, cases]) =>
  cases.map(([statuses, what, bytes]) => ({
    idea,
    what,
    bytes,
    statuses: typeof statuses === "number" ? [statuses] : statuses,
    isCutShort: cases === HALVES,
  })),
);
