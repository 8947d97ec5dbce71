// S3: a store in a bucket of S3 or of a compatible service, for a collector and servers on several computers. A location s3://
// chooses it; the registry of engines uses it. Removed with it: these locations, the variables AWS_*, and the packages aws4 and
// @aws-sdk/credential-provider-node.
// after: connections
import type { Engine } from "../../stores/engine.ts";
import { s3Place } from "./location.ts";

export const s3: Engine = {
  schemes: ["s3"],
  // Each request costs money.
  pace: 15_000,
  endpoint: ({ AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL }) => AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL,
  prepare(url, environment) {
    const place = s3Place(url, environment);
    return async () => (await import("./s3-store.ts")).openS3Store(place);
  },
};
