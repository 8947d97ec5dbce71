// GET /api/v1: the index. All links are absolute and start with the base URL in the settings, never a request's Host.
import * as z from "zod";
import type { ApiSettings } from "./api-settings.ts";

/** Version of the REST interface, in OpenAPI's `info.version` and in the index. */
export const API_VERSION = "1.0.0";

const uri = (description: string) => z.url().meta({ description, format: "uri" });

export const ApiIndex = z
  .strictObject({
    name: z.string().describe("Public name of the API"),
    version: z.string().describe("Version of the interface"),
    description: z.string().describe("Description of the API"),
    documentation: uri("Documentation for developers"),
    openapi: uri("OpenAPI document"),
    mcp: uri("MCP endpoint"),
    endpoints: z
      .strictObject({ plans: uri("The current plans"), latestRelease: uri("The latest release of a platform") })
      .describe("The public REST operations"),
  })
  .describe("Links to everything that the API offers");
export type ApiIndex = z.infer<typeof ApiIndex>;

/** `base`, here as everywhere in the server: the public base URL, without a trailing slash. */
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

/** Leads from any one address to the rest (RFC 8288, RFC 8631, RFC 9727). */
export function linkHeader(base: string, documentation: string): string {
  return [
    `<${base}/.well-known/api-catalog>; rel="api-catalog"`,
    `<${base}/openapi.json>; rel="service-desc"; type="application/json"`,
    `<${documentation}>; rel="service-doc"`,
  ].join(", ");
}
