// GET /api/v1: where everything is. Absolute links, all from the base URL of the settings, never from a request.
import * as z from "zod";
import type { ApiSettings } from "./settings.ts";

/** Version of the REST interface: OpenAPI's `info.version` and the index's label. */
export const API_VERSION = "1.0.0";

const uri = (description: string) => z.url().meta({ description, format: "uri" });

export const ApiIndex = z
  .strictObject({
    name: z.string().describe("Public name of the API"),
    version: z.string().describe("Version of the interface"),
    description: z.string().describe("What the API is about"),
    documentation: uri("Page for developers"),
    openapi: uri("OpenAPI document"),
    mcp: uri("MCP endpoint"),
    endpoints: z
      .strictObject({ plans: uri("The current plans"), latestRelease: uri("The latest release of a platform") })
      .describe("The public REST operations"),
  })
  .describe("What the API offers, and where");
export type ApiIndex = z.infer<typeof ApiIndex>;

/** `base`: the public base URL, without a slash at its end. */
export function apiIndex(api: ApiSettings, base: string): ApiIndex {
  return {
    name: api.name,
    version: API_VERSION,
    description: api.description,
    documentation: api.documentation ?? `${base}/`,
    openapi: `${base}/openapi.json`,
    mcp: `${base}/mcp`,
    endpoints: { plans: `${base}/api/v1/plans`, latestRelease: `${base}/api/v1/releases/latest` },
  };
}
