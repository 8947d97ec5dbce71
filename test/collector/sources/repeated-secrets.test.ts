// An upstream that repeats a secret in another spelling: the source fails, and the secret is neither published nor shown.
import { expect, test } from "vitest";
import { payloadOrReason, startReleaseCollector } from "../../support/collecting/release-collector.ts";
import { json } from "../../support/collecting/upstream.ts";

const SECRET = "Xyz+zy/0=Ab";

async function collected(changelog: string, { secret = SECRET, url = "https://dl.example/N.dmg" } = {}) {
  const latest = { platform: "macos", version: "1.0", changelog, downloadURL: url, size: "", date: "" };
  const { run } = await startReleaseCollector(
    ({ url }) => ({ macos: { from: "json", url: url("/macos"), headers: { "x-key": "$KEY" } }, windows: "none" }),
    { environment: { KEY: secret }, paths: { "/macos": json({ hasUpdate: true, forceUpdate: false, latest }) } },
  );
  const { macos, all } = await run();
  return { found: payloadOrReason(macos), all };
}

const REASON = "the answer contains a secret that was sent to the upstream";

test.for<[how: string, changelog: string]>([
  ["as it was sent", `key: ${SECRET}.`],
  ["with escapes in lower case", "Xyz%2bzy%2f0%3dAb"],
  ["half escaped", "Xyz%2Bzy/0=Ab"],
  ["with every character escaped", [...SECRET].map((char) => `%${char.charCodeAt(0).toString(16)}`).join("")],
  ["escaped twice", "Xyz%252Bzy%252F0%253DAb"],
  ["with a plus that became a space", "Xyz zy/0=Ab"],
  ["in another case, as in the name of a host", SECRET.toLowerCase()],
  ["as entities of HTML", "Xyz&#43;zy&#x2f;0&#61;Ab"],
  ["as named entities of HTML", "Xyz&plus;zy&sol;0&equals;Ab"],
  ["with escapes of JSON", String.raw`Xyz\u002bzy\u002F0=Ab`],
  ["with an escaped slash, as PHP writes it", String.raw`Xyz+zy\/0=Ab`],
  ["with an escaped slash in JSON inside JSON", String.raw`Xyz+zy\\\/0=Ab`],
  ["with a carriage return inside", "Xyz+\rzy/0=Ab"],
  ["on two lines", "Xyz+zy\n  /0=Ab"],
  ["with an invisible character inside", "Xyz+zy\u200b/0=Ab"],
  ["in wide characters", "Ｘｙｚ＋ｚｙ／０＝Ａｂ"],
])("a secret of eleven characters is found %s", async ([, changelog]) => {
  const { found, all } = await collected(changelog);
  expect(found).toBe(REASON);
  expect(all).not.toContain(changelog);
});

test("a secret is found in a link", async () => {
  expect((await collected("", { url: "https://dl.example/N.dmg?key=Xyz%2bzy/0=Ab" })).found).toBe(REASON);
});

test("a secret of eight characters is found, and one with an escape of its own", async () => {
  expect((await collected("xyzzy-07", { secret: "xyzzy-07" })).found).toBe(REASON);
  expect((await collected("a 100%25xyzzy a", { secret: "100%25xyzzy" })).found).toBe(REASON);
});

test("shorter values and a part of a secret may occur by themselves", async () => {
  expect((await collected("eu-west", { secret: "eu-west" })).found).toHaveProperty("latest.changelog", "eu-west");
  expect((await collected("Xyz 100% & +zy/0")).found).toHaveProperty("latest.changelog", "Xyz 100% & +zy/0");
});
