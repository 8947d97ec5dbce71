// The words that a model reads with the facts: whose facts, as of when, how to read them, and the advice without them.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Snapshot } from "../../../snapshots/snapshot.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { freePort } from "../../support/port.ts";
import { call, callStateless } from "../../support/serving/mcp.ts";
import { noRelease, pollUntil, startServer, type TestServer } from "../../support/serving/server.ts";
import { NOW, plansSnapshot, releaseSnapshot, resealed } from "../../support/snapshot.ts";

interface Result {
  content: { text: string }[];
  structuredContent?: object;
  isError?: boolean;
  _meta?: object;
}

const BASE = "https://api.acme.example";
const DATES = { confirmedAt: "2026-03-01T12:00:00.000Z", freshUntil: "2026-03-02T12:00:00.000Z" };
const CONFIRMED = "Confirmed 1 Mar 2026 12:00 UTC, valid until 2 Mar 2026 12:00 UTC.";
const FAQ = `Questions and answers: product://faq, ${BASE}/faq.md`;

const line = (index: number) => `- Übung ${index}: ${"x".repeat(80)}`;
const CHANGELOG = Array.from({ length: 100 }, (_, index) => line(index)).join("\n");

/** A release for macOS with another changelog. */
function releaseWith(changelog: string): Snapshot {
  const snapshot = releaseSnapshot("macos");
  if (!("hasUpdate" in snapshot.payload && snapshot.payload.hasUpdate)) throw new Error("it has a release");
  const payload = { ...snapshot.payload, latest: { ...snapshot.payload.latest, changelog } };
  return resealed(snapshot, payload);
}

const startAcme = async (snapshots: readonly Snapshot[], onFinished?: (cleanUp: () => Promise<void>) => void) =>
  startServer({
    snapshots,
    api: { name: "Acme Notes", baseUrl: BASE },
    port: await freePort(),
    ...(onFinished && { onFinished }),
  });

const acme = await startAcme([plansSnapshot(), releaseWith(CHANGELOG), noRelease("windows")], afterAll);
const umbra = await startServer({ api: { name: "Ümbra Paint" }, onFinished: afterAll });

async function use({ port }: TestServer, name: string, platform?: string): Promise<Result> {
  const params = { name, ...(platform !== undefined && { arguments: { platform } }) };
  return ((await call(port, "tools/call", params)) as { result: Result }).result;
}

const noteIn = ({ content }: Result) => content.at(-1)?.text.split("\n");

interface Introduction {
  result: { serverInfo: { name: string; title: string; icons?: object[] }; instructions: string };
}

async function greet({ port }: TestServer): Promise<Introduction["result"]> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  return ((await call(port, "initialize", params)) as Introduction).result;
}

describe("a model with two vendors' servers", () => {
  test.for([
    [acme, "acme-notes", "Acme Notes", "Ümbra"],
    [umbra, "umbra-paint", "Ümbra Paint", "Acme"],
  ] as const)("reads in all that it is given first whose facts they are: %$", async ([server, name, title, other]) => {
    const { serverInfo, instructions } = await greet(server);
    expect(serverInfo).toMatchObject({ name, title });
    expect(instructions).toContain(`facts about ${title}`);
    const { result } = (await call(server.port, "tools/list")) as { result: { tools: { description: string }[] } };
    for (const { description } of result.tools) expect(description).toContain(`of ${title}`);
    expect(JSON.stringify([serverInfo, instructions, result])).not.toContain(other);
  });

  test("and in each result", async () => {
    expect(noteIn(await use(acme, "get_pricing"))).toContain(`Source: Acme Notes, ${BASE}/api/v1/plans`);
    expect(noteIn(await use(umbra, "get_pricing"))).toContain(`Source: Ümbra Paint, ${umbra.base}/api/v1/plans`);
  });
});

describe("the note on a fact", () => {
  test("says as of when it is, and what a price means", async () => {
    const result = await use(acme, "get_pricing");
    expect(noteIn(result)).toEqual([
      CONFIRMED,
      expect.stringMatching(/whole billing cycle.*major units/),
      `Source: Acme Notes, ${BASE}/api/v1/plans`,
      FAQ,
    ]);
    expect(result).toMatchObject({ _meta: DATES });
  });

  test("changes with each confirmation, although the fact does not", async () => {
    const { port, publish } = umbra;
    const before = (await use(umbra, "get_pricing")).structuredContent;
    const confirmedAt = NOW + 60_000;
    const { changedAt } = plansSnapshot();
    umbra.clock.pass(60_000);
    await publish({ ...plansSnapshot({ confirmedAt }), changedAt });
    const { _meta: dates, ...result } = await pollUntil(
      () => use(umbra, "get_pricing"),
      ({ _meta: dates }) => Object(dates).confirmedAt !== DATES.confirmedAt,
    );
    expect(dates).toEqual({ confirmedAt: "2026-03-01T12:01:00.000Z", freshUntil: "2026-03-02T12:01:00.000Z" });
    expect(noteIn(result)?.[0]).toBe("Confirmed 1 Mar 2026 12:01 UTC, valid until 2 Mar 2026 12:01 UTC.");
    expect(result.structuredContent).toEqual(before);
    expect((await callStateless(port, "tools/call", { name: "get_pricing" })).json()).toMatchObject({
      result: { _meta: dates },
    });
  });

  const windows = noRelease("windows");
  test.for([
    ["One for macOS is published: ask with platform macos.", [releaseSnapshot("macos"), windows]],
    ["None for macOS is published either.", [noRelease("macos"), windows]],
    ["It cannot be confirmed now whether one for macOS is.", [windows]],
  ] as const)("without a release names the platform, and whether the other has one: %s", async ([other, snapshots]) => {
    const result = await use(await startAcme(snapshots), "get_latest_version", "windows");
    expect(result.structuredContent).toEqual({ hasUpdate: false });
    expect(noteIn(result)).toEqual([
      CONFIRMED,
      `Acme Notes currently has no published release for Windows. ${other}`,
      `Source: Acme Notes, ${BASE}/api/v1/releases/latest?platform=windows`,
      FAQ,
    ]);
  });
});

describe("the text of a long changelog", () => {
  const shown = (result: Result) => JSON.parse(result.content[0]?.text ?? "").latest.changelog as string;

  test("ends after a whole line, and the structured content has all of it", async () => {
    const result = await use(acme, "get_latest_version");
    const lines = shown(result).split("\n");
    expect(lines.at(-1)).toBe("…");
    expect(lines.slice(0, -1)).toEqual(Array.from({ length: lines.length - 1 }, (_, index) => line(index)));
    expect(shown(result).length).toBeGreaterThan(3_800);
    expect(shown(result).length).toBeLessThanOrEqual(4_002);
    const { text } = await acme.get("/api/v1/releases/latest");
    expect(JSON.stringify(result.structuredContent)).toBe(text);
    expect(noteIn(result)).toContainEqual(expect.stringContaining(`all ${CHANGELOG.length.toLocaleString("en")} char`));
  });

  test("of one line is cut between two characters", async () => {
    const result = await use(await startAcme([releaseWith(`x${"😀".repeat(3_000)}`)]), "get_latest_version");
    expect(shown(result)).toBe(`x${"😀".repeat(1_999)}\n…`);
  });
});

describe("the text without a fact", () => {
  const ADVICE = /Do not answer from memory, .* Ask again in \d+ seconds\.$/;

  test("says since when, if it was ever confirmed", async () => {
    const server = await startAcme([plansSnapshot()]);
    server.clock.pass(24 * 60 * 60_000);
    const result = await use(server, "get_pricing");
    expect(result).toEqual({
      isError: true,
      content: [{ type: "text", text: expect.stringMatching(ADVICE) }],
      _meta: DATES,
    });
    expect(noteIn(result)?.[0]).toMatch(
      /^Acme Notes: the plans and prices are temporarily unavailable \(last confirmed 1 Mar 2026 12:00 UTC\)\./,
    );
    const missing = await use(server, "get_latest_version");
    expect(missing).toEqual({ isError: true, content: [{ type: "text", text: expect.stringMatching(ADVICE) }] });
    expect(noteIn(missing)?.[0]).toMatch(/^Acme Notes: the release for macOS is temporarily unavailable\./);
  });
});

test("the vendor's logo is an icon in the introduction of both eras, and in no other answer", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  const logo = join(await temporaryDirectory(), "logo.svg");
  await writeFile(logo, svg);
  const server = await startServer({ api: { logo } });
  const src = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
  const icons = [{ src, mimeType: "image/svg+xml", sizes: ["any"] }];
  expect((await greet(server)).serverInfo.icons).toEqual(icons);
  const key = "io.modelcontextprotocol/serverInfo";
  const discovered = (await callStateless(server.port, "server/discover")).json();
  expect(discovered).toMatchObject({ result: { _meta: { [key]: { icons } } } });
  expect((await callStateless(server.port, "tools/list")).text).not.toContain("icons");
});
