// Badges: small, valid and harmless images of the facts, grey as soon as a fact is unknown.
import { XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import { bytesOf } from "../../../server/answers/answer.ts";
import { badgeSvg, BADGE_VIEWS } from "../../../server/features/badges/badges.ts";
import { PlansResponse, type LatestReleaseResponse, type PlanNames } from "../../../snapshots/schema.ts";
import type { Payload, SnapshotName } from "../../../snapshots/snapshot.ts";
import { BADGES } from "../../support/serving/prepared-targets.ts";
import { noRelease, startServer } from "../../support/serving/server.ts";
import { plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const DAY = 24 * 60 * 60_000;
const [BLUE, GREY] = ["#0969da", "#6e7781"];

test("they show versions and the lowest price, in both forms", async () => {
  const { get } = await startServer({ snapshots: [plansSnapshot(), releaseSnapshot("macos"), noRelease("windows")] });
  const BADGE_TEXTS = [
    ["plans", "plans", "from €1", BLUE],
    ["macos", "macOS", "1.0.1", BLUE],
    ["windows", "Windows", "no release", GREY],
  ] as const;
  for (const [name, label, message, color] of BADGE_TEXTS) {
    expect((await get(`/badge/${name}.json`)).json()).toEqual({ schemaVersion: 1, label, message, color });
    const { headers, text } = await get(`/badge/${name}.svg`, { accept: "image/*" });
    expect(headers["content-security-policy"]).toBe("default-src 'none'");
    // Otherwise an isolated page (Cross-Origin-Embedder-Policy) could not show it.
    expect(headers["cross-origin-resource-policy"]).toBe("cross-origin");
    expect(text).toContain(`<title>${label}: ${message}</title>`);
    expect(text).toContain(`fill="${color}"`);
  }
});

test("they may be cached as long as the fact; after it they are grey, still images, and in no cache", async () => {
  const { get, clock, publish, refresh } = await startServer();
  for (const target of BADGES) {
    expect((await get(target)).headers["cache-control"]).toBe((await get("/api/v1/plans")).headers["cache-control"]);
  }
  const { etag = "" } = (await get("/badge/macos.svg")).headers;
  clock.pass(DAY);
  for (const target of BADGES) {
    const { status, headers, text } = await get(target, { "if-none-match": etag });
    expect([status, headers["cache-control"], headers.etag]).toEqual([200, "no-store", undefined]);
    expect(text).toContain("unknown");
    expect(text).toContain(GREY);
  }
  await publish(releaseSnapshot("macos", { confirmedAt: clock.wall() }));
  await refresh();
  expect((await get("/badge/macos.svg", { "if-none-match": etag })).status).toBe(304);
});

describe("a badge says (server/features/badges/badges.ts)", () => {
  /** Of the JSON form. */
  function messageOf(name: SnapshotName, payload: Payload, names: PlanNames = {}): unknown {
    const view = BADGE_VIEWS.find(({ name: other, targets }) => other === name && targets[0].endsWith(".json"));
    const { body } = view!.fresh({ ...plansSnapshot(), name, payload, names, body: new Uint8Array() });
    return JSON.parse(bytesOf(body).toString()).message;
  }

  const PRICES: [message: string, currency: string, ...prices: number[]][] = [
    ["from $12", "USD", 24, 12],
    ["free or from $9.99", "USD", 0, 9.99, 20],
    ["free", "USD", 0],
    ["no plans", "USD"],
    ["from 5 credits", "credits", 5],
  ];

  test.for(PRICES)("%s", ([message, currency, ...prices]) => {
    const { plans, ...rest } = PlansResponse.parse(plansSnapshot({ plans: prices.length }).payload);
    const priced = plans.map((plan, index) => {
      const [monthly = 0] = prices.slice(index);
      return { ...plan, prices: { monthly }, monthlyPrice: monthly, annualPrice: 10 * monthly };
    });
    expect(messageOf("plans", { ...rest, currency, plans: priced })).toBe(message);
  });

  test("what is paid once, if nothing is paid by the month", () => {
    const { plans, ...rest } = PlansResponse.parse(plansSnapshot().payload);
    const cycles = rest.cycles.map((cycle) => ({ ...cycle, durationMonths: 1_200 }));
    const priced = plans.map((plan) => ({ ...plan, prices: { monthly: 49 }, monthlyPrice: 0, annualPrice: 0 }));
    expect(messageOf("plans", { ...rest, cycles, plans: priced })).toBe("€49 once");
  });

  test("the title of the plan with the lowest price, as far as there is room", () => {
    const titled = (title: string) => messageOf("plans", plansSnapshot().payload, { "plan-0": { title } });
    expect([titled("Pro"), titled("P".repeat(40))]).toEqual(["Pro from €1", "from €1"]);
  });

  test("that a price by the month is a twelfth of what is billed, where it was computed", () => {
    const names = { "plan-0": { computed: "month" as const } };
    expect(messageOf("plans", plansSnapshot().payload, names)).toBe("€1 a month, billed yearly");
  });

  test("only the beginning of a long version", () => {
    const { latest } = releaseSnapshot("macos").payload as Extract<LatestReleaseResponse, { hasUpdate: true }>;
    const long = { ...latest, version: "9".repeat(200) };
    const message = messageOf("release-macos", { hasUpdate: true, forceUpdate: false, latest: long });
    expect(message).toBe(`${"9".repeat(40)} …`);
  });
});

describe("an image is well-formed XML with the text as text, and small, for", () => {
  test.for([
    ["markup", `</text><script>alert("1")</script>&amp;'`],
    ["characters that XML does not allow", "a\uFFFEb\uFFFFc\u0000"],
    ["other scripts and emoji", "版本 ٣٫٢ 🎉 Größe"],
    ["nothing", ""],
  ] as const)("%s", ([, message]) => {
    const svg = badgeSvg({ label: "macOS", message, color: GREY });
    expect(XMLValidator.validate(svg)).toBe(true);
    expect(svg).not.toMatch(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u);
    expect(svg.match(/<(?!\/)\w+/g)).toEqual(["<svg", "<title", "<rect", "<path", "<g", "<text", "<text"]);
    expect(svg.length).toBeLessThan(1_000);
  });
});
