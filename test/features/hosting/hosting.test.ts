// `vitrine/hosting`: a vendor's folder is what `vitrine serve` makes of it, and nothing outside of it is read.
import { execFileSync } from "node:child_process";
import { mkdir, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openVendor } from "../../../cli/features/hosting/hosting.ts";
import { currentKey } from "../../../snapshots/facts.ts";
import { encodeSnapshot } from "../../../snapshots/snapshot.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { isIn } from "../../support/program/feature.ts";
import { FILE_SOURCES } from "../../support/program/settings.ts";
import { allSnapshots } from "../../support/serving/server.ts";
import { newSigning } from "../../support/signing.ts";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const PLANS = "/api/v1/plans";
const ACME = { api: { name: "Acme" } };

/** A vendor's folder beside another one, and beside files of the host. `settings`: as JSON or as text. */
async function vendor(settings: unknown = ACME) {
  const host = await temporaryDirectory();
  const [folder, other] = [join(host, "acme.example"), join(host, "other.example")];
  for (const one of [folder, other]) {
    await mkdir(join(one, "snapshots/data"), { recursive: true });
    for (const snapshot of allSnapshots({ confirmedAt: Date.now() }))
      await writeFile(join(one, "snapshots/data", currentKey(snapshot.name)), encodeSnapshot(snapshot));
  }
  await writeFile(join(host, "secret.svg"), `${SVG}<!-- hush -->`);
  await writeFile(join(host, "secret.md"), "hush");
  const settle = (settings: unknown) => {
    const text = typeof settings === "string" ? settings : JSON.stringify(settings);
    return writeFile(join(folder, "vitrine.config.json"), text);
  };
  await settle(settings);
  const warnings: string[] = [];
  return {
    host,
    folder,
    other,
    settle,
    warnings,
    open() {
      const base = "https://acme.example";
      const opened = openVendor(folder, { base, pace: 1, warn: (line) => void warnings.push(line) });
      const get = async (path = PLANS) => {
        const answer = await opened.handler?.(new Request(`http://localhost${path}`));
        return { status: answer?.status, text: await answer?.text() };
      };
      return { ...opened, get };
    },
  };
}

describe("a vendor (cli/features/hosting/hosting.ts)", () => {
  test("has its settings with comments, its texts and its logo", async () => {
    const api = { name: "Acme", logo: "logo.svg", faq: "texts/faq.md" };
    const { folder, open } = await vendor(`// Ours.\n${JSON.stringify({ api, ...FILE_SOURCES })}`);
    await mkdir(join(folder, "texts"));
    await writeFile(join(folder, "logo.svg"), SVG);
    await writeFile(join(folder, "texts/faq.md"), "# Asked\n\n\tof Acme: Größe");
    const { get, problems } = open();
    expect(problems).toEqual([]);
    expect((await get()).status).toBe(200);
    if (isIn("page")) expect((await get("/")).text).toContain("data:image/svg+xml;base64,PHN2Zy");
    expect((await get("/faq.md")).text).toContain("Größe");
    if (isIn("discovery")) expect((await get("/llms.txt")).text).toContain("https://acme.example/");
  });

  test.for([
    [
      "an unknown setting",
      { ...ACME, planz: 1 },
      isIn("check") ? /^planz +unknown setting; did you mean "plans"\?$/ : /^planz +unknown setting$/,
    ],
    ["a source that no collector could ask", { ...ACME, plans: { from: "nowhere" } }, /^plans\.from +must name one/],
    ["a setting of a wrong type", { api: { name: "Acme", faq: 5 } }, /^api\.faq /],
    ["no name, by which others are told apart", {}, /^product +is missing: set it or api\.name/],
    ["text that is no JSON", '{"api": {"name": "hush', /^line 1/],
    ["keys without their API", { ...ACME, trust: [newSigning().key.publicKey] }, /^trust +needs to know whose proofs/],
    [
      "the snapshots of another server",
      { ...ACME, snapshots: "https://acme.example/snapshots/" },
      /^snapshots +must be a/,
    ],
    ["those of another vendor", { ...ACME, snapshots: "../other.example/snapshots/data" }, /^snapshots +must lie in/],
    [
      "a logo that is none",
      { api: { name: "Acme", logo: "vitrine.config.json" } },
      /^api\.logo: .* neither SVG nor PNG$/,
    ],
    ["a picture that is none", { api: { name: "Acme", picture: "vitrine.config.json" } }, /neither PNG nor JPEG$/],
    ["a missing file", { api: { name: "Acme", faq: "faq.md" } }, /^api\.faq +cannot be read \(ENOENT\)$/],
    ["a folder as a file", { api: { name: "Acme", faq: "snapshots" } }, /^api\.faq +must be a file of at most 4 MiB$/],
    [
      "a file of the system",
      { api: { name: "Acme", logo: "/etc/passwd" } },
      /^api\.logo +must lie in the vendor's folder/,
    ],
    ["a logo of the host", { api: { name: "Acme", logo: "../secret.svg" } }, /^api\.logo +must lie in/],
    ["a text of the host", { api: { name: "Acme", overview: "../secret.md" } }, /^api\.overview +must lie in/],
    ["a device", { api: { name: "Acme", faq: "/dev/zero" } }, /^api\.faq +must lie in/],
  ] as const)("is refused for %s", async ([, settings, problem]) => {
    const { open, settle } = await vendor(settings);
    const { handler, problems, isCurrent } = open();
    expect([handler, problems]).toEqual([undefined, [expect.stringMatching(problem)]]);
    expect(problems.join("")).not.toMatch(/hush|root:/);
    expect(isCurrent()).toBe(true);
    await settle(ACME);
    expect(isCurrent()).toBe(false);
    expect((await open().get()).status).toBe(200);
  });

  test("is refused without settings, and never shows the demo", async () => {
    const { folder, open, settle } = await vendor();
    await unlink(join(folder, "vitrine.config.json"));
    const { handler, problems, isCurrent } = open();
    expect([handler, problems]).toEqual([undefined, ["vitrine.config.json is missing"]]);
    await settle(ACME);
    expect(isCurrent()).toBe(false);
  });

  test.for([
    ["binary", Buffer.from([0x80, 0xff, 0x00])],
    ["with commands to a terminal", "a\u001b]52;c;eHl6enk=\u0007"],
  ] as const)("is refused for a text that is %s", async ([, bytes]) => {
    const { folder, open } = await vendor({ api: { name: "Acme", faq: "faq.md" } });
    await writeFile(join(folder, "faq.md"), bytes);
    const { problems, isCurrent } = open();
    expect(problems).toEqual([expect.stringMatching(/^api\.faq: the Markdown file .* must be text in UTF-8/)]);
    await writeFile(join(folder, "faq.md"), "# Asked");
    expect(isCurrent()).toBe(false);
    expect((await open().get("/faq.md")).text).toContain("# Asked");
  });
});

describe.skipIf(process.platform === "win32")("a link (cli/features/hosting/hosting.ts)", () => {
  test.for(["logo.svg", "snapshots", "snapshots/data", "vitrine.config.json"])(
    "in place of %s leads nowhere out of the folder, and is followed within it",
    async (name) => {
      const { host, folder, other, open } = await vendor({ api: { name: "Acme", logo: "logo.svg" } });
      await writeFile(join(folder, "logo.svg"), SVG);
      await writeFile(join(other, "logo.svg"), SVG);
      await writeFile(join(other, "vitrine.config.json"), JSON.stringify(ACME));
      const inside = open();
      expect((await inside.get()).status).toBe(200);
      await rename(join(folder, name), join(folder, "moved"));
      await symlink(join(host, "other.example", name), join(folder, name));
      expect(inside.isCurrent()).toBe(false);
      const outside = open();
      expect(outside.problems).toEqual([
        expect.stringContaining("must lie in the vendor's folder, also behind a link"),
      ]);
      await unlink(join(folder, name));
      await symlink(join(folder, "moved"), join(folder, name));
      expect(outside.isCurrent()).toBe(false);
      expect((await open().get()).status).toBe(200);
    },
  );

  test("to the folder is a second name", async () => {
    const { host, folder } = await vendor();
    await symlink(folder, join(host, "www.example"));
    const { handler } = openVendor(join(host, "www.example"), { base: "https://www.example", pace: 1, warn() {} });
    expect((await handler?.(new Request(`http://localhost${PLANS}`)))?.status).toBe(200);
  });

  test("or a pipe in place of settings or of a text holds up nothing", async () => {
    const { folder, open } = await vendor({ api: { name: "Acme", faq: "faq.md" } });
    execFileSync("mkfifo", [join(folder, "faq.md")]);
    expect(open().problems).toEqual([expect.stringMatching(/^api\.faq +must be a file/)]);
    await unlink(join(folder, "vitrine.config.json"));
    execFileSync("mkfifo", [join(folder, "vitrine.config.json")]);
    expect(open().problems).toEqual([expect.stringMatching(/^vitrine\.config\.json +must be a file/)]);
  });
});

test("facts that vanish are served on, and a vendor without any is 502 until it has some", async () => {
  const { folder, open } = await vendor();
  const { get, isCurrent } = open();
  expect((await get()).status).toBe(200);
  await rm(join(folder, "snapshots"), { recursive: true });
  expect([isCurrent(), (await get()).status]).toEqual([true, 200]);
  expect((await open().get()).status).toBe(502);
});
