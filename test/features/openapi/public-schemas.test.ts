// The published schemas under an independent validator: they accept what they should and refuse the rest.
import { afterAll, describe, expect, test } from "vitest";
import { apiIndex } from "../../../server/api-index.ts";
import { Api } from "../../../server/api-settings.ts";
import { openDescription } from "../../support/serving/openapi.ts";
import { noRelease, startServer } from "../../support/serving/server.ts";
import { plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const snapshots = [plansSnapshot({ plans: 3 }), releaseSnapshot("macos"), noRelease("windows")];
const server = await startServer({ snapshots, onFinished: afterAll });
const { description, document, faults } = await openDescription(server.port);

test("the document is OpenAPI 3.1, and no schema in it declares another dialect", () => {
  expect(description.openapi).toMatch(/^3\.1\.\d+$/);
  expect(JSON.stringify(document)).not.toMatch(/"\$(id|schema)"/);
});

test.for(Object.keys(description.components.schemas))("the schema of %s is valid JSON Schema 2020-12", (name) => {
  expect(() => faults({}, `#/components/schemas/${name}`)).not.toThrow();
});

test("each constant is an enum of one as well, by which more generators narrow", () => {
  const constants: unknown[] = [];
  JSON.stringify(document, (_, value: unknown) => {
    if (typeof value === "object" && value !== null && "const" in value) constants.push(value);
    return value;
  });
  expect(constants).toMatchObject(["Product information", false, true].map((only) => ({ const: only, enum: [only] })));
});

describe("the schemas refuse (server/public-schemas.ts)", () => {
  const index = apiIndex(Api.parse({}), server.base);
  const cycle = { key: "monthly", durationMonths: 1, labelKey: "billing.monthly", savingBadge: null };
  const plan = { id: "pro", popular: true, prices: { a: 0 }, monthlyPrice: 0, annualPrice: 0, creditsMonthly: 0 };
  const release = releaseSnapshot("macos").payload;
  const plans = { currency: "USD", cycles: [cycle], plans: [plan] };
  const latest = {
    platform: "macos",
    version: "1.0",
    changelog: "",
    downloadURL: "https://downloads.example.com/a%20b/~notes.zip?v=1#x",
    size: "",
    date: "",
  };
  const BOUNDS: [value: string, schema: string, good: object, bad: object][] = [
    ["a cycle of no months", "BillingCycle", cycle, { ...cycle, durationMonths: 0 }],
    ["a cycle of half a month", "BillingCycle", cycle, { ...cycle, durationMonths: 1.5 }],
    ["a negative price", "Plan", plan, { ...plan, prices: { a: -1 } }],
    ["a negative monthly price", "Plan", plan, { ...plan, monthlyPrice: -0.01 }],
    ["a negative annual price", "Plan", plan, { ...plan, annualPrice: -0.01 }],
    ["negative credits", "Plan", plan, { ...plan, creditsMonthly: -1 }],
    ["half a credit", "Plan", plan, { ...plan, creditsMonthly: 0.5 }],
    ["a release with hasUpdate false", "LatestReleaseResponse", release, { ...release, hasUpdate: false }],
    ["another name of the API", "ApiIndex", index, { ...index, name: "Other" }],
    ["more than 1,000 plans", "PlansResponse", plans, { ...plans, plans: Array.from({ length: 1_001 }, () => plan) }],
    ["more than 100 prices", "Plan", plan, { ...plan, prices: Object.fromEntries(Array(101).fill(0).entries()) }],
    ["a label of two lines", "BillingCycle", { ...cycle, labelKey: "ü 日本" }, { ...cycle, labelKey: "a\nb" }],
    ["a changelog that rings", "Release", { ...latest, changelog: "a\n\tb" }, { ...latest, changelog: "\u0007" }],
    ["a link to no web address", "Release", latest, { ...latest, downloadURL: "ftp://a.example/" }],
    ["a link with a space", "Release", latest, { ...latest, downloadURL: `${latest.downloadURL} ` }],
    ["an error without a text", "Error", { error: "x", more: 1 }, { allowed: [] }],
    [
      "an error whose allowed values are not texts",
      "Error",
      { error: "x", allowed: ["y"] },
      { error: "x", allowed: [1] },
    ],
  ];

  test.for(Object.entries({ ApiIndex: index, PlansResponse: plans, BillingCycle: cycle, Plan: plan, Release: latest }))(
    "a %s with a field of another type, without one, or with one more",
    ([schema, good]) => {
      const spoilt = Object.keys(good).flatMap((name) => [
        { ...good, [name]: { another: "type" } },
        Object.fromEntries(Object.entries(good).filter(([other]) => other !== name)),
      ]);
      for (const bad of [{ ...good, extra: 1 }, ...spoilt])
        expect(faults(bad, `#/components/schemas/${schema}`), JSON.stringify(bad)).not.toEqual([]);
    },
  );

  test.for(BOUNDS)("%s", ([, schema, good, bad]) => {
    expect(faults(good, `#/components/schemas/${schema}`)).toEqual([]);
    expect(faults(bad, `#/components/schemas/${schema}`)).not.toEqual([]);
  });
});
