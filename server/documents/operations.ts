// The REST operations as one list, from which the OpenAPI document and the page's reference are made. All are GET.
import { PLATFORMS } from "../../snapshots/schema.ts";
import { LATEST_RELEASE, UNAVAILABLE, UNSUPPORTED_PLATFORM } from "../answers/facts.ts";
import type { ApiIndex } from "../api-index.ts";
import { NO_RELEASE, PLANS, RELEASE } from "./openapi-examples.ts";
import { MALFORMED, ok, refused, unavailable, type OperationResponses } from "./openapi-responses.ts";
import type { JsonSchema } from "./openapi-schemas.ts";

export interface Operation {
  id: "getApiIndex" | "getPlans" | "getLatestRelease";
  path: string;
  tag: "Index" | "Plans" | "Releases";
  summary: string;
  description: string;
  /** In the query, all optional. */
  parameters: readonly { name: string; description: string; schema: JsonSchema }[];
  responses: OperationResponses;
}

/** `index`: the example of its own operation. */
export function operations(index: ApiIndex): Operation[] {
  return [
    {
      id: "getApiIndex",
      path: "/api/v1",
      tag: "Index",
      summary: "Index of the API",
      description: "Absolute links to the developer page, the OpenAPI document, the MCP endpoint and the operations.",
      parameters: [],
      responses: { ...ok("ApiIndex", "Link", { index }), ...refused() },
    },
    {
      id: "getPlans",
      path: "/api/v1/plans",
      tag: "Plans",
      summary: "Current plans, billing cycles and prices",
      description:
        "All prices are in major units of one currency. Plans that can no longer be confirmed return 502, never a guess.",
      parameters: [],
      responses: {
        ...ok("PlansResponse", "Last-Modified", { plans: PLANS }),
        ...refused(),
        ...unavailable(UNAVAILABLE.plans),
      },
    },
    {
      id: "getLatestRelease",
      path: LATEST_RELEASE,
      tag: "Releases",
      summary: "Latest release for a platform",
      description:
        "If no release is published, the response is 200 with hasUpdate false. If that can no longer be confirmed, it is 502.",
      parameters: [
        {
          name: "platform",
          description: "Platform of the release, macos by default",
          schema: { type: "string", enum: [...PLATFORMS], default: "macos" },
        },
      ],
      responses: {
        ...ok("LatestReleaseResponse", "Last-Modified", { published: RELEASE, none: NO_RELEASE }),
        ...refused("The platform is not supported, or the HTTP request is malformed", {
          unsupported: { error: UNSUPPORTED_PLATFORM, allowed: PLATFORMS },
          ...MALFORMED,
        }),
        ...unavailable(UNAVAILABLE["release-macos"]),
      },
    },
  ];
}
