// Retries: only of transient failures, at most three tries, never sooner than the upstream asked for.
import { describe, expect, test, vi } from "vitest";
import { fetchText } from "../../collector/http/fetch.ts";
import { failedFetch, neverAborted, fetchError } from "../support/collecting/fetching.ts";
import { TRANSIENT } from "../support/collecting/upstream-failures.ts";
import { body, inTurn, reset, startUpstream, status, type Behaviour } from "../support/collecting/upstream.ts";

const TEXT = "{}";

// Concurrent, because each of them waits between tries.
vi.setConfig({ maxConcurrency: 40 });

describe.concurrent("a transient failure (collector/http/errors.ts)", () => {
  const SURELY = new Set([
    "429",
    "500",
    "502",
    "503",
    "504",
    "a connection that is reset",
    "a body shorter than announced",
  ]);

  test.for(Object.entries(TRANSIENT))(
    "%s is an error after its tries",
    async ([name, behaviour], { onTestFinished }) => {
      const { upstream, error } = await failedFetch(behaviour, { onFinished: onTestFinished });
      const ours = /^the (connection failed \([A-Z_]+\)|compressed answer is damaged)$/;
      expect(error.message).toMatch(/^\d+$/.test(name) ? `answered ${name}` : ours);
      expect(error.message.includes("too many requests")).toBe(name === "429");
      if (SURELY.has(name)) expect(upstream.requests).toHaveLength(3);
      else expect(upstream.requests.length).toBeLessThanOrEqual(3);
    },
  );

  test("an upstream that recovers at the third try is read", async ({ onTestFinished }) => {
    const upstream = await startUpstream({ onFinished: onTestFinished });
    upstream.set("/", inTurn(status(503), reset(), body(TEXT)));
    const fetched = await fetchText(upstream.url("/"), { signal: neverAborted, deadline: 20_000 });
    expect(fetched).toMatchObject({ text: TEXT });
    expect(upstream.requests).toHaveLength(3);
  });

  test("an upstream that recovers at the fourth try is left for the next run", async ({ onTestFinished }) => {
    const behaviour = inTurn(status(503), status(503), status(500), body(TEXT));
    const { upstream, error } = await failedFetch(behaviour, { onFinished: onTestFinished });
    expect(error.message).toBe("answered 500");
    expect(upstream.requests).toHaveLength(3);
  });

  test("an upstream that refuses connections is an error", async () => {
    let stop = async () => {};
    const { url } = await startUpstream({ onFinished: (cleanUp) => void (stop = cleanUp) });
    await stop();
    const error = await fetchError(fetchText(url("/"), { signal: neverAborted, deadline: 20_000 }));
    expect(error.message).toBe("the connection failed (ECONNREFUSED)");
  });

  test("a host that does not exist is an error", async () => {
    const error = await fetchError(fetchText("https://nowhere.invalid/", { signal: neverAborted, deadline: 20_000 }));
    // Without a network, no name server says so.
    expect(error.message).toMatch(/^no host has the name in the address \(ENOTFOUND\)$|\(EAI_AGAIN\)$/);
  });
});

describe.concurrent("Retry-After", () => {
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString();
  // Longer than both of our own pauses together: only the upstream's request can explain a single try.
  const deadline = 1_700;

  test.for([
    ["in seconds", (): string => "6"],
    ["as a date", (): string => inSeconds(6)],
  ] as const)("%s is never shortened", async ([, value], { onTestFinished }) => {
    const behaviour: Behaviour = (request, response) => status(429, { "retry-after": value() })(request, response);
    const { upstream, error } = await failedFetch(behaviour, { onFinished: onTestFinished, deadline });
    expect(error.message).toBe("no complete answer within 1.7 s");
    expect(upstream.requests).toHaveLength(1);
  });

  test("is followed by the next try", async ({ onTestFinished }) => {
    const upstream = await startUpstream({ onFinished: onTestFinished });
    upstream.set("/", inTurn(status(503, { "retry-after": "1" }), body(TEXT)));
    expect(await fetchText(upstream.url("/"), { signal: neverAborted, deadline: 20_000 })).toMatchObject({
      text: TEXT,
    });
  });

  test.for([
    ["an hour", (): string => "3600"],
    ["a date next year", (): string => inSeconds(365 * 86_400)],
    ["3,000 years", (): string => "99999999999"],
  ] as const)("of %s gives up until the next run", async ([, value], { onTestFinished }) => {
    const behaviour: Behaviour = (request, response) => status(503, { "retry-after": value() })(request, response);
    const { upstream, error } = await failedFetch(behaviour, { onFinished: onTestFinished });
    expect(error.message).toBe("answered 503");
    expect(upstream.requests).toHaveLength(1);
  });

  test.for(["soon", "-5", "1e9", "Thu, 01 Jan 1970 00:00:00 GMT"])(
    "of %j delays no retry",
    async (value, { onTestFinished }) => {
      const behaviour = status(503, { "retry-after": value });
      const { upstream } = await failedFetch(behaviour, { onFinished: onTestFinished });
      expect(upstream.requests).toHaveLength(3);
    },
  );
});
