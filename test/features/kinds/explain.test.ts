// What to do about a status with which an upstream refuses.
import { describe, expect, test } from "vitest";
import { documentHints } from "../../../collector/features/kinds/explain.ts";

describe("a document that is refused with 401 (collector/features/kinds/explain.ts)", () => {
  test.for<[headers: Record<string, string>, hint: string]>([
    [{}, ': it asks for a token, which "headers" may send'],
    [{ authorization: "Bearer $T" }, ': the secret in "headers" is wrong or has expired'],
    [{ "x-api-key": "$T" }, ': the secret in "headers" is wrong or has expired'],
    [{ Authorization: "$T" }, ': the secret in "headers" is wrong or has expired, or needs "Bearer $T"'],
  ])("with %j: %s", ([headers, hint]) => expect(documentHints(headers)[401]).toBe(hint));
});
