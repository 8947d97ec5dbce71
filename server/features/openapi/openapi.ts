// The OpenAPI 3.1 document, made once at start from the operations and the JSON Schemas. Two linters must
// accept it without a finding (`npm run external -- client`), and a test compares each response with the server's own.
// For clients that are generated. Without it, /openapi.json, which the index names, is a 404.
import { PLATFORMS, type LatestReleaseResponse, type PlansResponse } from "../../../snapshots/schema.ts";
import type { Addition, Site } from "../../answers/addition.ts";
import { document } from "../../answers/answer.ts";
import { LATEST_RELEASE, UNAVAILABLE, UNSUPPORTED_PLATFORM } from "../../answers/facts.ts";
import { API_VERSION, apiIndex, type ApiIndex } from "../../api-index.ts";
import { isEmail, type ApiSettings } from "../../api-settings.ts";
import { schemaReference, SCHEMAS, type SchemaName } from "../../public-schemas.ts";

export function openapi({ api, base }: Site): Addition {
  const documents = { "/openapi.json": document(JSON.stringify(openApi(api, base))) };
  return { documents: () => documents };
}

export function openApi(api: ApiSettings, base: string): object {
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
      { name: "Index", description: "Links to the documents and operations" },
      { name: "Plans", description: "Subscription plans, billing cycles and prices" },
      { name: "Releases", description: "Desktop releases" },
    ],
    paths: paths(index),
    components: { headers: HEADERS, schemas: schemas(api.name) },
  };
}

/** The REST operations. `index`: its own example. */
function paths(index: ApiIndex): object {
  return {
    "/api/v1": {
      get: {
        operationId: "getApiIndex",
        tags: ["Index"],
        summary: "Index of the API",
        description: "Absolute links to the developer page, the OpenAPI document, the MCP endpoint and the operations.",
        responses: { ...ok("ApiIndex", ["Link"], { index }), ...refused() },
      },
    },
    "/api/v1/plans": {
      get: {
        operationId: "getPlans",
        tags: ["Plans"],
        summary: "Current plans, billing cycles and prices",
        description:
          "All prices are in major units of one currency. Plans that can no longer be confirmed return 502, never a guess.",
        responses: {
          ...ok("PlansResponse", ["Last-Modified", "Link"], { plans: PLANS_EXAMPLE }),
          ...refused(),
          ...unavailable(UNAVAILABLE.plans),
        },
      },
    },
    [LATEST_RELEASE]: {
      get: {
        operationId: "getLatestRelease",
        tags: ["Releases"],
        summary: "Latest release for a platform",
        description:
          "hasUpdate true only means that a release is published: compare latest.version with the installed version. If no release " +
          "is published, the response is 200 with hasUpdate false. If that can no longer be confirmed, it is 502.",
        parameters: [
          {
            name: "platform",
            description: "Platform of the release, macos by default",
            schema: { type: "string", enum: PLATFORMS, default: "macos" },
            in: "query",
            required: false,
          },
        ],
        responses: {
          ...ok("LatestReleaseResponse", ["Last-Modified", "Link"], {
            published: RELEASE_EXAMPLE,
            none: NO_RELEASE_EXAMPLE,
          }),
          ...refused("The platform is not supported, or the HTTP request is malformed", {
            unsupported: { error: UNSUPPORTED_PLATFORM, allowed: PLATFORMS },
            ...MALFORMED,
          }),
          ...unavailable(UNAVAILABLE["release-macos"]),
        },
      },
    },
  };
}

// The facts in the examples are invented, so that nobody takes them for the vendor's.
const PLANS_EXAMPLE: PlansResponse = {
  currency: "USD",
  cycles: [
    { key: "monthly", durationMonths: 1, labelKey: "billing.monthly", savingBadge: null },
    { key: "annual", durationMonths: 12, labelKey: "billing.annual", savingBadge: "-17%" },
  ],
  plans: [
    {
      id: "pro",
      popular: true,
      prices: { monthly: 24, annual: 239 },
      monthlyPrice: 24,
      annualPrice: 239,
      creditsMonthly: 2000,
    },
  ],
};

const RELEASE_EXAMPLE: LatestReleaseResponse = {
  hasUpdate: true,
  forceUpdate: false,
  latest: {
    platform: "macos",
    version: "4.2.1",
    changelog: "- Search finds words inside scanned pages.",
    downloadURL: "https://downloads.example.com/app-4.2.1.dmg",
    size: "104211334",
    date: "2026-11-12",
  },
};
const NO_RELEASE_EXAMPLE: LatestReleaseResponse = { hasUpdate: false };

/** The headers that say something about the facts; CORS and general HTTP headers are not listed. */
const HEADERS = {
  "Cache-Control": textHeader("How long the response may be cached; no-store for errors"),
  ETag: textHeader("Entity tag, for If-None-Match"),
  "Last-Modified": textHeader("When the facts last changed, for If-Modified-Since"),
  Link: textHeader(
    "Links to the catalog, this document and the page, or from a fact to its state at /status (RFC 8288)",
  ),
  "Retry-After": { description: "Seconds to wait before retrying", schema: { type: "integer", minimum: 0 } },
  Vary: textHeader("Request headers that the response depends on"),
};
type HeaderName = keyof typeof HEADERS;

/** The example of 400 for a request that is not valid HTTP. */
const MALFORMED = { malformed: { error: "The request is malformed." } };

type Examples = Readonly<Record<string, unknown>>;

/** 200 and 304. `further`: headers sent in addition to those of every cacheable response. */
function ok(schema: SchemaName, further: HeaderName[], examples: Examples): object {
  const headers: HeaderName[] = ["Cache-Control", "ETag", "Vary", ...further];
  return {
    200: response("Success", headers, { schema, examples }),
    304: response("The client's copy is current", headers),
  };
}

/** 400, 414 and 431. `examples`: of 400. 405 is none of them: no answer to GET has it. */
function refused(description = "The HTTP request is malformed", examples: Examples = MALFORMED): object {
  const longTarget = { long: { error: "The request target is longer than 2048 characters." } };
  const longHeaders = { long: { error: "The request's headers are too long." } };
  return {
    400: failure(description, examples),
    414: failure("The path and query are longer than 2,048 characters", longTarget),
    431: failure("The headers are longer than 16 KiB", longHeaders),
  };
}

function unavailable(error: string): object {
  return { 502: failure("The facts are temporarily unavailable", { unavailable: { error } }, ["Link", "Retry-After"]) };
}

function failure(description: string, examples: Examples, headers: HeaderName[] = []): object {
  return response(description, ["Cache-Control", ...headers], { schema: "Error", examples });
}

/** `body`: in JSON, with examples by name. */
function response(
  description: string,
  headers: readonly HeaderName[],
  body?: { schema: SchemaName; examples: Examples },
): object {
  return {
    description,
    headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(body && {
      content: {
        "application/json": {
          schema: { $ref: schemaReference(body.schema) },
          examples: Object.fromEntries(Object.entries(body.examples).map(([name, value]) => [name, { value }])),
        },
      },
    }),
  };
}

function textHeader(description: string) {
  return { description, schema: { type: "string" } };
}

/** The schemas, in which the name of the index is a constant. */
function schemas(name: string): object {
  const { ApiIndex } = SCHEMAS;
  const constant = { type: "string", const: name, enum: [name], description: "Public name of the API" };
  return { ...SCHEMAS, ApiIndex: { ...ApiIndex, properties: { ...ApiIndex?.properties, name: constant } } };
}

function contact(address: string): object {
  return isEmail(address) ? { email: address } : { url: address };
}

/** OpenAPI linters require a licence, but only the vendor can grant one. */
function license(identifier: string | undefined, documentation: string): object {
  return identifier === undefined
    ? { name: "No licence stated", url: documentation }
    : { name: identifier, identifier };
}
