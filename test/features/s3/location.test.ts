// Where an S3 store is, by its location and the variables of AWS's own programs.
import { describe, expect, onTestFinished, test } from "vitest";
import { openReader, openStore } from "../../../snapshots/stores/open-store.ts";
import { s3Place } from "../../../snapshots/features/s3/location.ts";
import { startS3Double } from "../../support/s3-double.ts";

describe("the location and the environment (snapshots/features/s3/location.ts)", () => {
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
      { AWS_ENDPOINT_URL: "http://minio:9000", AWS_ENDPOINT_URL_S3: "https://example.com/~a/s3/", AWS_REGION: "" },
      "https://example.com/~a/s3/facts/ acme/ us-east-1",
    ],
    [
      "s3://facts/acme",
      { AWS_REGION: "", AWS_DEFAULT_REGION: "us-west-2" },
      "https://facts.s3.us-west-2.amazonaws.com/ acme/ us-west-2",
    ],
  ] as const)("%s with %j is at %s", ([location, environment, place]) => {
    expect(placed(location, environment)).toBe(place);
  });

  test("a program that only reads has a history", () => {
    expect(openReader("s3://facts", KEYS).canList ?? true).toBe(true);
  });

  test("a secret is taken without the line end of its file", () => {
    expect(s3Place(new URL("s3://facts"), KEYS).credentials?.secretAccessKey).toBe("secret");
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
    [{ AWS_ACCESS_KEY_ID: "" }, "needs AWS_ACCESS_KEY_ID beside"],
    [{ AWS_SECRET_ACCESS_KEY: " \n" }, "needs AWS_SECRET_ACCESS_KEY beside"],
    [{ AWS_SECRET_ACCESS_KEY: "two\nlines" }, "without spaces in AWS_SECRET_ACCESS_KEY"],
    [{ AWS_SESSION_TOKEN: "hiddén" }, "of ASCII characters"],
    [{ AWS_REGION: "" }, "needs AWS_REGION"],
    [{ AWS_REGION: "Frankfurt.hidden" }, "such as eu-central-1 in AWS_REGION"],
    [{ AWS_ENDPOINT_URL_S3: "minio:9000" }, "in AWS_ENDPOINT_URL_S3"],
    [{ AWS_ENDPOINT_URL_S3: "https://me:hidden@example.com" }, "in AWS_ENDPOINT_URL_S3"],
    [{ AWS_ENDPOINT_URL_S3: "https://example.com/a+hidden" }, "in AWS_ENDPOINT_URL_S3"],
  ] as const)("%j is refused at opening", ([environment, problem]) => {
    const open = () => openStore("s3://facts", { ...KEYS, ...environment });
    expect(open).toThrow(problem);
    expect(open).not.toThrow("hidden");
  });
});

test("an endpoint with a path is read, written and listed", async () => {
  const s3 = await startS3Double({ path: "/~storage/v1.0/s3_a-b" });
  const store = s3.open("a.b/_c-");
  onTestFinished(() => store.close());
  const version = await store.put("history/plans-1.json", Buffer.from("one"));
  expect(await store.get("history/plans-1.json", version)).toBe("unchanged");
  expect(await store.list("history")).toEqual(["history/plans-1.json"]);
});
