// How the answers of a runtime may differ from a server's, besides compression. docs/edge.md says the same.
import type { RuntimeName } from "./runtimes.ts";

/** Of the connection, and those that a platform adds itself: workerd leaves Date to what stands before it. */
export const HEADERS_OF_THE_PLATFORM: readonly string[] = ["connection", "date", "keep-alive", "transfer-encoding"];

export interface Difference {
  says: string;
  on: readonly RuntimeName[];
  targets: readonly string[];
  /** The parts of an answer that differ: `status`, `body`, or a header in lower case; by default any. */
  parts?: readonly string[];
}

export const DIFFERENCES: readonly Difference[] = [
  {
    says: "an MCP answer of more than 32 KiB is sent in chunks, without Content-Length",
    on: ["Bun", "workerd"],
    targets: ["/mcp"],
    parts: ["content-length"],
  },
  {
    says: "a target with characters that no URL may have is refused",
    on: ["workerd"],
    targets: ["/nowhere?<b>"],
  },
];
