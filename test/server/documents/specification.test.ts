// Every table of the interface specification, checked against the running program: collected from files.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { openDescription } from "../../support/serving/openapi.ts";
import { runInProcess, startInProcess } from "../../support/program/in-process.ts";
import { settingsDirectory } from "../../support/program/settings.ts";

const PLANS = {
  currency: "EUR",
  cycles: [
    { key: "monthly", durationMonths: 1, labelKey: "billing.monthly", savingBadge: null },
    { key: "annual", durationMonths: 12, labelKey: "billing.annual", savingBadge: "-17%" },
  ],
  plans: [
    { id: "free", popular: false, prices: {}, monthlyPrice: 0, annualPrice: 0, creditsMonthly: 0 },
    {
      id: "pro",
      popular: true,
      prices: { monthly: 19.99, annual: 199 },
      monthlyPrice: 19.99,
      annualPrice: 199,
      creditsMonthly: null,
    },
  ],
};
const MACOS = {
  hasUpdate: true,
  forceUpdate: true,
  latest: {
    platform: "macos",
    version: "3.2.1",
    changelog: "- Schneller.\n- Leiser.",
    downloadURL: "https://downloads.example.com/app.dmg",
    size: "",
    date: "12 May 2026",
  },
};
const NO_RELEASE = { hasUpdate: false };

/** The tables of "Resources and their fields", complete. */
const Price = z.number().min(0);
const Plan = z.strictObject({
  id: z.string(),
  popular: z.boolean(),
  prices: z.record(z.string(), Price),
  monthlyPrice: Price,
  annualPrice: Price,
  creditsMonthly: z.int().min(0).nullable(),
});
const BillingCycle = z.strictObject({
  key: z.string(),
  durationMonths: z.int().min(1),
  labelKey: z.string(),
  savingBadge: z.string().nullable(),
});
const Release = z.strictObject({
  platform: z.enum(["macos", "windows"]),
  version: z.string(),
  changelog: z.string(),
  downloadURL: z.url(),
  size: z.string().regex(/^\d*$/),
  date: z.string(),
});
const ApiIndex = z.strictObject({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  documentation: z.url(),
  openapi: z.url(),
  mcp: z.url(),
  endpoints: z.strictObject({ plans: z.url(), latestRelease: z.url() }),
});
const PlansResponse = z.strictObject({
  currency: z.string(),
  cycles: z.array(BillingCycle),
  plans: z.array(Plan),
});
const TABLES = { ApiIndex, PlansResponse, BillingCycle, Plan, Release };
const ANSWERS: [path: string, table: z.ZodType][] = [
  ["/api/v1", ApiIndex],
  ["/api/v1/plans", PlansResponse],
  [
    "/api/v1/releases/latest?platform=macos",
    z.strictObject({ hasUpdate: z.literal(true), forceUpdate: z.boolean(), latest: Release }),
  ],
  ["/api/v1/releases/latest?platform=windows", z.strictObject({ hasUpdate: z.literal(false) })],
  ["/api/v1/releases/latest?platform=linux", z.strictObject({ error: z.string(), allowed: z.array(z.string()) })],
];

const directory = await settingsDirectory(
  {
    api: { name: "Notes API", description: "Facts about Notes." },
    plans: { from: "file", path: "plans.json" },
    releases: { from: "file", path: "releases.json" },
  },
  afterAll,
);
await writeFile(join(directory, "plans.json"), JSON.stringify(PLANS));
await writeFile(join(directory, "releases.json"), JSON.stringify({ macos: MACOS, windows: NO_RELEASE }));
await runInProcess(["collect"], directory);
const program = await startInProcess(["serve"], { directory, onFinished: afterAll });

describe("Resources and their fields", () => {
  test.for(ANSWERS)("%s has every field of its table, of the right type, and no other", async ([path, table]) => {
    const reply = await program.get(path);
    expect(reply.headers["content-type"]).toBe("application/json");
    expect(table.parse(reply.json())).toEqual(reply.json());
  });

  test("the facts equal the vendor's files", async () => {
    expect((await program.get("/api/v1/plans")).json()).toEqual(PLANS);
    expect((await program.get("/api/v1/releases/latest")).json()).toEqual(MACOS);
    expect((await program.get("/api/v1/releases/latest?platform=windows")).json()).toEqual(NO_RELEASE);
  });

  test("the name of the index is the public name of the API", async () => {
    expect((await program.get("/api/v1")).json()).toMatchObject({
      name: "Notes API",
      description: "Facts about Notes.",
    });
  });
});

describe("Endpoints", () => {
  test("the index links to the developer page, the OpenAPI document, the MCP endpoint and both operations", async () => {
    const { base } = program;
    expect((await program.get("/api/v1")).json()).toMatchObject({
      documentation: `${base}/`,
      openapi: `${base}/openapi.json`,
      mcp: `${base}/mcp`,
      endpoints: { plans: `${base}/api/v1/plans`, latestRelease: `${base}/api/v1/releases/latest` },
    });
    for (const path of ["/", "/openapi.json", "/api/v1/plans", "/api/v1/releases/latest"]) {
      expect((await program.get(path)).status).toBe(200);
    }
  });

  test("the default platform is macOS", async () => {
    const bare = await program.get("/api/v1/releases/latest");
    expect(bare.text).toBe((await program.get("/api/v1/releases/latest?platform=macos")).text);
  });
});

describe("Description, authentication, events and versions", async () => {
  const { description, document } = await openDescription(program.port);
  const { paths, components } = description;

  test("it is OpenAPI 3.1 and carries version 1.0.0", () => {
    expect(description.openapi).toMatch(/^3\.1\.\d+$/);
    expect(description.info.version).toBe("1.0.0");
  });

  test("it describes the three operations, each a GET without a body, with the answers of the table", () => {
    const operations = Object.entries(paths).map(([path, { get }]) => {
      expect(get.requestBody).toBeUndefined();
      // These follow from HTTP, so the specification does not list them.
      const statuses = Object.keys(get.responses).filter((status) => !["304", "414", "431"].includes(status));
      return [get.operationId, path, statuses];
    });
    expect(operations).toEqual([
      ["getApiIndex", "/api/v1", ["200", "400"]],
      ["getPlans", "/api/v1/plans", ["200", "400", "502"]],
      ["getLatestRelease", "/api/v1/releases/latest", ["200", "400", "502"]],
    ]);
  });

  test("the only parameter is platform: optional, macos or windows, by default macos", () => {
    expect(paths["/api/v1"]?.get.parameters).toBeUndefined();
    expect(paths["/api/v1/plans"]?.get.parameters).toBeUndefined();
    const schema = { type: "string", enum: ["macos", "windows"], default: "macos" };
    expect(paths["/api/v1/releases/latest"]?.get.parameters).toMatchObject([
      { name: "platform", in: "query", required: false, schema },
    ]);
  });

  test.for(Object.entries(TABLES))(
    "its schema of %s lists the fields of the table, all required",
    ([name, { shape }]) => {
      const { properties = {}, required, additionalProperties } = components.schemas[name] ?? {};
      expect([Object.keys(properties), required]).toEqual([Object.keys(shape), Object.keys(shape)]);
      expect(additionalProperties).toBe(false);
    },
  );

  test("its schemas of the two variants and of errors are those of the tables", () => {
    const { LatestReleaseResponse, Error } = components.schemas;
    expect(LatestReleaseResponse?.oneOf).toHaveLength(2);
    expect(Object.keys(Error?.properties ?? {})).toEqual(["error", "allowed"]);
    expect(Error?.required).toEqual(["error"]);
  });

  test("no key is required, and sending one changes nothing", async () => {
    expect(document).toMatchObject({ security: [] });
    expect(JSON.stringify(document).match(/"security\w*"/g)).toHaveLength(1);
    const plain = await program.get("/api/v1/plans");
    const keyed = await program.get("/api/v1/plans", { authorization: "Bearer nonsense" });
    expect(keyed).toMatchObject({ status: 200, text: plain.text });
  });

  test("there are no webhooks and no callbacks", () => {
    expect(JSON.stringify(document)).not.toMatch(/"(webhooks|callbacks)"/);
  });
});
