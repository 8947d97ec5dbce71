// Lists of the keys in S3: from all pages, and only the store's own.
import { describe, expect, test } from "vitest";
import { errorOf, startS3Double } from "../../support/s3-double.ts";

const bytes = (text: string) => Buffer.from(text);

describe("lists", () => {
  test("have the store's own keys from all pages, whatever else lies in the bucket", async () => {
    const s3 = await startS3Double({ pageSize: 3 });
    const own = Array.from({ length: 10 }, (_, index) => `history/plans-${index}.json`);
    const others = [
      "acme/history/&<>.json",
      "acme/history/a/b.json",
      "acme/historyb.json",
      "acme2/history/plans-1.json",
    ];
    for (const key of [...own.map((key) => `acme/${key}`), ...others]) {
      s3.objects.set(key, { bytes: bytes("{}"), modified: 0 });
    }
    expect((await s3.open().list("history")).toSorted()).toEqual(own);
  });

  test("end, even if the service always has another page", async () => {
    const s3 = await startS3Double();
    const token = "<IsTruncated>true</IsTruncated><NextContinuationToken>again</NextContinuationToken>";
    const body = `<ListBucketResult>${token}</ListBucketResult>`;
    s3.constantFault = { status: 200, body };
    expect((await errorOf(s3.open().list("history"))).message).toContain("over 20 pages");
  });

  test.for(["", "<html><br></html>", "<ListBucketResult>", "<Other/>", "{}"])("are not read from %j", async (body) => {
    const s3 = await startS3Double();
    s3.constantFault = { status: 200, body };
    expect((await errorOf(s3.open().list("history"))).message).toContain("no list of keys");
  });
});
