// The OpenAPI 3.1 document, made once at start: the shapes come from the Zod schemas, the rest is written here and, for
// the answers, in openapi-responses.ts. Two linters must have nothing to say about it (`npm run lint:api`).
import * as z from "zod";
import {
  BillingCycle,
  LatestReleaseResponse,
  Plan,
  PlansResponse,
  PLATFORMS,
  Release,
} from "../../snapshots/schema.ts";
import { API_VERSION, ApiIndex, apiIndex } from "../api-index.ts";
import { dropSafeBounds } from "../json-schema.ts";
import type { ApiSettings } from "../settings.ts";
import { NO_RELEASE, PLANS, RELEASE } from "./openapi-examples.ts";
import { answered, HEADERS, MALFORMED, refused, reference, unavailable, WRONG_METHOD } from "./openapi-responses.ts";
import { UNAVAILABLE, UNSUPPORTED_PLATFORM } from "../answers/facts.ts";

type Json = Record<string, unknown>;

/** The Error body stays open, as specified: more may be added. */
const ErrorBody = z
  .looseObject({
    error: z.string().describe("What was wrong, for people"),
    allowed: z.array(z.string()).optional().describe("The values that would have been accepted"),
  })
  .describe("An error");

/** `base`: the public base URL, without a slash at its end. */
export function openApi(api: ApiSettings, base: string): Json {
  const index = apiIndex(api, base);
  return {
    openapi: "3.1.1",
    info: {
      title: api.name,
      version: API_VERSION,
      description: api.description,
      contact: contact(api.contact ?? index.documentation),
      license: license(api.license, index.documentation),
    },
    servers: [{ url: base }],
    security: [],
    tags: [
      { name: "Index", description: "Where everything is" },
      { name: "Plans", description: "Subscription plans, billing cycles and prices" },
      { name: "Releases", description: "Desktop releases" },
    ],
    paths: {
      "/api/v1": { get: getApiIndex(index) },
      "/api/v1/plans": { get: getPlans() },
      "/api/v1/releases/latest": { get: getLatestRelease() },
    },
    components: { headers: HEADERS, schemas: schemas() },
  };
}

function contact(address: string): Json {
  return address.includes("@") && !address.includes("/") ? { email: address } : { url: address };
}

/** Readers are owed a word on the licence, but only the vendor can grant one. */
function license(identifier: string | undefined, documentation: string): Json {
  return identifier === undefined
    ? { name: "No licence stated", url: documentation }
    : { name: identifier, identifier };
}

function getApiIndex(index: ApiIndex): Json {
  return {
    operationId: "getApiIndex",
    tags: ["Index"],
    summary: "Links to everything there is",
    description: "Absolute links to the page for developers, this document, the MCP endpoint and the other operations.",
    responses: {
      ...answered("ApiIndex", "Link", { index }),
      400: refused("The HTTP request is malformed", { malformed: MALFORMED }),
      405: WRONG_METHOD,
    },
  };
}

function getPlans(): Json {
  return {
    operationId: "getPlans",
    tags: ["Plans"],
    summary: "The current plans, billing cycles and prices",
    description:
      "All prices are in major units of one currency. What can no longer be confirmed is 502, never a guess.",
    responses: {
      ...answered("PlansResponse", "Last-Modified", { plans: PLANS }),
      400: refused("The HTTP request is malformed", { malformed: MALFORMED }),
      405: WRONG_METHOD,
      502: unavailable(UNAVAILABLE.plans),
    },
  };
}

function getLatestRelease(): Json {
  return {
    operationId: "getLatestRelease",
    tags: ["Releases"],
    summary: "The latest release of a platform, or that there is none",
    description: "That none is published is a known fact: 200, hasUpdate false. What is not known is 502.",
    parameters: [
      {
        name: "platform",
        in: "query",
        required: false,
        description: "Platform of the release; macos if not given",
        schema: { type: "string", enum: PLATFORMS, default: "macos" },
      },
    ],
    responses: {
      ...answered("LatestReleaseResponse", "Last-Modified", { published: RELEASE, none: NO_RELEASE }),
      400: refused("The platform is not supported, or the HTTP request is malformed", {
        unsupported: { error: UNSUPPORTED_PLATFORM, allowed: PLATFORMS },
        malformed: MALFORMED,
      }),
      405: WRONG_METHOD,
      502: unavailable(UNAVAILABLE["release-macos"]),
    },
  };
}

/** The public shapes by name, as JSON Schema. */
export function schemas(): Record<string, z.core.JSONSchema.BaseSchema> {
  const registry = z.registry<{ id: string }>();
  const named = { ApiIndex, BillingCycle, Error: ErrorBody, LatestReleaseResponse, Plan, PlansResponse, Release };
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (name) => reference("schemas", name),
    override: ({ jsonSchema }) => dropSafeBounds(jsonSchema),
  });
  for (const schema of Object.values(schemas)) {
    delete schema.$id;
    delete schema.$schema;
  }
  return schemas;
}
