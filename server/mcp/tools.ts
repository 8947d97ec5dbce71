// The MCP tools; each call reads the mirror.
import * as z from "zod";
import { LatestReleaseResponse, PlansResponse, PLATFORMS } from "../../snapshots/schema.ts";
import { releaseName, type SnapshotName } from "../../snapshots/snapshot.ts";
import type { Mirror } from "../mirror/mirror.ts";
import { dropSafeBounds } from "../json-schema.ts";
import { asPlatform, UNAVAILABLE, UNSUPPORTED_PLATFORM } from "../answers/facts.ts";

/** Without `readOnlyHint`, some hosts assume that a tool writes. */
const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** The tools' source of facts. */
export type Facts = Pick<Mirror, "get">;

export interface ToolResult {
  [extra: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

export interface Tool {
  title: string;
  description: string;
  inputSchema: { type: "object"; properties: Record<string, object> };
  outputSchema: { type: "object"; [keyword: string]: unknown };
  annotations: typeof READ_ONLY;
  /** `given`: the client's arguments; unknown ones are ignored. */
  call(facts: Facts, given: Record<string, unknown>): ToolResult;
}

export const TOOLS: Record<string, Tool> = {
  get_pricing: {
    title: "Get pricing",
    description: "The current subscription plans with billing cycles, prices and monthly credits.",
    inputSchema: { type: "object", properties: {} },
    outputSchema: outputSchema(PlansResponse),
    annotations: { ...READ_ONLY },
    call: (facts) => snapshotResult(facts, "plans"),
  },
  get_latest_version: {
    title: "Get latest version",
    description: "The latest desktop release of a platform, or the fact that none is published (hasUpdate: false).",
    inputSchema: {
      type: "object",
      properties: {
        platform: { type: "string", enum: [...PLATFORMS], description: "Platform of the release; macos if not given" },
      },
    },
    outputSchema: outputSchema(LatestReleaseResponse),
    annotations: { ...READ_ONLY },
    call(facts, { platform }) {
      // Some hosts send null or an empty string for an omitted argument.
      const isUnset = platform === undefined || platform === null || platform === "";
      const supported = isUnset ? "macos" : asPlatform(platform);
      return supported ? snapshotResult(facts, releaseName(supported)) : errorResult(UNSUPPORTED_PLATFORM);
    },
  },
};

/** The tools as listed by tools/list. */
export function listedTools() {
  return Object.entries(TOOLS).map(([name, { call, ...tool }]) => ({ name, ...tool }));
}

function snapshotResult(facts: Facts, name: SnapshotName): ToolResult {
  const lookup = facts.get(name);
  if (lookup.state !== "fresh") return errorResult(UNAVAILABLE[name]);
  const text = Buffer.from(lookup.snapshot.body).toString();
  return { content: [{ type: "text", text }], structuredContent: JSON.parse(text) };
}

function errorResult(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

function outputSchema(schema: z.ZodType): Tool["outputSchema"] {
  const { $schema, ...rest } = z.toJSONSchema(schema, { override: ({ jsonSchema }) => dropSafeBounds(jsonSchema) });
  return { ...rest, type: "object" };
}
