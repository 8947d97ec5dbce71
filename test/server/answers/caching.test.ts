// How long caches may keep what shows a fact: 90 s at most while the server can be asked, and never past the end of the fact.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createHandler } from "../../../server/features/edge/handler.ts";
import { BADGES, DOWNLOADS, FACTS, INDEX, PAGE, SHARED, TWINS } from "../../support/serving/prepared-targets.ts";
import { startServer } from "../../support/serving/server.ts";
import { NOW } from "../../support/snapshot.ts";

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;
const EDGE = "https://facts.example";
/** What is left of the facts' day, in ms. */
const LEFT = [DAY - SECOND, 91 * SECOND, 61_999, 30 * SECOND, 3_001, 2_999, 1];

const PAGES = new Set<string>([PAGE, ...INDEX]);

/** As the header of an answer; two seconds less than is left, because some count whole seconds, and from the arrival on. */
function lifetime(path: string, left: number): string {
  const whole = Math.max(0, Math.min(Math.floor(left / SECOND) - 2, PAGES.has(path) ? 3_598 : Infinity));
  const maxAge = Math.min(path.startsWith("/snapshots/") ? 5 : 60, whole);
  const rest = whole - maxAge;
  return `public, max-age=${maxAge}, stale-while-revalidate=${Math.min(30, rest)}, stale-if-error=${rest}`;
}

describe("Cache-Control (server/answers/facts.ts)", () => {
  test("it is the same through every door and at the edge, with 200 and 304, in every encoding", async () => {
    const server = await startServer({ share: true });
    const get = (key: string) => readFile(join(server.directory, key)).catch(() => undefined);
    const edge = createHandler({ store: { get }, base: EDGE, share: true }, server.clock);
    for (const left of LEFT) {
      server.clock.pass(NOW + DAY - left - server.clock.wall());
      for (const path of [...FACTS, ...PAGES, ...TWINS, ...SHARED, ...BADGES, ...DOWNLOADS]) {
        const { etag } = (await server.get(path)).headers;
        // Another spelling leads to h3, Expect to node:http, the rest to the express lane.
        for (const [target, headers] of [
          [path, {}],
          [path, { "accept-encoding": "br" }],
          [path, { "accept-encoding": "gzip", expect: "100-continue" }],
          [`${path.replace(/\?.*/, "")}/${path.replace(/^[^?]*/, "")}`.replace(/^\/\//, "/?x"), {}],
          ...(etag === undefined ? [] : ([[path, { "if-none-match": etag }]] as const)),
        ] as const) {
          const look = async () => (await server.get(target, headers)).headers["cache-control"];
          // The server rebuilds a row at most once a second.
          await expect.poll(look, { timeout: 10_000, message: `${target} at ${left}` }).toBe(lifetime(path, left));
        }
        const there = await edge(new Request(EDGE + path));
        expect(there.headers.get("cache-control"), path).toBe(lifetime(path, left));
      }
    }
  });
});
