// The OpenAPI document against the served answers, of which every one is described and every description is answered, and against
// the tables of the interface specification.
import { afterAll, describe, expect, test } from "vitest";
import { openDescription } from "../../support/serving/openapi.ts";
import { isServed } from "../../support/serving/prepared-targets.ts";
import { sendRaw, parseReplies } from "../../support/serving/raw-connection.ts";
import { ask, noRelease, startServer } from "../../support/serving/server.ts";
import { NOW, plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const snapshots = [plansSnapshot(), releaseSnapshot("macos"), noRelease("windows")];
const server = await startServer({ snapshots, onFinished: afterAll });
const empty = await startServer({ snapshots: [], onFinished: afterAll });
const described = await openDescription(server.port);

const INDEX = "/api/v1";
const PLANS = "/api/v1/plans";
const LATEST = "/api/v1/releases/latest";

interface ExpectedAnswer {
  status: number;
  headers: Readonly<Record<string, unknown>>;
  text: string;
}

/** General headers of HTTP and CORS, which the document leaves out. */
const GENERAL = new Set([
  "access-control-allow-origin",
  "access-control-expose-headers",
  "connection",
  "content-length",
  "content-type",
  "date",
  "x-content-type-options",
]);

/** The differences between an answer and its description. @throws Error if its status is not described. */
function deviations(path: string, { status, headers, text }: ExpectedAnswer, method = "GET"): string[] {
  const { headers: promised, schema } = described.answer(path, status);
  const names = new Map(Object.entries(promised).map(([name, reference]) => [name.toLowerCase(), reference]));
  const unknown = Object.keys(headers).filter((name) => !names.has(name) && !GENERAL.has(name));
  const wrong = [...names].filter(([name, reference]) => !isHeader(headers[name], `${reference}/schema`));
  const hasBody = schema !== undefined && method !== "HEAD";
  return [
    ...unknown.map((name) => `${name} is not described`),
    ...wrong.map(([name]) => `${name} is missing or of another type`),
    ...(hasBody ? described.faults(JSON.parse(text), schema) : [...text]),
  ];
}

function isHeader(value: unknown, schema: string): boolean {
  return [value, Number(value)].some((read) => described.faults(read, schema).length === 0);
}

describe("every answer is as described (server/features/openapi/openapi.ts)", () => {
  const again = { "if-none-match": "*" };
  const raw = async (path: string, header: string): Promise<ExpectedAnswer> => {
    const [reply] = parseReplies(await sendRaw(server.port, `GET ${path} HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`));
    if (!reply) throw new Error("there was no answer");
    return { ...reply, text: reply.body };
  };
  const malformed = (path: string) => raw(path, "no header");
  const longTarget = (path: string) => server.get(`${path}?${"a".repeat(2_048)}`);
  const longHeaders = (path: string) => raw(path, `X: ${"a".repeat(20_000)}`);
  const ANSWERS: [name: string, path: string, status: number, answer: () => Promise<ExpectedAnswer>][] = [
    ["the index", INDEX, 200, () => server.get(INDEX)],
    ["the index, revalidated", INDEX, 304, () => server.get(INDEX, again)],
    ["the index, malformed", INDEX, 400, () => malformed(INDEX)],
    ["the index, with a long target", INDEX, 414, () => longTarget(INDEX)],
    ["the index, with long headers", INDEX, 431, () => longHeaders(INDEX)],
    ["the plans", PLANS, 200, () => server.get(PLANS)],
    ["the plans, revalidated", PLANS, 304, () => server.get(PLANS, again)],
    ["the plans, malformed", PLANS, 400, () => malformed(PLANS)],
    ["the plans, with a long target", PLANS, 414, () => longTarget(PLANS)],
    ["the plans, with long headers", PLANS, 431, () => longHeaders(PLANS)],
    ["the plans, unavailable", PLANS, 502, () => empty.get(PLANS)],
    ["a release", LATEST, 200, () => server.get(LATEST)],
    ["no release", LATEST, 200, () => server.get(`${LATEST}?platform=windows`)],
    ["a release, revalidated", LATEST, 304, () => server.get(LATEST, again)],
    ["a release of another platform", LATEST, 400, () => server.get(`${LATEST}?platform=linux`)],
    ["a release, malformed", LATEST, 400, () => malformed(LATEST)],
    ["a release, with a long target", LATEST, 414, () => longTarget(LATEST)],
    ["a release, with long headers", LATEST, 431, () => longHeaders(LATEST)],
    ["a release, unavailable", LATEST, 502, () => empty.get(LATEST)],
  ];

  test.for(ANSWERS.filter(([, path, status]) => status > 399 || isServed(path)))(
    "%s (%s, %d)",
    async ([, path, status, answer]) => {
      const reply = await answer();
      expect(reply.status).toBe(status);
      expect(deviations(path, reply)).toEqual([]);
    },
  );

  test("no other answer is described", () => {
    const given = new Set(ANSWERS.map(([, path, status]) => `${path} ${status}`));
    expect(described.answers().map(([path, status]) => `${path} ${status}`)).toEqual([...given]);
  });

  test.for(ANSWERS.filter(([, , status]) => status >= 400))(
    "the exact body is among the examples: %s (%s, %d)",
    async ([, path, status, answer]) => {
      const { examples } = described.answer(path, status);
      expect(Object.values(examples)).toContainEqual(JSON.parse((await answer()).text));
    },
  );

  const METHODS = ["GET", "HEAD"];
  const QUERIES = ["", "?", "?other=1", "?platform=windows", "?platform=", "?platform=macos&platform=macos", "?%zz"];
  const CONDITIONS = [{}, again, { "if-modified-since": new Date(NOW).toUTCString() }];
  const requests = [server, empty].flatMap(({ port }) =>
    METHODS.flatMap((method) =>
      QUERIES.flatMap((query) => CONDITIONS.map((headers) => ({ port, method, query, headers }))),
    ),
  );

  test.for([INDEX, PLANS, LATEST].filter(isServed))(
    "for every combination of method, query and condition: %s",
    async (path) => {
      const seen = new Set<number>();
      for (const { port, method, query, headers } of requests) {
        const reply = await ask(port, path + query, { method, headers });
        seen.add(reply.status);
        expect({ method, query, headers, faults: deviations(path, reply, method) }).toMatchObject({ faults: [] });
      }
      expect([...seen]).toEqual(expect.arrayContaining([200, 304]));
    },
  );
});

describe("every example is valid", () => {
  const EXAMPLES = described.answers().flatMap(([path, status]) => {
    const { schema = "", examples } = described.answer(path, status);
    return Object.entries(examples).map(([name, value]) => ({ path, status, name, value, schema }));
  });

  test.for(EXAMPLES)("$path, $status: $name", ({ value, schema }) => {
    expect(described.faults(value, schema)).toEqual([]);
  });

  test("and every body has one", () => {
    const bodies = described.answers().filter(([path, status]) => described.answer(path, status).schema !== undefined);
    const shown = new Set(EXAMPLES.map(({ path, status }) => `${path} ${status}`));
    expect([...shown]).toEqual(bodies.map(([path, status]) => `${path} ${status}`));
  });

  test("the index is its own example, and releases have one of each kind", async () => {
    if (isServed(INDEX)) {
      expect(described.answer(INDEX, 200).examples).toEqual({ index: (await server.get(INDEX)).json() });
    }
    const { published, none } = described.answer(LATEST, 200).examples;
    expect([published, none]).toMatchObject([{ hasUpdate: true }, { hasUpdate: false }]);
  });
});

describe("contact and licence", () => {
  test("lead to the developer page if they are not configured", async () => {
    const url = `${server.base}/`;
    expect(described.description.info).toMatchObject({ contact: { url }, license: { name: "No licence stated", url } });
  });

  test("are those of the settings", async () => {
    const { port } = await startServer({ api: { contact: "api@acme.example", license: "CC-BY-4.0" } });
    const { info } = (await openDescription(port)).description;
    expect(info.contact).toEqual({ email: "api@acme.example" });
    expect(info.license).toEqual({ name: "CC-BY-4.0", identifier: "CC-BY-4.0" });
  });
});

/** "Resources and their fields", complete; types and bounds are tested in public-schemas.test.ts. */
const TABLES = {
  ApiIndex: ["name", "version", "description", "documentation", "openapi", "mcp", "endpoints"],
  PlansResponse: ["currency", "cycles", "plans"],
  BillingCycle: ["key", "durationMonths", "labelKey", "savingBadge"],
  Plan: ["id", "popular", "prices", "monthlyPrice", "annualPrice", "creditsMonthly"],
  Release: ["platform", "version", "changelog", "downloadURL", "size", "date"],
};

describe("by the specification", () => {
  const { paths, components, info } = described.description;

  test.for(Object.entries(TABLES))("a %s has the fields of its table, all required, and no other", ([name, fields]) => {
    const { properties = {}, required, additionalProperties } = components.schemas[name] ?? {};
    expect([Object.keys(properties), required, additionalProperties]).toEqual([fields, fields, false]);
  });

  test("a release is published or not, and an error has a text and may have the allowed values", () => {
    const { LatestReleaseResponse, Error } = components.schemas;
    expect(LatestReleaseResponse?.oneOf).toHaveLength(2);
    expect([Object.keys(Error?.properties ?? {}), Error?.required]).toEqual([["error", "allowed"], ["error"]]);
  });

  test("there are three operations, each a GET without a body; the only parameter is the platform", () => {
    expect(info.version).toBe("1.0.0");
    const operations = Object.entries(paths).map(([path, { get }]) => {
      // What else is described follows from HTTP.
      const statuses = Object.keys(get.responses).filter((status) => !["304", "414", "431"].includes(status));
      return [get.operationId, path, statuses, get.parameters, get.requestBody];
    });
    const schema = { type: "string", enum: ["macos", "windows"], default: "macos" };
    const platform = expect.objectContaining({ name: "platform", in: "query", required: false, schema });
    expect(operations).toEqual([
      ["getApiIndex", INDEX, ["200", "400"], undefined, undefined],
      ["getPlans", PLANS, ["200", "400", "502"], undefined, undefined],
      ["getLatestRelease", LATEST, ["200", "400", "502"], [platform], undefined],
    ]);
  });

  test("no key is required, and sending one changes nothing; there are no webhooks and no callbacks", async () => {
    expect(described.document).toMatchObject({ security: [] });
    const text = JSON.stringify(described.document);
    expect(text.match(/"security\w*"/g)).toHaveLength(1);
    expect(text).not.toMatch(/"(webhooks|callbacks)"/);
    const { text: plain } = await server.get(PLANS);
    expect(await server.get(PLANS, { authorization: "Bearer nonsense" })).toMatchObject({ status: 200, text: plain });
  });
});
