// What every kind of source promises, over an upstream that answers, refuses, lies and repeats what it was sent. The rows of the kinds
// are in test/support/collecting/kinds.ts; the tests beside this one hold what a kind does alone.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Settings } from "../../../cli/settings/schema.ts";
import { openSources } from "../../../collector/settings.ts";
import { SourceSettings } from "../../../collector/sources/sources.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { isIn } from "../../support/program/feature.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { runnerOf } from "../../support/collecting/collector.ts";
import { KINDS, SECRET, settingsOf, type KindExample } from "../../support/collecting/kinds.ts";
import { body, json, redirect, startUpstream, status, type Behaviour } from "../../support/collecting/upstream.ts";

const FILE = { from: "file", path: "x.json" };

/** Opens the source as `part` of the settings. @throws SettingsProblems */
async function start(kind: KindExample, part = kind.part, environment: object = { THE_SECRET: kind.secret ?? SECRET }) {
  const upstream = await startUpstream();
  for (const [path, document] of Object.entries(kind.others ?? {})) upstream.set(path, json(document));
  const directory = await temporaryDirectory();
  const settings = Settings.parse({ plans: FILE, releases: "none", ...settingsOf(kind.source(upstream.origin), part) });
  const opened = openSources(settings, { directory, environment: { ...environment }, file: "vitrine.config.json" });
  const sources = opened.filter(({ names }) => names.includes("plans") === (part === "plans"));
  const run = runnerOf(sources, openStore(directory));
  const name = part === "plans" ? part : part === "releases.windows" ? "release-windows" : "release-macos";
  return {
    upstream,
    /** Collects once: the outcome, and everything that may be shown or written. */
    async collected() {
      const outcomes = await run();
      const { [name]: outcome } = outcomes;
      const reason = "reason" in outcome ? outcome.reason : "";
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map((file) => join(file.parentPath, file.name));
      const written = await Promise.all(files.map((file) => readFile(file, "utf8")));
      return { result: outcome.result, reason, all: JSON.stringify([outcomes, written]) };
    },
  };
}

describe.for(Object.entries(KINDS))("%s (collector/features/kinds/)", ([, kind]) => {
  const { path, document, part, secret = SECRET, sent = { authorization: `Bearer ${secret}` }, refusals = {} } = kind;
  const isConditional = part !== "plans" || kind.secret === undefined;
  /** The document with the secret in every header that may be saved or shown. */
  const echoing = (text: string, code = 200): Behaviour =>
    status(code, { etag: `"${secret}"`, "last-modified": secret, "x-echo": secret, "content-type": secret }, text);
  const later = { "retry-after": "600" };
  const away = `/${secret}?key=${encodeURIComponent(secret)}`;

  const ANSWERS: [what: string, behaviour: Behaviour, reason: string | RegExp][] = [
    ["400", echoing(secret, 400), refusals[400] ?? "answered 400"],
    ["401", echoing(`{"message":"${secret}"}`, 401), refusals[401] ?? "answered 401"],
    ["403", echoing(secret, 403), refusals[403] ?? "answered 403"],
    ["404", echoing(secret, 404), refusals[404] ?? "answered 404"],
    ["429", status(429, later, secret), "answered 429: too many requests, try again in 10 min"],
    ["403 for a while", status(403, { "retry-after": secret }, secret), refusals[403] ?? "answered 403"],
    ["204", status(204), "answered 204"],
    ["a log-in page", body(`<html>${secret}</html>`, { "content-type": "text/html" }), /^not /],
    ["half a document", echoing(document(secret, secret).slice(0, -3)), /^not |contains a secret/],
    [
      "an error object",
      body(JSON.stringify({ error: secret, plans: [{ [secret]: secret }] })),
      /^(not |the answer |currency: )/,
    ],
    ["its secret", echoing(document("", secret)), /contains a secret that was sent|no price for "annual" to publish/],
    ["an address that is refused", redirect(`https://me:${encodeURIComponent(secret)}@127.0.0.1:1${away}`), /./],
  ];
  test.for(ANSWERS)("reports in our words, without the secret: %s", async ([, behaviour, reason]) => {
    const { upstream, collected } = await start(kind);
    upstream.set(path, behaviour);
    const { all, ...outcome } = await collected();
    expect(outcome.result).toBe("failed");
    expect(outcome.reason.replace('plan "pro": ', "")).toMatch(reason);
    expect(all).not.toMatch(/xyzzy|127\.0\.0\.1/);
    expect(upstream.requests.length).toBeGreaterThan(0);
    for (const { headers } of upstream.requests) expect(headers).toMatchObject(sent);
  });

  test("publishes nothing of a field that it does not read, and no header", async () => {
    const { upstream, collected } = await start(kind);
    upstream.set(path, echoing(document(secret, "")));
    const { all, result } = await collected();
    expect(result).toBe("changed");
    expect(all).not.toContain("xyzzy");
    for (const { headers } of upstream.requests) expect(headers).toMatchObject(sent);
  });

  test("takes no link without encryption", async ({ skip }) => {
    const text = document("", "").replaceAll("https://dl.example", "http://dl.example");
    if (text === document("", "")) skip("its links are relative, or it has none");
    const { upstream, collected } = await start(kind);
    upstream.set(path, body(text));
    expect((await collected()).reason).toMatch(/^latest\.downloadURL: /);
  });

  test("sends its secret to no other origin after a redirect", async () => {
    const { upstream, collected } = await start(kind);
    const other = await startUpstream();
    other.set("/moved", echoing(document("", "")));
    upstream.set(path, redirect(other.url("/moved")));
    expect((await collected()).result).toBe("changed");
    expect(other.requests.length).toBeGreaterThan(0);
    expect(JSON.stringify(other.requests)).not.toMatch(/xyzzy|authorization|x-api-key|private-token/);
  });

  test.runIf(isIn("upstream-state"))(isConditional ? "confirms by 304" : "asks for the whole each time", async () => {
    const { upstream, collected } = await start(kind);
    upstream.set(path, (request, response) => {
      const isKnown = request.headers["if-none-match"] === '"a"';
      (isKnown ? status(304, { etag: '"a"' }) : body(document("", ""), { etag: '"a"' }))(request, response);
    });
    expect((await collected()).result).toBe("changed");
    expect((await collected()).result).toBe("confirmed");
    const conditions = upstream.requests.flatMap(({ headers }) => headers["if-none-match"] ?? []);
    expect(conditions).toEqual(isConditional ? ['"a"'] : []);
  });

  test("needs its environment variable", async () => {
    await expect(start(kind, part, {})).rejects.toThrow("the environment variable THE_SECRET is not set");
  });

  test.skipIf(kind.misplaced === undefined)("is refused in another part of the settings", async () => {
    for (const [other, problem] of Object.entries(kind.misplaced ?? {})) {
      await expect(start(kind, other as KindExample["part"])).rejects.toThrow(problem);
    }
  });
});

test("every kind with a setting for a secret is here", () => {
  const kinds = SourceSettings.options.filter(({ shape }) => "headers" in shape || "key" in shape || "token" in shape);
  const missing = kinds.map(({ shape }) => shape.from.value).filter((kind) => !Object.hasOwn(KINDS, kind));
  expect(missing, "kinds without a row in test/support/collecting/kinds.ts").toEqual([]);
});

describe("an upstream that repeats a secret", () => {
  const REASON = "the answer contains a secret that was sent to the upstream: the value of THE_SECRET";
  const github = KINDS.github!;
  const release = (tag_name: string, names: string[]) => {
    const link = (name: string) => ({ name, state: "uploaded", browser_download_url: `https://dl.example/${name}` });
    return JSON.stringify([{ tag_name, draft: false, prerelease: false, assets: names.map(link) }]);
  };
  const WORD = "xyzzy_key";
  const TOKEN = `xyzzy_${"0123456789".repeat(9)}`;
  const SHORT = "Xyz+zy/0=Ab";
  /** Of Tauri, whose `notes` are published as they are. */
  const notes = (text: string, secret = SHORT): [KindExample, document: string] => {
    return [{ ...KINDS.tauri!, secret }, KINDS.tauri!.document("", text)];
  };
  async function collectedOf(kind: KindExample, document: string) {
    const { upstream, collected } = await start(kind);
    upstream.set(kind.path, body(document));
    return collected();
  }

  test.for<[what: string, kind: KindExample, document: string]>([
    ["as a file in the way", github, release("v1.0.0", [`${SECRET}.bin`])],
    ["as a tag in the way", github, release(SECRET, ["N.dmg", "N.exe"])],
    ["as a token that is longer than a name", { ...github, secret: TOKEN }, release(TOKEN, ["N.dmg", "N.exe"])],
    ["as a key that occurs twice", { ...KINDS.json!, secret: WORD }, `{"${WORD}":1,"${WORD}":2}`],
    ["as it was sent", ...notes(`key: ${SHORT}.`)],
    ["with escapes in lower case", ...notes("Xyz%2bzy%2f0%3dAb")],
    ["half escaped", ...notes("Xyz%2Bzy/0=Ab")],
    ["all escaped", ...notes([...SHORT].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(""))],
    ["escaped twice", ...notes("Xyz%252Bzy%252F0%253DAb")],
    ["with a plus that became a space", ...notes("Xyz zy/0=Ab")],
    ["in another case, as in the name of a host", ...notes(SHORT.toLowerCase())],
    ["as entities of HTML", ...notes("Xyz&#43;zy&#x2f;0&#61;Ab")],
    ["as named entities of HTML", ...notes("Xyz&plus;zy&sol;0&equals;Ab")],
    ["with escapes of JSON", ...notes(String.raw`Xyz\u002bzy\u002F0=Ab`)],
    ["with an escaped slash, as PHP writes it", ...notes(String.raw`Xyz+zy\/0=Ab`)],
    ["with an escaped slash in JSON inside JSON", ...notes(String.raw`Xyz+zy\\\/0=Ab`)],
    ["with a carriage return inside", ...notes("Xyz+\rzy/0=Ab")],
    ["on two lines", ...notes("Xyz+zy\n  /0=Ab")],
    ["with an invisible character inside", ...notes("Xyz+zy\u200b/0=Ab")],
    ["in wide characters", ...notes("Ｘｙｚ＋ｚｙ／０＝Ａｂ")],
    ["of eight characters", ...notes("xyzzy-07", "xyzzy-07")],
    ["with an escape of its own", ...notes("a 100%25xyzzy a", "100%25xyzzy")],
    ["in a link", { ...KINDS.tauri!, secret: SHORT }, notes("")[1].replaceAll("N.dmg", "N.dmg?key=Xyz%2bzy/0=Ab")],
  ])("publishes nothing and is not quoted: %s", async ([, kind, document]) => {
    const { reason, all } = await collectedOf(kind, document);
    expect(reason).toBe(REASON);
    expect(all).not.toMatch(/xyzzy|xyz.{0,7}zy|0=Ab/i);
  });

  test.for<[KindExample, document: string]>([notes("eu-west", "eu-west"), notes("Xyz 100% & +zy/0")])(
    "shorter values and a part of a secret may occur by themselves",
    async ([kind, document]) => expect((await collectedOf(kind, document)).result).toBe("changed"),
  );
});
