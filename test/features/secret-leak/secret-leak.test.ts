// Copies of a secret are found in linear time, however an upstream or a program writes them; parts and Base64 pass, as SECURITY.md says.
import { describe, expect, test } from "vitest";
import { secretFinder } from "../../../collector/features/secret-leak/secret-leak.ts";
import { expectLinear, filled } from "../../support/linear.ts";

const KEY = "xyzzy/0123456789";
const secretIn = secretFinder({ headers: { authorization: "Bearer $KEY" } }, { KEY });
/** The secret with this before its fourth and its ninth character. */
const cut = (first: string, second = "") =>
  `asked with ${KEY.slice(0, 3)}${first}${KEY.slice(3, 8)}${second}${KEY.slice(8)}!`;

describe("a secret is found (collector/features/secret-leak/secret-leak.ts)", () => {
  test.for([
    ["in a colour", `\u001b[31m${KEY}\u001b[0m`],
    ["half in a colour", cut("\u001b[1;31m", "\u001b[0m")],
    ["with a colour of 24 bits", cut("\u001b[38;2;255;0;0m", "\u001b[39m")],
    ["with a colour between colons", cut("\u001b[38:2::255:0:0m", "\u001b[m")],
    ["with codes of 8 bits", cut("\u009b31m", "\u009b0m")],
    ["with a link", cut("\u001b]8;;https://a.example\u0007", "\u001b]8;;\u001b\\")],
    ["as a link", `\u001b]8;;https://a.example/${KEY}\u0007here\u001b]8;;\u0007`],
    ["with escapes that are escaped", cut("\\u001b[31m", "\\u001b[0m")],
    ["with an escape alone", cut("\u001b")],
    ["in capitals, encoded, with spaces", encodeURIComponent(cut(" ", "\t").toUpperCase())],
  ])("%s", ([, text]) => {
    expect(secretIn(text)).toBe("KEY");
  });

  test("as the numbers of a code", () => {
    const numberIn = secretFinder({ token: "$PIN" }, { PIN: "1234567890" });
    expect(numberIn("\u001b[1234567890m")).toBe("PIN");
  });

  test.for([
    ["a part", KEY.slice(0, 8)],
    ["Base64", Buffer.from(KEY).toString("base64")],
    ["reversed", [...KEY].toReversed().join("")],
  ])("but not %s", ([, text]) => {
    expect(secretIn(text)).toBeUndefined();
  });

  test.for([
    ["marks", "\u0315\u0323", 10_000],
    ["letters that become marks", "\uff9e\u0323", 10_000],
    ["ligatures", "\ufdfa", 25_000],
    ["escapes", "%25&amp;", 25_000],
    ["a number without an end", "&#1", 25_000],
    ["the beginning of the secret", "xyzzy", 50_000],
    ["codes of a terminal", "\u001b[", 50_000],
    ["links of a terminal", "\u001b]", 50_000],
  ] as const)("in linear time: %s", ([, text, size]) =>
    expectLinear(size, (length) => {
      const long = `a${filled(text, length)}`;
      return () => secretIn(long);
    }),
  );
});
