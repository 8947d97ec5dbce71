// Every table of the interface specification, checked against the running program: collected from files, served by `start`.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openDescription } from "../../support/serving/openapi.ts";
import { startProgram } from "../../support/program/program.ts";
import { ask, pollUntil } from "../../support/serving/server.ts";

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

/** The tables of "Resources and their fields", complete. `?`: may be absent. */
const TABLES: Record<string, Record<string, string>> = {
  ApiIndex: {
    name: "string",
    version: "string",
    description: "string",
    documentation: "URI",
    openapi: "URI",
    mcp: "URI",
    endpoints: "Endpoints",
  },
  Endpoints: { plans: "URI", latestRelease: "URI" },
  PlansResponse: { currency: "string", cycles: "array of BillingCycle", plans: "array of Plan" },
  BillingCycle: {
    key: "string",
    durationMonths: "integer, minimum 1",
    labelKey: "string",
    savingBadge: "string or null",
  },
  Plan: {
    id: "string",
    popular: "boolean",
    prices: "map to number, minimum 0",
    monthlyPrice: "number, minimum 0",
    annualPrice: "number, minimum 0",
    creditsMonthly: "integer or null, minimum 0",
  },
  Release: {
    platform: "platform",
    version: "string",
    changelog: "string",
    downloadURL: "URI",
    size: "bytes or empty",
    date: "string",
  },
  "No release": { hasUpdate: "false" },
  "Release exists": { hasUpdate: "true", forceUpdate: "boolean", latest: "Release" },
  Error: { error: "string", allowed: "array of string?" },
};

const isNumber = (value: unknown, min: number) => typeof value === "number" && value >= min;
const isInteger = (value: unknown, min: number) => Number.isInteger(value) && isNumber(value, min);

const TYPES: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  URI: (value) => typeof value === "string" && URL.canParse(value),
  boolean: (value) => typeof value === "boolean",
  true: (value) => value === true,
  false: (value) => value === false,
  platform: (value) => value === "macos" || value === "windows",
  "string or null": (value) => value === null || typeof value === "string",
  "bytes or empty": (value) => typeof value === "string" && /^\d*$/.test(value),
  "number, minimum 0": (value) => isNumber(value, 0),
  "integer, minimum 1": (value) => isInteger(value, 1),
  "integer or null, minimum 0": (value) => value === null || isInteger(value, 0),
  "map to number, minimum 0": (value) => isObject(value) && Object.values(value).every((price) => isNumber(price, 0)),
};

/** The differences between a value and its table. */
function deviations(value: unknown, type: string, at = "$"): string[] {
  const [, item] = /^array of (\w+)$/.exec(type) ?? [];
  if (item !== undefined) {
    if (!Array.isArray(value)) return [`${at} is no array`];
    return value.flatMap((entry, index) => deviations(entry, item, `${at}[${index}]`));
  }
  const table = TABLES[type];
  if (!table) return TYPES[type]?.(value) ? [] : [`${at} is not of type ${type}`];
  if (!isObject(value)) return [`${at} is no object`];
  const unlisted = Object.keys(value).filter((field) => !Object.hasOwn(table, field));
  return [
    ...unlisted.map((field) => `${at}.${field} is not listed`),
    ...Object.entries(table).flatMap(([field, listed]) => {
      if (!Object.hasOwn(value, field)) return listed.endsWith("?") ? [] : [`${at}.${field} is missing`];
      return deviations(value[field], listed.replace("?", ""), `${at}.${field}`);
    }),
  ];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const PATHS = {
  plans: "/api/v1/plans",
  macos: "/api/v1/releases/latest?platform=macos",
  windows: "/api/v1/releases/latest?platform=windows",
};

/** Runs `start` with a file for each of these facts; returns when they are served. */
async function startVendor(facts: Partial<Record<keyof typeof PATHS, object>>) {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-"));
  const source = (name: string) => ({ from: "file", path: `${name}.json` });
  const settings = {
    api: { name: "Notes API", description: "Facts about Notes." },
    plans: source("plans"),
    releases: { macos: source("macos"), windows: source("windows") },
    snapshots: "kept",
  };
  for (const [name, contents] of Object.entries({ "vitrine.config": settings, ...facts })) {
    await writeFile(join(directory, `${name}.json`), JSON.stringify(contents));
  }
  const program = await startProgram(["start"], { directory, onFinished: afterAll });
  afterAll(() => rm(directory, { recursive: true, force: true }));
  for (const [name, path] of Object.entries(PATHS)) {
    if (!Object.hasOwn(facts, name)) continue;
    const isServed = ({ status }: { status: number }) => status === 200;
    await pollUntil(() => program.get(path), isServed);
  }
  return program;
}

const program = await startVendor({ plans: PLANS, macos: MACOS, windows: NO_RELEASE });

describe("Resources and their fields", () => {
  test.for([
    ["ApiIndex", "/api/v1"],
    ["PlansResponse", "/api/v1/plans"],
    ["Release exists", "/api/v1/releases/latest?platform=macos"],
    ["No release", "/api/v1/releases/latest?platform=windows"],
    ["Error", "/api/v1/releases/latest?platform=linux"],
  ] as const)("%s has every field of its table, of the right type, and no other (%s)", async ([table, path]) => {
    expect(deviations((await program.get(path)).json(), table)).toEqual([]);
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
  test.for([
    [200, "/api/v1"],
    [200, "/api/v1/plans"],
    [200, "/api/v1/releases/latest"],
    [200, "/api/v1/releases/latest?platform=macos"],
    [200, "/api/v1/releases/latest?platform=windows"],
    [400, "/api/v1/releases/latest?platform=linux"],
    [200, "/openapi.json"],
  ] as const)("answers %d as application/json: GET %s", async ([status, path]) => {
    const reply = await program.get(path);
    expect(reply).toMatchObject({ status, headers: { "content-type": "application/json" } });
  });

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

  test("every REST operation is read-only", async () => {
    for (const path of ["/api/v1", "/api/v1/plans", "/api/v1/releases/latest"]) {
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        expect((await ask(program.port, path, { method })).status).toBe(405);
      }
    }
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

  test.for(["ApiIndex", "PlansResponse", "BillingCycle", "Plan", "Release"])(
    "its schema of %s lists the fields of the table, all required, and no other",
    (name) => {
      const fields = Object.keys(TABLES[name] ?? {});
      const { properties = {}, required, additionalProperties } = components.schemas[name] ?? {};
      expect(Object.keys(properties)).toEqual(fields);
      expect(required).toEqual(fields);
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
