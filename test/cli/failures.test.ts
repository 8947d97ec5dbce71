// Twenty failures as an operator meets them: each one happens, is seen in the log, the exit code, `status` and the server's /status, and
// ends once the operator has done to the letter what was printed.
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { isIn } from "../support/program/feature.ts";
import { selfSigned } from "../support/certificate.ts";
import { body, json, startUpstream, status, type Behaviour } from "../support/collecting/upstream.ts";
import { vendorPlans } from "../support/collecting/vendor.ts";
import { startInProcess, typeInProcess } from "../support/program/in-process.ts";
import type { RunResult } from "../support/program/process.ts";
import { settingsDirectory, UNCHECKED_LINKS } from "../support/program/settings.ts";

const JSON_TYPE = { "content-type": "application/json" };
const HOUR = 60 * 60_000;
const LIST = "/repos/acme/notes/releases";
const START = Date.parse("2026-03-01T00:00:00Z");

function releases(...tags: string[]): Behaviour {
  const list = tags.map((tag_name, day) => {
    const name = `Notes-${tag_name.slice(1)}.dmg`;
    const assets = [{ name, state: "uploaded", size: 1, browser_download_url: `https://dl.acme.com/${name}` }];
    return {
      tag_name,
      draft: false,
      prerelease: false,
      published_at: `2026-02-0${day + 1}T00:00:00Z`,
      body: "",
      assets,
    };
  });
  return json(list);
}

function plans(change: (plans: ReturnType<typeof vendorPlans>) => void): Behaviour {
  const changed = vendorPlans();
  change(changed);
  return json(changed);
}

/** Answers those who send this token. */
function guarded(token: string, code: number): Behaviour {
  return (request, response) => {
    const isRight = request.headers.authorization === `Bearer ${token}`;
    (isRight ? json(vendorPlans()) : status(code))(request, response);
  };
}

/** A vendor with a token, whose facts were collected at hour 0. Its clock stands still but for `at`. */
async function startVendor() {
  const upstream = await startUpstream();
  upstream.set("/plans", json(vendorPlans()));
  upstream.set(LIST, releases("v2.0.0"));
  const headers = { authorization: "Bearer $ACME_TOKEN" };
  const settings = {
    api: { name: "Notes" },
    product: "acme-notes",
    plans: { from: "json", url: upstream.url("/plans"), headers, timeout: "20s" },
    releases: { macos: { from: "github", repo: "acme/notes", api: upstream.origin }, windows: "none" },
    ...UNCHECKED_LINKS,
    staleAfter: "1d",
    snapshots: "facts",
  };
  const directory = await settingsDirectory(settings);
  const file = join(directory, "vitrine.config.json");
  const environment: Record<string, string> = { ACME_TOKEN: "token-of-acme" };
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  onTestFinished(() => void vi.useRealTimers());
  const vendor = {
    upstream,
    settings,
    directory,
    environment,
    facts: join(directory, "facts"),
    at: (hours: number) => void vi.setSystemTime(START + hours * HOUR),
    run: (...words: string[]) => typeInProcess(words, { directory, environment }),
    rewrite: async (change: (text: string) => string) => writeFile(file, change(await readFile(file, "utf8"))),
    async stateOf(name: string) {
      const server = await startInProcess(["serve"], { directory, environment });
      const { snapshots } = JSON.parse((await server.get("/status")).text) as { snapshots: { name: string }[] };
      await server.stop();
      return JSON.stringify(snapshots.find((one) => one.name === name));
    },
  };
  expect((await vendor.run("collect")).code).toBe(0);
  vendor.at(1);
  return vendor;
}

type Vendor = Awaited<ReturnType<typeof startVendor>>;

/** Does what a printed command says, such as `npm run collect -- --accept plans`. */
async function typePrinted(vendor: Vendor, text: string): Promise<void> {
  const [, words = ""] = /npm run (collect(?: -- [^\n;)]+)?)/.exec(text.replaceAll(/\s+/g, " ")) ?? [];
  expect(words, text).not.toBe("");
  const [command, ...rest] = words.replace(" -- ", " ").trim().split(" ");
  await vendor.run(command ?? "", ...(rest[0] === "--accept" ? rest.slice(0, 2) : []));
}

interface Failure {
  happen: (vendor: Vendor) => unknown;
  /** What a run prints, and its exit code. */
  log: RegExp;
  code: number;
  /** What `status` prints; by default the reason in the log. */
  status?: RegExp;
  statusCode?: number;
  /** In the server's /status; undefined if nothing may be there. */
  server?: RegExp;
  /** The feature that sees it, or says what to do. */
  by?: string;
  of?: string;
  /** Does what was printed. */
  heal: (vendor: Vendor, printed: string) => unknown;
}

const FAILED = /"lastOutcome":\{"result":"failed"/;
const inTime = (vendor: Vendor) => vendor.upstream.set("/plans", json(vendorPlans()));
const FAILURES: Record<string, Failure> = {
  "401: a token that has expired": {
    happen: ({ upstream }) => upstream.set("/plans", guarded("token-of-today", 401)),
    log: /answered 401: the secret in "headers" is wrong or has expired; its last snapshot is kept/,
    code: 1,
    server: FAILED,
    heal: ({ environment }) => Object.assign(environment, { ACME_TOKEN: "token-of-today" }),
  },
  "403: a token with too few rights": {
    happen: ({ upstream }) => upstream.set("/plans", guarded("token-that-reads", 403)),
    log: /answered 403: the secret in "headers" may not read this/,
    code: 1,
    server: FAILED,
    heal: ({ environment }) => Object.assign(environment, { ACME_TOKEN: "token-that-reads" }),
  },
  "404: an address that has moved": {
    happen: ({ upstream }) => (upstream.set("/plans", status(404)), upstream.set("/v2/plans", json(vendorPlans()))),
    log: /answered 404: nothing is at this address/,
    code: 1,
    server: FAILED,
    heal: ({ rewrite }) => rewrite((text) => text.replace("/plans", "/v2/plans")),
  },
  "429: too many requests": {
    happen: ({ upstream }) => upstream.set("/plans", status(429, { "retry-after": "3600" })),
    log: /too many requests, try again in 60 min/,
    code: 1,
    status: /too many requests, try again in 60 min/,
    server: FAILED,
    heal: (vendor) => (inTime(vendor), vendor.at(2.5)),
  },
  "500: a fault of the upstream": {
    happen: ({ upstream }) => upstream.set("/plans", status(500)),
    log: /plans +failed: answered 500; its last snapshot is kept/,
    code: 1,
    server: FAILED,
    heal: inTime,
  },
  "an upstream that answers late": {
    happen({ upstream, rewrite }) {
      upstream.set("/plans", (request, response) => void setTimeout(json(vendorPlans()), 1_500, request, response));
      return rewrite((text) => text.replace('"20s"', '"1s"'));
    },
    log: /no complete answer within 1 s, which "timeout" sets/,
    code: 1,
    server: FAILED,
    heal: ({ rewrite }) => rewrite((text) => text.replace('"1s"', '"20s"')),
  },
  "a page in place of the document": {
    happen: ({ upstream }) => {
      upstream.set("/plans", (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hi"));
      upstream.set("/api/plans", json(vendorPlans()));
    },
    log: /not JSON: text\/html, 6 bytes, a web page: the address is another one, or needs a token/,
    code: 1,
    server: FAILED,
    heal: ({ rewrite }) => rewrite((text) => text.replace("/plans", "/api/plans")),
  },
  "an empty answer": {
    happen: ({ upstream }) => upstream.set("/plans", (_, response) => response.writeHead(200).end()),
    log: /not JSON: the answer is empty/,
    code: 1,
    server: FAILED,
    heal: inTime,
  },
  "half of an answer": {
    happen: ({ upstream }) => upstream.set("/plans", body('{"currency": "EUR", "cyc', JSON_TYPE)),
    log: /not JSON: application\/json, 24 bytes, and it breaks off/,
    code: 1,
    server: FAILED,
    heal: inTime,
  },
  "a price that falls by 80 %": {
    by: "guard",
    happen: ({ upstream }) =>
      upstream.set(
        "/plans",
        plans(({ plans: [, studio] }) =>
          Object.assign(studio ?? {}, { prices: { monthly: 2.5, yearly: 24 }, monthlyPrice: 2.5, annualPrice: 24 }),
        ),
      ),
    log: /held: a price would .* move by a large factor.*publish it at once: npm run collect -- --accept plans/,
    code: 4,
    status: /studio monthly 12\.5 → 2\.5/,
    statusCode: 4,
    server: /"held"/,
    heal: typePrinted,
  },
  "most plans gone": {
    by: "guard",
    happen: ({ upstream }) =>
      upstream.set(
        "/plans",
        plans((all) => void (all.plans = [])),
      ),
    log: /held: more than half of .*--accept plans/,
    code: 4,
    status: /held back/,
    statusCode: 4,
    server: /"held"/,
    heal: typePrinted,
  },
  "a version that goes back": {
    by: "guard",
    happen: ({ upstream }) => upstream.set(LIST, releases("v1.9.0")),
    log: /macos +held: the version would go back.*--accept macos/,
    code: 4,
    status: /macos 2\.0\.0 → 1\.9\.0/,
    statusCode: 4,
    of: "release-macos",
    server: /"held"/,
    heal: typePrinted,
  },
  "a release that vanishes": {
    by: "guard",
    happen: ({ upstream }) => upstream.set(LIST, json([])),
    log: /macos +held: the release would vanish/,
    code: 4,
    status: /macos 2\.0\.0 → no release/,
    statusCode: 4,
    of: "release-macos",
    server: /"held"/,
    heal: ({ upstream }) => upstream.set(LIST, releases("v2.0.0")),
  },
  "a repository that has become private": {
    happen: ({ upstream }) => upstream.set(LIST, status(404)),
    log: /answered 404: there is no such repository, or it is private and needs a "token" that may read it/,
    code: 1,
    of: "release-macos",
    server: FAILED,
    heal: ({ upstream, environment, rewrite }) => {
      upstream.set(LIST, (request, response) =>
        (request.headers.authorization?.includes("token-of-acme") ? releases("v2.0.0") : status(404))(
          request,
          response,
        ),
      );
      expect(environment).toHaveProperty("ACME_TOKEN");
      return rewrite((text) => text.replace('"from": "github",', '"from": "github", "token": "$ACME_TOKEN",'));
    },
  },
  "a secret that is missing": {
    happen: ({ environment }) => void delete environment.ACME_TOKEN,
    log: /plans +the environment variable ACME_TOKEN is not set/,
    code: 2,
    status: /✔ plans +fresh/,
    heal: ({ environment }, printed) => {
      const [, name = ""] = /environment variable (\w+) is not set/.exec(printed) ?? [];
      environment[name] = "token-of-acme";
    },
  },
  "a setting that was misspelt": {
    by: "check",
    happen: ({ rewrite }) => rewrite((text) => text.replace("staleAfter", "staleAftr")),
    log: /staleAftr +unknown setting; did you mean "staleAfter"\?/,
    code: 2,
    status: /did you mean "staleAfter"\?/,
    statusCode: 2,
    heal: ({ rewrite }, printed) => {
      const [, wrong = "", right = ""] = /(\w+) +unknown setting; did you mean "(\w+)"/.exec(printed) ?? [];
      return rewrite((text) => text.replace(wrong, right));
    },
  },
  "a comma too many": {
    happen: ({ rewrite }) => rewrite((text) => text.replace('"product": "acme-notes",', '"product": "acme-notes",,')),
    log: /line \d+/,
    code: 2,
    status: /line \d+/,
    statusCode: 2,
    heal: ({ rewrite }, printed) => {
      const line = Number(/line (\d+)/.exec(printed)?.[1]);
      return rewrite((text) => {
        const lines = text.split("\n");
        lines[line - 1] = (lines[line - 1] ?? "").replace(",,", ",");
        return lines.join("\n");
      });
    },
  },
  "a product with a new name": {
    happen: ({ rewrite }) => rewrite((text) => text.replace('"acme-notes"', '"acme-pages"')),
    log: /the store has snapshots of the product "acme-notes", not of "acme-pages": .* set "product": "acme-notes"/,
    code: 2,
    status: /after a rename set "product": "acme-notes"/,
    statusCode: 3,
    heal: ({ rewrite }, printed) => {
      const [, setting = ""] = /set ("product": "[^"]+")/.exec(printed) ?? [];
      return rewrite((text) => text.replace('"product": "acme-pages"', setting));
    },
  },
  "a snapshot that was damaged": {
    happen: async ({ facts }) => {
      for (const file of ["plans.json", "plans.json.prev"]) await writeFile(join(facts, file), "{ half");
    },
    log: /plans .*changed.*replaced a damaged snapshot/,
    code: 0,
    status: /✔ plans +fresh/,
    heal: () => {},
  },
  "a directory that cannot be written": {
    happen: async ({ facts }) => {
      await rename(facts, `${facts}.away`);
      await writeFile(facts, "");
    },
    log: /ENOTDIR/,
    code: 1,
    status: /could not be examined \(ENOTDIR\): a file is there, so choose/,
    statusCode: 3,
    heal: async ({ facts }) => {
      await rm(facts);
      await rename(`${facts}.away`, facts);
    },
  },
};

describe("a failure is seen, and what is printed heals it:", () => {
  const here = Object.entries(FAILURES).filter(([, { by }]) => by === undefined || isIn(by));
  test.for(here)("%s", async ([, failure]) => {
    const { happen, log, code, status: shown = log, statusCode = 0, server, of = "plans", heal } = failure;
    const vendor = await startVendor();
    await happen(vendor);
    const ran = await vendor.run("collect");
    const printed = ran.stdout + ran.stderr;
    expect(printed).toMatch(log);
    expect(ran.code, printed).toBe(code);
    vendor.at(1.1);
    if (isIn("status")) {
      const seen = await vendor.run("status");
      expect((seen.stdout + seen.stderr).replaceAll(/\s+/g, " ")).toMatch(
        shown.source === log.source ? withoutRest(log) : shown,
      );
      expect(seen.code).toBe(statusCode);
    }
    if (server && isIn("probes")) expect(await vendor.stateOf(of)).toMatch(server);
    await heal(vendor, printed);
    await isWell(vendor);
  });

  test.runIf(isIn("status"))("facts that nothing has collected since", async () => {
    const vendor = await startVendor();
    vendor.at(13);
    expect((await vendor.run("status")).stdout).toMatch(/aging[^]*not collected since: npm start collects by schedule/);
    vendor.at(26);
    const { code, stdout } = await vendor.run("status");
    expect(code).toBe(3);
    expect(stdout).toContain("not collected since: npm start collects by schedule, npm run collect once");
    await typePrinted(vendor, stdout);
    await isWell(vendor);
  });

  test("a certificate that is not accepted", async () => {
    const tls = await selfSigned();
    if (!tls) return;
    const vendor = await startVendor();
    const secure = await startUpstream({ tls });
    secure.set("/plans", json(vendorPlans()));
    await vendor.rewrite((text) => text.replace(vendor.upstream.url("/plans"), secure.url("/plans")));
    const { code, stdout } = await vendor.run("collect");
    expect(code).toBe(1);
    expect(stdout).toMatch(/plans +failed: its TLS certificate is not accepted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
    if (isIn("probes")) expect(await vendor.stateOf("plans")).toMatch(FAILED);
    // As behind a certificate that is.
    await vendor.rewrite((text) => text.replace(secure.url("/plans"), vendor.upstream.url("/plans")));
    await isWell(vendor);
  });
});

/** The reason alone: `status` shows no outcome. */
function withoutRest(log: RegExp): RegExp {
  return new RegExp(log.source.replace(/^.*failed: /, "").replace(/; its last.*$/, ""));
}

async function isWell(vendor: Vendor): Promise<void> {
  const { code, stdout, stderr }: RunResult = await vendor.run("collect");
  expect(code, stdout + stderr).toBe(0);
  if (isIn("status")) expect((await vendor.run("status")).code).toBe(0);
}
