// A developer's first program against Vitrine, written from the generated types alone. It must compile in strict mode, and
// the demo product must match the types. Exits with 1 if not.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "../generated/api.ts";

type Latest = components["schemas"]["LatestReleaseResponse"];
type Plan = components["schemas"]["Plan"];

const [baseUrl = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl });

async function followTheIndex(): Promise<void> {
  const { data } = await client.GET("/api/v1");
  assert(data);
  assert.equal(data.openapi, `${baseUrl}/openapi.json`);
  assert.equal((await fetch(data.endpoints.plans)).status, 200);
}

async function comparePrices(): Promise<void> {
  const { data } = await client.GET("/api/v1/plans");
  assert(data);
  const popular: Plan | undefined = data.plans.find((plan) => plan.popular);
  const yearly = data.cycles.find(({ durationMonths }) => durationMonths === 12);
  assert(popular && yearly);
  const price: number | undefined = popular.prices[yearly.key];
  assert.equal(price, popular.annualPrice);
  const credits: number | null = popular.creditsMonthly;
  assert(credits !== null && credits > 0);
}

/** One line for the reader; only an existing release has a version. */
function summary(answer: Latest): string {
  // @ts-expect-error: the release is accessible only after a check of hasUpdate
  void answer.latest;
  return answer.hasUpdate ? `${answer.latest.platform} ${answer.latest.version}` : "none";
}

async function askForReleases(): Promise<void> {
  for (const platform of ["macos", "windows"] as const) {
    const { data } = await client.GET("/api/v1/releases/latest", { params: { query: { platform } } });
    assert(data);
    assert.match(summary(data), new RegExp(`^${platform} \\d`));
  }
  const { data: unasked } = await client.GET("/api/v1/releases/latest");
  assert(unasked);
  assert.match(summary(unasked), /^macos /);
  assert.equal(summary({ hasUpdate: false }), "none");
}

async function askForAnotherPlatform(): Promise<void> {
  const { data, error, response } = await client.GET("/api/v1/releases/latest", {
    // @ts-expect-error: the types list the platforms, so the mistake is deliberate
    params: { query: { platform: "linux" } },
  });
  assert.equal(response.status, 400);
  assert.equal(data, undefined);
  assert(error);
  const allowed: string[] | undefined = error.allowed;
  assert.deepEqual(allowed, ["macos", "windows"]);
  assert.match(error.error, /macos, windows/);
}

async function askAgain(): Promise<void> {
  const first = await client.GET("/api/v1/plans");
  const tag = first.response.headers.get("etag");
  assert(tag);
  const { data, response } = await client.GET("/api/v1/plans", { headers: { "if-none-match": tag } });
  assert.equal(response.status, 304);
  assert.equal(data, undefined);
  assert.equal(response.headers.get("etag"), tag);
}

await followTheIndex();
await comparePrices();
await askForReleases();
await askForAnotherPlatform();
await askAgain();
