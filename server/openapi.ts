// The OpenAPI 3.1 document, made once at start: the shapes come from the Zod schemas, the rest is written here.
import { z } from "zod";
import { BillingCycle, LatestReleaseResponse, Plan, PlansResponse, PLATFORMS, Release } from "../snapshots/schema.ts";
import { API_VERSION, ApiIndex } from "./api-index.ts";
import type { ApiSettings } from "./config.ts";
import { UNAVAILABLE, UNSUPPORTED_PLATFORM } from "./rest.ts";

type Json = Record<string, unknown>;

/** The Error body stays open, as specified: more may be added. */
export const ErrorBody = z
  .looseObject({
    error: z.string().describe("What was wrong, for people"),
    allowed: z.array(z.string()).optional().describe("The values that would have been accepted"),
  })
  .describe("An error");

/** `base`: the public base URL, without a slash at its end. */
export function openApi(api: ApiSettings, base: string): Json {
  return {
    openapi: "3.1.1",
    info: {
      title: api.name,
      version: API_VERSION,
      description: api.description,
      ...(api.contact && { contact: contact(api.contact) }),
      ...(api.license && { license: { name: api.license, identifier: api.license } }),
    },
    servers: [{ url: base }],
    security: [],
    tags: [
      { name: "Index", description: "Where everything is" },
      { name: "Plans", description: "Subscription plans, billing cycles and prices" },
      { name: "Releases", description: "Desktop releases" },
    ],
    paths: {
      "/api/v1": {
        get: operation("getApiIndex", "Index", "Links to everything there is", {
          200: ok("ApiIndex"),
          400: malformed(),
        }),
      },
      "/api/v1/plans": {
        get: operation("getPlans", "Plans", "The current plans, billing cycles and prices", {
          200: ok("PlansResponse", DATA_HEADERS),
          400: malformed(),
          502: unavailable(UNAVAILABLE.plans),
        }),
      },
      "/api/v1/releases/latest": {
        get: {
          ...operation("getLatestRelease", "Releases", "The latest release of a platform, or that there is none", {
            200: ok("LatestReleaseResponse", DATA_HEADERS),
            400: failure("The platform is not supported", { error: UNSUPPORTED_PLATFORM, allowed: PLATFORMS }),
            502: unavailable(UNAVAILABLE["release-macos"]),
          }),
          parameters: [
            {
              name: "platform",
              in: "query",
              required: false,
              description: "Platform of the release; macos if not given",
              schema: { type: "string", enum: PLATFORMS, default: "macos" },
            },
          ],
        },
      },
    },
    components: { schemas: schemas() },
  };
}

const CACHE_CONTROL = { description: "How long the answer may be kept", schema: { type: "string" } };
const DATA_HEADERS = {
  "Cache-Control": CACHE_CONTROL,
  "Last-Modified": { description: "When the facts last changed", schema: { type: "string" } },
};

function operation(operationId: string, tag: string, summary: string, responses: Json): Json {
  return { operationId, tags: [tag], summary, responses };
}

function ok(schema: string, headers: Json = { "Cache-Control": CACHE_CONTROL }): Json {
  return response("The answer", schema, headers);
}

function malformed(): Json {
  return failure("The HTTP request is malformed", { error: "The request is malformed." });
}

function unavailable(message: string): Json {
  const retryAfter = { description: "Seconds after which to ask again", schema: { type: "integer", minimum: 0 } };
  return failure("The facts are temporarily unavailable", { error: message }, { "Retry-After": retryAfter });
}

function failure(description: string, example: Json, headers: Json = {}): Json {
  return response(description, "Error", { "Cache-Control": CACHE_CONTROL, ...headers }, example);
}

function response(description: string, schema: string, headers: Json, example?: Json): Json {
  const content = { schema: { $ref: reference(schema) }, ...(example && { example }) };
  return { description, headers, content: { "application/json": content } };
}

function contact(address: string): Json {
  return address.includes("@") && !address.includes("/") ? { email: address } : { url: address };
}

function reference(name: string): string {
  return `#/components/schemas/${name}`;
}

function schemas(): Json {
  const registry = z.registry<{ id: string }>();
  const named = { ApiIndex, BillingCycle, Error: ErrorBody, LatestReleaseResponse, Plan, PlansResponse, Release };
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: reference,
    override: ({ jsonSchema }) => dropSafeBounds(jsonSchema),
  });
  for (const schema of Object.values(schemas)) {
    delete schema.$id;
    delete schema.$schema;
  }
  return schemas;
}

/** A whole number has no greatest value in the specification; zod writes the greatest safe integer. */
export function dropSafeBounds(schema: { maximum?: number; minimum?: number }): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}
