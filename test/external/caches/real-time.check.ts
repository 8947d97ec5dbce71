// What readers get in real time, by the headers as they are: from Chromium's own cache, from nginx with the shipped settings, and
// from both in a row. Everything waits at the same time, for about two minutes.
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "vitest";
import { isIn } from "../../support/program/feature.ts";
import { FACTS } from "../../support/serving/prepared-targets.ts";
import { ask, isOk, pollUntil } from "../../support/serving/server.ts";
import { NO_CHROMIUM } from "../browser/chromium.ts";
import { openInChromium } from "./chromium.ts";
import { NO_NGINX, startNginx } from "./nginx.ts";
import { startOrigin } from "./origin.ts";

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;
/** Two minutes, and the starts of all readers one after another on a busy machine. */
const TIME_LIMIT = 300 * SECOND;
const [PLANS, , MACOS, WINDOWS] = FACTS;
const BADGES = isIn("badges") ? ["/badge/macos.svg"] : [];

type Fetch = (path: string) => Promise<{ status: number; text: string }>;
type OnFinished = (cleanUp: () => Promise<void> | void) => void;
/** A reader on the way to an origin. Resolves to its way of asking. */
type Start = (origin: number, onFinished: OnFinished) => Promise<Fetch>;

const nginx: Start = async (origin, onFinished) => {
  const port = await startNginx(origin, onFinished);
  return (path) => ask(port, path);
};
const chromium: Start = async (port, onFinished) => (await openInChromium(port, onFinished)).fetch;
const chromiumBehindNginx: Start = async (origin, onFinished) =>
  chromium(await startNginx(origin, onFinished), onFinished);

let lastStart: Promise<unknown> = Promise.resolve();

/** The first answer that a reader keeps. On a busy machine nginx gives up the requests before it. */
const firstOf = (fetch: Fetch, path: string) => pollUntil(() => fetch(path), isOk);

/** Starts one reader at a time: facts of the tests beside these end within seconds. */
function inTurn<T>(start: () => Promise<T>): Promise<T> {
  const started = lastStart.then(start);
  lastStart = started.catch(() => {});
  return started;
}

const READERS: { reader: string; start: Start; absence: string | undefined }[] = [
  { reader: "nginx", start: nginx, absence: NO_NGINX },
  { reader: "Chromium", start: chromium, absence: NO_CHROMIUM },
  { reader: "Chromium behind nginx", start: chromiumBehindNginx, absence: NO_CHROMIUM ?? NO_NGINX },
];

test.concurrent.for(READERS)(
  "100 seconds after a publication $reader hands out the new answer, asked rarely or often",
  { timeout: TIME_LIMIT },
  async ({ start, absence }, { skip, expect, onTestFinished }) => {
    if (absence !== undefined) skip(absence);
    const origin = await startOrigin({ onFinished: onTestFinished });
    await origin.publish(1, DAY);
    const fetch = await inTurn(() => start(origin.port, onTestFinished));
    const rarely = [MACOS, WINDOWS, ...BADGES];
    const old = new Map<string, string>();
    for (const path of [PLANS, ...rarely]) {
      old.set(path, (await firstOf(fetch, path)).text);
    }
    await origin.publish(2, DAY);
    const published = Date.now();
    const since = () => Date.now() - published;
    // The cache does keep something.
    expect((await fetch(PLANS)).text).toBe(old.get(PLANS));
    while (since() < 100 * SECOND) {
      await sleep(2 * SECOND);
      expect((await fetch(PLANS)).status).toBe(200);
    }
    for (const path of [PLANS, ...rarely]) {
      const { status, text } = await fetch(path);
      expect({ path, status, isOld: text === old.get(path) }).toEqual({ path, status: 200, isOld: false });
    }
  },
);

test.concurrent.for(
  READERS.filter(({ reader }) => reader !== "Chromium").flatMap((reader) => [
    { ...reader, what: "is gone" },
    { ...reader, what: "answers 502, having lost its snapshots" },
  ]),
)(
  "a minute in which Vitrine $what costs no 200 from $reader",
  { timeout: TIME_LIMIT },
  async ({ start, absence, what }, { skip, expect, onTestFinished }) => {
    if (absence !== undefined) skip(absence);
    const origin = await startOrigin({ onFinished: onTestFinished });
    await origin.publish(1, DAY);
    const fetch = await inTurn(() => start(origin.port, onTestFinished));
    for (const path of [PLANS, MACOS]) await firstOf(fetch, path);
    // Through the rest of max-age, all of stale-while-revalidate and into stale-if-error.
    await sleep(40 * SECOND);
    await (what === "is gone" ? origin.kill() : origin.startAnew());
    for (const end = Date.now() + 60 * SECOND; Date.now() < end; await sleep(SECOND)) {
      expect((await fetch(PLANS)).status).toBe(200);
    }
    // This one was not asked for meanwhile.
    expect((await fetch(MACOS)).status).toBe(200);
    await origin.startAnew();
    await origin.publish(2, DAY);
    await sleep(2 * SECOND);
    expect((await fetch(PLANS)).text).toBe((await origin.get(PLANS)).text);
  },
);
