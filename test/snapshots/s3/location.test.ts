// Where an S3 store is, by its location and the variables of AWS's own programs, and how requests to it are signed.
import { describe, expect, test } from "vitest";
import { openStore } from "../../../snapshots/open-store.ts";
import { s3Place } from "../../../snapshots/stores/s3/place.ts";
import { signedHeaders } from "../../../snapshots/stores/s3/sign.ts";

describe("the location and the environment", () => {
  const KEYS = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: " secret\n", AWS_REGION: "eu-central-1" };
  const placed = (location: string, environment: Record<string, string>) => {
    const { endpoint, path, prefix, region } = s3Place(new URL(location), { ...KEYS, ...environment });
    return `${endpoint.origin}${path} ${prefix} ${region}`;
  };

  test.for([
    ["s3://facts/acme", {}, "https://facts.s3.eu-central-1.amazonaws.com/ acme/ eu-central-1"],
    ["s3://facts", {}, "https://facts.s3.eu-central-1.amazonaws.com/  eu-central-1"],
    ["s3://facts/a/b/", {}, "https://facts.s3.eu-central-1.amazonaws.com/ a/b/ eu-central-1"],
    ["s3://my.facts/acme", {}, "https://s3.eu-central-1.amazonaws.com/my.facts/ acme/ eu-central-1"],
    ["s3://facts/acme", { AWS_ENDPOINT_URL: "http://minio:9000/" }, "http://minio:9000/facts/ acme/ eu-central-1"],
    [
      "s3://facts/acme",
      { AWS_ENDPOINT_URL: "http://minio:9000", AWS_ENDPOINT_URL_S3: "https://example.com/s3", AWS_REGION: "" },
      "https://example.com/s3/facts/ acme/ us-east-1",
    ],
    [
      "s3://facts/acme",
      { AWS_REGION: "", AWS_DEFAULT_REGION: "us-west-2" },
      "https://facts.s3.us-west-2.amazonaws.com/ acme/ us-west-2",
    ],
  ] as const)("%s with %j is at %s", ([location, environment, place]) => {
    expect(placed(location, environment)).toBe(place);
  });

  test("a secret is taken without the line end of its file", () => {
    expect(s3Place(new URL("s3://facts"), KEYS).credentials.secretAccessKey).toBe("secret");
  });

  test.for([
    "s3://me:hidden@facts/acme",
    "s3://facts/acme?hidden",
    "s3://facts/acme#hidden",
    "s3://facts:80/hidden",
    "s3://facts/a//hidden",
    "s3://facts/hidden%20",
    "s3://F/hidden",
    "s3:///hidden",
  ])("%s is refused and not repeated", (location) => {
    expect(() => openStore(location)).toThrow("must ");
    expect(() => openStore(location)).not.toThrow("hidden");
  });

  test.for([
    [{ AWS_ACCESS_KEY_ID: "" }, "needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"],
    [{ AWS_SECRET_ACCESS_KEY: "two\nlines" }, "without spaces in AWS_SECRET_ACCESS_KEY"],
    [{ AWS_SESSION_TOKEN: "hiddén" }, "of ASCII characters"],
    [{ AWS_REGION: "" }, "needs AWS_REGION"],
    [{ AWS_REGION: "Frankfurt.hidden" }, "such as eu-central-1 in AWS_REGION"],
    [{ AWS_ENDPOINT_URL_S3: "minio:9000" }, "in AWS_ENDPOINT_URL_S3"],
    [{ AWS_ENDPOINT_URL_S3: "https://me:hidden@example.com" }, "in AWS_ENDPOINT_URL_S3"],
  ] as const)("%j is refused at opening", ([environment, problem]) => {
    const open = () => openStore("s3://facts", { ...KEYS, ...environment });
    expect(open).toThrow(problem);
    expect(open).not.toThrow("hidden");
  });
});

describe("signatures", () => {
  // The examples of "Signature Calculations for the Authorization Header" in the documentation of Amazon S3.
  const credentials = {
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    sessionToken: undefined,
  };
  const request = { method: "GET", host: "examplebucket.s3.amazonaws.com", path: "/", query: {}, headers: {} };
  test.for([
    [
      { ...request, path: "/test.txt", headers: { range: "bytes=0-9" }, body: undefined },
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    ],
    [
      { ...request, query: { prefix: "J", "max-keys": "2" }, body: undefined },
      "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
    ],
    [
      {
        ...request,
        method: "PUT",
        path: "/test%24file.text",
        headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
        body: Buffer.from("Welcome to Amazon S3."),
      },
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    ],
  ] as const)("AWS's own example %# has AWS's own signature", ([unsigned, signature]) => {
    const signed = signedHeaders(unsigned, credentials, { region: "us-east-1", now: new Date("2013-05-24T00:00:00Z") });
    expect(signed.authorization).toContain(`Signature=${signature}`);
  });
});
