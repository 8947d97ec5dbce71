// What features add to a server before its first answer. A registry: each feature has lines of its own. All of it is light.
import type { FactLink } from "./answers/facts.ts";
import type { ApiSettings } from "./api-settings.ts";
import { readApiFiles } from "./features/api-files/api-files.ts";
import { openExpressLane } from "./features/express-lane/express-lane.ts";
import { openLastCopy } from "./features/follow/last-copy.ts";
import { mcpAddress } from "./features/mcp/identity.ts";
import { otherIssuer, proofLink } from "./features/signatures/proofs.ts";
import type { Early } from "./late.ts";
import type { Remark } from "./mirror/mirror.ts";

export const EARLY: Early = {
  // A line for each.
  readApiFiles,
  openExpressLane,
  openLastCopy,
};

/** Looked at once a server listens. */
export const REMARKS: readonly Remark[] = [
  // A line for each.
  otherIssuer,
];

/** Addresses for the operator, in lines. */
export const ADDRESSES: readonly ((api: ApiSettings, base: string) => readonly string[])[] = [
  // A line for each.
  mcpAddress,
];

/** Further links of each fact. */
export const FACT_LINKS: readonly FactLink[] = [
  // A line for each.
  proofLink,
];
