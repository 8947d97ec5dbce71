// The published schemas under an independent validator: they accept the served bodies and refuse every mutation of them.
import { afterAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { openDescription } from "../../support/serving/openapi.ts";
import { noRelease, startServer } from "../../support/serving/server.ts";
import { plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const snapshots = [plansSnapshot({ plans: 3 }), releaseSnapshot("macos"), noRelease("windows")];
const server = await startServer({ snapshots, onFinished: afterAll });
const { description, document, faults, answer } = await openDescription(server.port);

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

/** A mutation and the mutated value. */
type Mutant = [mutation: string, value: unknown];

const WRONG = "something else";

/** With one change each, at every level: a field of the wrong type, a missing field, an extra field. `at`: its path. */
function mutants(value: unknown, at: string): Mutant[] {
  const retyped: Mutant = [`${at} of another type`, typeof value === "string" ? 7 : WRONG];
  if (Array.isArray(value)) {
    return [
      retyped,
      ...value.flatMap((item, index) =>
        within(mutants(item, `${at}[${index}]`), (spoilt) => value.with(index, spoilt)),
      ),
    ];
  }
  if (typeof value !== "object" || value === null) return value === null ? [[`${at} of another type`, {}]] : [retyped];
  const fields = Object.entries(value);
  const isMap = at.endsWith(".prices");
  return [
    retyped,
    [`${at} with an extra field`, { ...value, extra: WRONG }],
    ...(isMap
      ? []
      : fields.map(([name]): Mutant => [
          `${at} without ${name}`,
          Object.fromEntries(fields.filter(([other]) => other !== name)),
        ])),
    ...fields.flatMap(([name, field]) =>
      within(mutants(field, `${at}.${name}`), (spoilt) => ({ ...value, [name]: spoilt })),
    ),
  ];
}

function within(inner: Mutant[], put: (spoilt: unknown) => unknown): Mutant[] {
  return inner.map(([mutation, spoilt]) => [mutation, put(spoilt)]);
}

describe.for([
  ["/api/v1", "/api/v1"],
  ["/api/v1/plans", "/api/v1/plans"],
  ["/api/v1/releases/latest", "/api/v1/releases/latest?platform=macos"],
  ["/api/v1/releases/latest", "/api/v1/releases/latest?platform=windows"],
] as const)("the schema of %s refuses", async ([path, address]) => {
  const schema = answer(path, 200).schema ?? "";
  const body = (await server.get(address)).json();

  test.for(mutants(body, "the body"))("%s", ([, spoilt]) => {
    expect(faults(spoilt, schema)).not.toEqual([]);
  });
});

describe("the schemas refuse", async () => {
  const index = z.looseObject({}).parse((await server.get("/api/v1")).json());
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

  test.for(BOUNDS)("%s", ([, schema, good, bad]) => {
    expect(faults(good, `#/components/schemas/${schema}`)).toEqual([]);
    expect(faults(bad, `#/components/schemas/${schema}`)).not.toEqual([]);
  });
});
