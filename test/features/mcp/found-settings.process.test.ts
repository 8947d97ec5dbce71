// Settings that `vitrine mcp` only found get nothing but their folder: no file elsewhere, no command, no variable.
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../support/directory.ts";
import { haveFeatures, isIn } from "../../support/program/feature.ts";
import { runInProcess } from "../../support/program/in-process.ts";
import { settingsDirectory } from "../../support/program/settings.ts";
import { startStdio } from "../../support/program/stdio.ts";

const FILE = { from: "file", path: "facts.json" };
const JSON_SOURCE = { from: "json", url: "https://vendor.example/" };
const SOURCES = { plans: FILE, releases: FILE };
const ELSEWHERE = "/etc/passwd";

async function refusal(settings: object, words = "mcp"): Promise<unknown> {
  const directory = await settingsDirectory({ ...SOURCES, ...settings });
  return runInProcess(words.split(" "), directory).catch((error: unknown) => error);
}

describe("settings found by vitrine mcp", () => {
  const places: [path: string, settings: object][] = [
    ["api.overview", { api: { overview: ELSEWHERE } }],
    ["api.faq", { api: { faq: "../faq.md" } }],
    ["api.logo", { api: { logo: "../logo.svg" } }],
    ["snapshots", { snapshots: "/var/lib/elsewhere" }],
    ["snapshots", { snapshots: ".." }],
    ["snapshots", { snapshots: "file:///var/lib/elsewhere" }],
    ["lastCopy", { lastCopy: "/var/lib/elsewhere" }],
  ];
  test.for(places.filter(([, settings]) => haveFeatures(settings)))(
    "must not lead out of the folder by %s",
    async ([path, settings]) => {
      expect(String(await refusal(settings))).toMatch(new RegExp(`${path} +leads out of .*add --config /`));
    },
  );

  test.for<[problem: string, plans: object]>([
    ["plans   runs a command", { from: "command", command: ["node", "source.mjs"] }],
    ["plans   leads out of", { from: "file", path: ELSEWHERE }],
    ["plans   asks for the environment variable HOME", { ...JSON_SOURCE, headers: { "x-key": "$HOME" } }],
    ["plans   asks for the environment variable KEY", { ...JSON_SOURCE, headers: { "x-key": "Bearer $KEY" } }],
  ])("must not collect if %s", async ([problem, plans]) => {
    expect(String(await refusal({ plans }, "mcp --collect"))).toContain(problem);
  });

  test.runIf(isIn("witnesses"))("must not collect if a cross-check does so", async () => {
    const crossChecks = [{ facts: ["plans"], from: "command", command: ["node", "source.mjs"] }];
    expect(String(await refusal({ crossChecks }, "mcp --collect"))).toContain("crossChecks.0   runs a command");
  });

  test("must not lead out of it by a link, even to nowhere", async () => {
    for (const target of [ELSEWHERE, "/nowhere/at/all"]) {
      const directory = await settingsDirectory({ ...SOURCES, api: { overview: "text.md" }, snapshots: "link/data" });
      await symlink(target, join(directory, "text.md"));
      await symlink("/var", join(directory, "link"));
      const failure = await runInProcess(["mcp"], directory).catch((error: unknown) => error);
      expect(String(failure)).toMatch(/api\.overview +leads out of.*snapshots +leads out of/);
    }
  });

  test("are used within the folder, as are all others that the command line or the environment names", async () => {
    const directory = await settingsDirectory({ ...SOURCES, api: { overview: "texts/..overview.md" } });
    await mkdir(join(directory, "texts"));
    await writeFile(join(directory, "texts/..overview.md"), "# From the folder");
    const elsewhere = await temporaryDirectory();
    await writeFile(join(elsewhere, "text.md"), "# From elsewhere");
    const settings = { ...SOURCES, api: { overview: join(elsewhere, "text.md") } };
    const named = await settingsDirectory({ ...settings, plans: { ...JSON_SOURCE, headers: { "x-key": "$KEY" } } });
    const config = join(named, "vitrine.config.json");
    const ways: [string, Parameters<typeof startStdio>[0]][] = [
      ["# From the folder", { directory }],
      ["# From the folder", { directory, args: ["--snapshots", elsewhere] }],
      ["# From the folder", { directory, environment: { SNAPSHOTS: elsewhere } }],
      ["# From elsewhere", { directory: named, args: ["--config", "vitrine.config.json"] }],
      ["# From elsewhere", { directory, environment: { VITRINE_CONFIG: config } }],
    ];
    for (const [text, options] of ways) {
      const answer = await startStdio(options).ask("resources/read", { uri: "product://overview" });
      expect(answer).toMatchObject({ result: { contents: [{ text }] } });
    }
  });
});
