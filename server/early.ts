// What features add to a server before its first answer. A registry: each feature has lines of its own. All of it is light.
import type { FactLink } from "./answers/facts.ts";
import type { Store } from "../snapshots/store.ts";
import type { ApiFiles, ApiSettings } from "./api-settings.ts";
import type { OpenLane } from "./door/lane.ts";
import { readApiFiles } from "./features/api-files/api-files.ts";
import { openExpressLane } from "./features/express-lane/express-lane.ts";
import { openLastCopy } from "./features/follow/last-copy.ts";
import { mcpAddress } from "./features/mcp/identity.ts";
import { otherIssuer, proofLink } from "./features/signatures/proofs.ts";
import type { LastCopy, Remark } from "./mirror/mirror.ts";

/** Each is undefined without its feature. */
interface Early {
  /** @throws Error that names the file that cannot be read. */
  readApiFiles?: (api: ApiSettings) => ApiFiles;
  openExpressLane?: OpenLane;
  openLastCopy?: (store: Store, warn: (message: string) => void) => LastCopy;
}

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
