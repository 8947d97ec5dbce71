// Two paths, one answer: for every spelling of a known target, the bytes are the same whether the request listener or
// h3 answers.
import { afterAll, describe, expect, test } from "vitest";
import { openKeepAlive, type RawAnswer } from "../../support/serving/keep-alive.ts";
import { allSnapshots, startServer } from "../../support/serving/server.ts";
import { NOW, plansSnapshot } from "../../support/snapshot.ts";
import {
  BADGES,
  DOCUMENTS,
  DOWNLOADS,
  FACTS,
  INDEX,
  PAGES,
  PREPARED,
  SHARED,
  TWINS,
  untilCompressed,
} from "../../support/serving/prepared-targets.ts";

const api = { contact: "https://vendor.example/contact" };
const ended = { freshUntil: new Date(NOW).toISOString() };
const [, ...releases] = allSnapshots();
const common = { api, share: true, onFinished: afterAll };
const fresh = await startServer({ ...common, snapshots: [plansSnapshot({ plans: 3 }), ...releases] });
const stale = await startServer({
  ...common,
  snapshots: allSnapshots().map((snapshot) => ({ ...snapshot, ...ended })),
});
const missing = await startServer({ ...common, snapshots: [] });
for (const { port } of [fresh, stale, missing]) await untilCompressed(port);

/** Other spellings of the same target; of these, only the absolute form is known exactly as written. */
function spellings(target: string): string[] {
  const [path = "", query] = target.split("?");
  const [asked, more] = query === undefined ? ["", ""] : [`?${query}`, `${query}&`];
  const all = [
    escaped(path) + asked,
    `${path === "/" ? "" : path}/${asked}`,
    `${path}?${more}`,
    `${path}?other=1&${more}Platform=linux`,
    path + escaped(asked),
    path + asked.replace(/(?<==).+/, escaped),
    `/other/..${target}`,
    `http://elsewhere.example:81${target}`,
  ];
  return all.filter((spelling) => spelling !== target);
}

/** Percent-encodes the first letter. */
function escaped(text: string): string {
  return text.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Headers that one door could read in another way: twice, empty, in small letters. `tag`: of the identity answer, without quotes. */
const HEADERS = (tag: string, lastModified: string) => [
  [],
  ["Accept: text/markdown"],
  ["accept: text/html;q=0.9", "Accept: text/markdown", "Accept-Encoding: gzip"],
  ["Accept-Encoding: GZIP;q=0.5 , br;q=0.4"],
  ["accept-encoding: gzip;q=0", "Accept-Encoding: br;q=0.1"],
  ["Accept-Encoding:", `If-None-Match: "${tag}"`],
  ["Accept-Encoding: br, gzip", `If-None-Match: "other", W/"${tag}-gzip"`],
  ['If-None-Match: "other"', `if-none-match: "${tag}-br"`],
  ["If-None-Match: *"],
  [`If-None-Match: "other"`, `If-Modified-Since: ${lastModified}`],
  ["If-None-Match:", `If-Modified-Since: ${lastModified}`],
  ["Accept-Encoding: *;q=0", `If-Modified-Since: ${lastModified}`],
  ["If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT", `If-Modified-Since: ${lastModified}`],
  ["If-Modified-Since: yesterday"],
];

const SERVERS = { fresh, stale, missing };
const [BADGE, DOWNLOAD, SNAPSHOT] = [BADGES.slice(0, 1), DOWNLOADS.slice(0, 1), SHARED.slice(0, 1)];
const UNAVAILABLE = ["stale", "missing"] as const;
const CASES = [
  ...[...FACTS, ...PAGES, ...INDEX, ...TWINS, ...DOCUMENTS, ...BADGE, ...SNAPSHOT].map((target) => ({
    state: "fresh" as const,
    target,
    expected: [200, 304],
  })),
  ...DOWNLOAD.map((target) => ({ state: "fresh" as const, target, expected: [302] })),
  ...[...FACTS, ...TWINS, ...DOWNLOAD, ...SNAPSHOT].flatMap((target) =>
    UNAVAILABLE.map((state) => ({ state, target, expected: [502] })),
  ),
  ...BADGE.map((target) => ({ state: "stale" as const, target, expected: [200] })),
];

describe("a known target (server/door/request-listener.ts)", () => {
  test.for(CASES)("$target has one answer in every spelling: $state", async ({ state, target, expected }) => {
    const line = openKeepAlive(SERVERS[state].port);
    const ask = (method: string, spelling: string, headers: readonly string[]) =>
      line.ask([`${method} ${spelling} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n"));
    const { headers, status } = await ask("GET", target, []);
    expect(status).toBe(expected[0]);
    const all = HEADERS(headers.etag?.slice(1, -1) ?? "", headers["last-modified"] ?? "");
    const statuses = new Set<number>();
    const differences: unknown[] = [];
    for (const method of ["GET", "HEAD"]) {
      for (const asked of all) {
        const answer = await ask(method, target, asked);
        statuses.add(answer.status);
        const first = bytesOf(answer);
        for (const spelling of spellings(target)) {
          const other = bytesOf(await ask(method, spelling, asked));
          if (other !== first) differences.push({ method, spelling, asked, first, other });
        }
      }
    }
    expect(differences.slice(0, 3)).toEqual([]);
    expect([...statuses]).toEqual(expected);
    await line.end();
  });

  /** The whole answer without the date; the order of headers has no meaning (RFC 9110, 5.3). */
  function bytesOf(answer: RawAnswer): string {
    const [status = "", ...headers] = answer.head.replace(/\r\ndate: [^\r]*/i, "").split("\r\n");
    return [status, ...headers.toSorted(), "", answer.body.toString("latin1")].join("\r\n");
  }

  test("even the order of headers is the same", async () => {
    const line = openKeepAlive(fresh.port);
    const namesOf = async (spelling: string) => {
      const { headers } = await line.ask(`GET ${spelling} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      return Object.keys(headers).join(" ");
    };
    for (const target of PREPARED) {
      for (const spelling of spellings(target)) expect(await namesOf(spelling), spelling).toBe(await namesOf(target));
    }
    await line.end();
  });

  test("no bug was reported", () => {
    expect([...fresh.warnings, ...stale.warnings, ...missing.warnings]).toEqual([]);
  });
});
