// The shipped settings, in the real nginx, in front of the real server: past the facts' end a cache
// never answers 200, whatever the state of the server. In real time, because caches have clocks of their own.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, type TestContext } from "vitest";
import { FACTS } from "../../support/serving/prepared-targets.ts";
import { ask, pollUntil, type Reply } from "../../support/serving/server.ts";
import { totalLifetime } from "../../support/serving/lifetime.ts";
import { NO_NGINX, startNginx } from "./nginx.ts";
import { ERROR_HEADERS, startFollower, startOrigin, type TestOrigin } from "./origin.ts";

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;
const [PLANS] = FACTS;

/** How long the facts are to be believed, milliseconds: just over whole seconds, which is where a cache that counts
 * whole seconds could believe them longest; and long enough to be asked for on a busy machine. */
const LIFETIME = 15_200;
/** The same in a chain of caches and followers. */
const CHAIN_LIFETIME = 20_200;
/** Waits until the cache is asked again: often around the end of the facts, rarely before and after. */
const pause = (asked: number, freshUntil: number) => sleep(Math.abs(asked - freshUntil) < SECOND ? 50 : 250);

const TROUBLES: [what: string, befall: (origin: TestOrigin) => Promise<unknown>][] = [
  ["hangs", (origin) => origin.fallSilent()],
  ["is killed", (origin) => origin.kill()],
  ["answers 502, having lost its snapshots", (origin) => origin.startAnew()],
  ["is well, and the facts alone come to their end", async () => {}],
];

test.concurrent.for(TROUBLES)(
  "nginx answers facts until their end and never past it when Vitrine %s",
  async ([, befall], context) => {
    const { origin, get } = await startStory(context);
    await untilSecondBegins();
    const freshUntil = await origin.publish(1, LIFETIME);
    // The cache counts from when it had the answer, which is before we have it. On a busy machine nginx gives up a first request,
    // and keeps no such answer.
    let before = 0;
    const first = await pollUntil(() => {
      before = Date.now();
      return get(PLANS);
    }, isFound);
    const promisedUntil = before + (totalLifetime(first.headers["cache-control"]) ?? NaN) * SECOND;
    await pollUntil(
      () => get("/download/macos"),
      ({ status }) => status === 302,
    );
    await befall(origin);
    for (let asked = 0; asked < freshUntil + SECOND / 2;) {
      asked = Date.now();
      const reply = await get(PLANS);
      const download = await get("/download/macos");
      if (asked >= freshUntil) expect(download.status).not.toBe(302);
      if (Date.now() < promisedUntil) expect(reply.status).toBe(200);
      if (asked >= freshUntil) expect(reply.status, `${asked - freshUntil} ms past the end`).not.toBe(200);
      if (reply.status === 200) expect(promisedEnd(reply)).toBeLessThanOrEqual(freshUntil);
      else expectTrouble(reply);
      await pause(asked, freshUntil);
    }
    await origin.startAnew();
    await origin.publish(2, DAY);
    const recovered = await pollUntil(() => get(PLANS), isFound);
    expect(recovered.text).not.toBe(first.text);
    expect(recovered.text).toBe((await origin.get(PLANS)).text);
  },
);

const FOLLOWERS = [
  { way: "nginx, a follower, nginx and a follower", links: ["nginx", "follower", "nginx", "follower"], trouble: 0 },
  { way: "nginx and two followers", links: ["nginx", "follower", "follower"], trouble: 2 },
].map(({ trouble, ...way }) => ({ ...way, what: TROUBLES[trouble]![0], befall: TROUBLES[trouble]![1] }));

test.concurrent.for(FOLLOWERS)(
  "through $way, facts last until their end and no longer when Vitrine $what",
  async ({ links, befall }, { skip, onTestFinished }) => {
    if (NO_NGINX !== undefined) skip(NO_NGINX);
    const origin = await startOrigin({ shortMaxAge: true, onFinished: onTestFinished });
    const refreshes: (() => Promise<void>)[] = [];
    const ports = [origin.port];
    const follow = async (followed: number) => {
      const { port, refresh } = await startFollower(followed, onTestFinished);
      refreshes.push(refresh);
      return port;
    };
    for (const link of links) {
      const nearer = ports.at(-1)!;
      ports.push(link === "nginx" ? await startNginx(nearer, onTestFinished) : await follow(nearer));
    }
    const look = async (port: number) => {
      for (const refresh of refreshes) await refresh();
      return ask(port, PLANS);
    };
    const freshUntil = await origin.publish(1, CHAIN_LIFETIME);
    const { text } = await pollUntil(() => look(ports.at(-1)!), isFound);
    await befall(origin);
    // Has its first facts from a cache.
    const late = await follow(ports[1]!);
    await pollUntil(() => look(late), isFound);
    for (let asked = 0; asked < freshUntil + SECOND; await pause(asked, freshUntil)) {
      asked = Date.now();
      for (const { status } of [await ask(ports.at(-1)!, PLANS), await ask(late, PLANS)]) {
        if (asked >= freshUntil) expect(status, `${asked - freshUntil} ms past the end`).toBe(502);
        else if (Date.now() < freshUntil) expect(status).toBe(200);
      }
      void Promise.all(refreshes.map((refresh) => refresh()));
    }
    await origin.startAnew();
    await origin.publish(2, DAY);
    expect((await pollUntil(() => look(ports.at(-1)!), isFound)).text).not.toBe(text);
  },
);

test.concurrent("nginx renews its copies without delaying a request", async (context) => {
  const { origin, get } = await startStory(context);
  await origin.publish(1, DAY);
  const { text } = await get(PLANS);
  await origin.publish(2, DAY);
  const renewed = await pollUntil(
    () => get(PLANS),
    (reply) => reply.text !== text,
  );
  expect(renewed).toMatchObject({ status: 200, text: (await origin.get(PLANS)).text });
});

test.concurrent("nginx keeps a copy that has not changed", async (context) => {
  const { origin, get } = await startStory(context);
  await origin.publish(1, DAY);
  const { text } = await get(PLANS);
  await pollUntil(
    () => get(PLANS),
    (reply) => reply.text !== text || origin.requests.length > 2,
  );
  expect(await get(PLANS)).toMatchObject({ status: 200, text });
  // nginx must ask for the whole: renewed by a 304, it would begin its old time anew when no new one is promised.
  expect(origin.requests.slice(1).filter(({ headers }) => "if-none-match" in headers)).toEqual([]);
});

test.concurrent("nginx answers as soon as there are facts, because it cached no error", async (context) => {
  const { origin, get } = await startStory(context);
  for (let count = 1; count <= 3; count++) {
    const before = origin.requests.length;
    expectTrouble(await get(PLANS));
    expect(origin.requests.length).toBeGreaterThan(before);
  }
  await origin.publish(1, DAY);
  expect((await get(PLANS)).status).toBe(200);
});

test.concurrent("nginx keeps one connection, and closes it before Vitrine does", async (context) => {
  const { origin, get } = await startStory(context);
  for (let count = 0; count < 5; count++) await get("/healthz");
  const idleSince = Date.now();
  expect(origin.sockets.size).toBe(1);
  const [socket] = origin.sockets;
  let hungUpBy = "Vitrine";
  socket?.once("end", () => (hungUpBy = "nginx"));
  await pollUntil(
    async () => socket?.destroyed,
    (isOver) => isOver === true,
  );
  expect(hungUpBy).toBe("nginx");
  expect(Date.now() - idleSince).toBeLessThan(5 * SECOND);
});

async function startStory({ skip, onTestFinished }: TestContext) {
  if (NO_NGINX !== undefined) skip(NO_NGINX);
  const origin = await startOrigin({ shortMaxAge: true, onFinished: onTestFinished });
  const port = await startNginx(origin.port, onTestFinished);
  return { origin, get: (path: string) => ask(port, path) };
}

function isFound({ status }: Reply): boolean {
  return status === 200;
}

/** Until when caches behind this one may use an answer, milliseconds since the epoch. */
function promisedEnd({ headers }: Reply): number {
  return Date.parse(headers.date ?? "") + (totalLifetime(headers["cache-control"]) ?? NaN) * SECOND;
}

function expectTrouble({ status, headers, json }: Reply): void {
  expect([502, 503, 504]).toContain(status);
  expect(headers).toMatchObject(ERROR_HEADERS);
  expect(json()).toEqual({ error: expect.stringContaining("temporarily unavailable") });
}

/** A cache that counts whole seconds keeps an answer longest if it arrives at the beginning of one. */
async function untilSecondBegins(): Promise<void> {
  await sleep(SECOND - (Date.now() % SECOND));
}
