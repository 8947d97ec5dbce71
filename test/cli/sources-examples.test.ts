// Holds SOURCES.md to the program: every example is collected as it stands, with servers of the test in place of the upstreams,
// and every kind has one.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { sourceKinds } from "../../cli/settings/schema.ts";
import type { Platform } from "../../snapshots/schema.ts";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { SNAPSHOT_NAMES, readSnapshot } from "../../snapshots/snapshot.ts";
import { ACME, ACME_ENVIRONMENT, ACME_UPSTREAMS } from "../support/collecting/acme.ts";
import { startUpstream } from "../support/collecting/upstream.ts";
import { ROOT } from "../support/imports.ts";
import { runInProcess } from "../support/program/in-process.ts";
import { settingsDirectory } from "../support/program/settings.ts";

const sources = await readFile(join(ROOT, "SOURCES.md"), "utf8");
const EXAMPLES = kindSections().flatMap(({ kind, text }) =>
  blocks(text, "json settings").map(({ contents }, index) => ({ kind, index, contents })),
);
/** Files that the examples refer to. Comments are for readers of the document only. */
const FILES = blocks(sources, "(?:jsonc|js) (?<path>\\S+)").map(({ path, contents }) => ({
  path,
  contents: path.endsWith(".json") ? contents.replace(/ *\/\/ .*$/gm, "") : contents,
}));

const none = { hasUpdate: false };
const gitHub = "https://github.com/acme/notes/releases/download/v4.2.1";
const apps = "https://github.com/acme/apps/releases/download/desktop@4.2.1";
const gitLab = "https://gitlab.com/acme/desktop/notes/-/releases/v4.2.1/downloads";
const MONTHLY = { key: "monthly", durationMonths: 1, labelKey: "billing.monthly", savingBadge: null };
const ANNUAL = { key: "annual", durationMonths: 12, labelKey: "billing.annual", savingBadge: "-17%" };

interface Facts {
  plans?: object;
  macos?: object;
  windows?: object;
}

/** The facts of each example, by kind, in the order of the document. */
const EXPECTED: Record<string, Facts[]> = {
  github: [
    {
      macos: release("macos", `${gitHub}/Notes-4.2.1.dmg`),
      windows: release("windows", `${gitHub}/Notes-Setup-4.2.1.exe`),
    },
    { macos: release("macos", `${apps}/Notes-x64.dmg`), windows: release("windows", `${apps}/Notes-setup.zip`) },
  ],
  gitea: ["codeberg.org", "git.acme.com"].map((host) => {
    const folder = `https://${host}/acme/notes/releases/download/v4.2.1`;
    return {
      macos: release("macos", `${folder}/Notes-4.2.1.dmg`),
      windows: release("windows", `${folder}/Notes-Setup-4.2.1.exe`),
    };
  }),
  gitlab: [
    {
      macos: release("macos", `${gitLab}/Notes-4.2.1.dmg`, { size: "" }),
      windows: release("windows", `${gitLab}/Notes-Setup-4.2.1.exe`, { size: "" }),
    },
  ],
  "electron-builder": [
    {
      macos: release("macos", "https://dl.acme.com/Notes-4.2.1.dmg"),
      windows: release("windows", "https://dl.acme.com/Notes-Setup-4.2.1.exe"),
    },
  ],
  sparkle: [{ macos: { ...release("macos", "https://acme.com/Notes-4.2.1.dmg"), forceUpdate: true }, windows: none }],
  tauri: [
    {
      macos: release("macos", "https://dl.acme.com/Notes-4.2.1.app.tar.gz", { size: "" }),
      windows: release("windows", "https://dl.acme.com/Notes-4.2.1-setup.exe", { size: "" }),
    },
    {
      macos: release("macos", `${gitHub}/Notes-4.2.1.dmg`),
      windows: release("windows", "https://dl.acme.com/Notes-4.2.1-setup.exe", { size: "" }),
    },
  ],
  squirrel: [
    {
      macos: release("macos", "https://dl.acme.com/mac/Notes-4.2.1-mac.zip", { size: "" }),
      windows: release("windows", "https://dl.acme.com/win/Notes-4.2.1-Setup.exe", {
        size: "",
        changelog: "",
        date: "",
      }),
    },
  ],
  velopack: [
    {
      macos: release("macos", "https://dl.acme.com/Notes-osx-Setup.pkg", { size: "", date: "" }),
      windows: release("windows", "https://dl.acme.com/Notes-win-Setup.exe", { size: "", date: "" }),
    },
  ],
  autoupdater: [
    {
      macos: none,
      windows: {
        ...release("windows", "https://dl.acme.com/NotesSetup.exe", { size: "", changelog: "", date: "" }),
        forceUpdate: true,
      },
    },
  ],
  stripe: [
    {
      plans: {
        currency: "USD",
        cycles: [MONTHLY, ANNUAL],
        plans: [
          { ...plan("pro", 19.99, 199), popular: true, creditsMonthly: 2000 },
          plan("team", 49, 199),
          { ...plan("free", 0, 0), creditsMonthly: 100 },
        ],
      },
    },
  ],
  paddle: [
    {
      plans: {
        currency: "USD",
        cycles: [MONTHLY, ANNUAL],
        plans: [{ ...plan("pro", 19.99, 199), popular: true }, plan("team", 49, 199), plan("free", 0, 0)],
      },
    },
  ],
  lemonsqueezy: [
    {
      plans: {
        currency: "USD",
        cycles: [MONTHLY, ANNUAL],
        plans: [{ ...plan("pro", 19.99, 199), popular: true }, plan("free", 0, 0)],
      },
    },
  ],
  file: [
    {
      plans: {
        currency: "EUR",
        cycles: [MONTHLY, ANNUAL],
        plans: [{ ...plan("pro", 19.99, 199), popular: true, creditsMonthly: 2000 }],
      },
      macos: release("macos", "https://dl.acme.com/Notes-4.2.1.dmg", { date: "2026-11-02" }),
      windows: none,
    },
  ],
  json: [
    {
      plans: {
        currency: "EUR",
        cycles: [MONTHLY],
        plans: [{ ...plan("pro", 9, 90), popular: true, prices: { monthly: 9 } }],
      },
    },
    { macos: { ...release("macos", "https://dl.acme.com/Notes-4.2.1.dmg"), forceUpdate: true }, windows: none },
    {
      macos: release("macos", "https://apps.apple.com/us/app/acme-notes/id1234567890?mt=12&uo=4"),
      windows: none,
    },
    {
      macos: release("macos", "https://dl.acme.com/Notes-mac.zip", { size: "" }),
      windows: release("windows", "https://get.keygen.sh/acme/latest/Notes-Setup.exe", { size: "" }),
    },
    {
      plans: {
        currency: "EUR",
        cycles: [MONTHLY, ANNUAL],
        plans: [{ ...plan("pro", 19.99, 199), popular: true, creditsMonthly: 2000 }],
      },
    },
  ],
  command: [
    {
      plans: { currency: "EUR", cycles: [MONTHLY, { ...ANNUAL, savingBadge: null }], plans: [plan("pro", 9, 90)] },
    },
  ],
  none: [{ macos: release("macos", `${gitHub}/Notes-4.2.1.dmg`), windows: none }],
};

function release(platform: Platform, downloadURL: string, more: object = {}): object {
  return { hasUpdate: true, forceUpdate: false, latest: { platform, downloadURL, ...ACME, ...more } };
}

function plan(id: string, monthly: number, annual: number): object {
  const prices = { prices: { monthly, annual }, monthlyPrice: monthly, annualPrice: annual };
  return { id, popular: false, ...prices, creditsMonthly: null };
}

/** The sections whose heading is a name in code. */
function kindSections(): { kind: string; text: string }[] {
  return sources.split(/^## /m).flatMap((text) => {
    const [, kind] = /^`([^`]+)`\n/.exec(text) ?? [];
    return kind === undefined ? [] : [{ kind, text }];
  });
}

function blocks(text: string, language: string): { contents: string; path: string }[] {
  const pattern = new RegExp(`^\`\`\`${language}\n(?<contents>.*?)\n\`\`\`$`, "gms");
  return [...text.matchAll(pattern)].map(({ groups: { contents = "", path = "" } = {} }) => ({ contents, path }));
}

/** Collects with the settings of an example, whose missing half is a file. */
async function collectExample(example: string): Promise<Facts> {
  const standIns: Record<string, string> = {};
  for (const [origin, behaviours] of Object.entries(ACME_UPSTREAMS)) {
    const upstream = await startUpstream();
    standIns[origin] = upstream.origin;
    for (const [path, behaviour] of Object.entries(behaviours)) upstream.set(path, behaviour);
  }
  const file = (name: string) => ({ from: "file", path: `product/${name}.json` });
  const settings = {
    plans: file("plans"),
    releases: file("releases"),
    ...JSON.parse(example),
    standIns,
    checkLink: false,
  };
  const directory = await settingsDirectory(settings);
  for (const { path, contents } of FILES) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    // A program asks its upstream itself.
    const asked = path.endsWith(".mjs") ? Object.entries(standIns) : [];
    await writeFile(
      join(directory, path),
      asked.reduce((text, [from, to]) => text.replaceAll(from, to), contents),
    );
  }
  const { code, stderr } = await runInProcess(["check"], directory, ACME_ENVIRONMENT);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^(! standIns: no source .*\n)?$/) });
  expect(await runInProcess(["collect"], directory, ACME_ENVIRONMENT)).toMatchObject({ code: 0 });
  const store = openStore(join(directory, "facts"));
  const reads = SNAPSHOT_NAMES.map(async (name) => {
    const read = await readSnapshot(store, name, Date.now());
    return [name.replace(/^release-/, ""), read.state === "found" ? read.snapshot.payload : read.state] as const;
  });
  return Object.fromEntries(await Promise.all(reads)) as Facts;
}

test("every kind has a section with an example of it", () => {
  expect(
    kindSections()
      .map(({ kind }) => kind)
      .toSorted(),
  ).toEqual(sourceKinds().toSorted());
  for (const kind of sourceKinds()) {
    const own = EXAMPLES.filter((example) => example.kind === kind);
    expect(own.length, `examples of ${kind} in SOURCES.md`).toBeGreaterThan(0);
    expect(own.map(({ contents }) => contents).join("\n")).toMatch(`"${kind}"`);
    expect(EXPECTED[kind]?.length, `facts of the examples of ${kind} in EXPECTED`).toBe(own.length);
  }
});

test("every block of settings is an example that is collected", async () => {
  const [, section = ""] = /^## A second witness\n(.*?)^## /ms.exec(sources) ?? [];
  const [crossChecked, ...others] = blocks(section, "json settings");
  const comments = blocks(sources, "jsonc[^\n]*");
  expect(blocks(sources, "json[^\n]*")).toHaveLength(EXAMPLES.length + 1 + others.length + comments.length);
  expect(others).toEqual([]);
  const { macos } = await collectExample(crossChecked?.contents ?? "");
  expect(macos).toMatchObject({ latest: { version: ACME.version } });
});

test.for(EXAMPLES)(
  "the example of $kind ($index) publishes Acme's facts, and nothing else of theirs",
  async (example) => {
    const facts = await collectExample(example.contents);
    expect(facts).toMatchObject(EXPECTED[example.kind]?.[example.index] ?? {});
    for (const [name, expected] of Object.entries(EXPECTED[example.kind]?.[example.index] ?? {})) {
      expect(facts[name as keyof Facts]).toEqual(expected);
    }
  },
);
