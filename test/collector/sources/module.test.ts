// A vendor's own module: the tools it gets, and its answer, which passes the same gate as every other.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { collectModule, GOOD } from "../../support/collecting/module.ts";
import { typeInProcess } from "../../support/program/in-process.ts";
import { launch, vitrine } from "../../support/program/run.ts";
import { settingsDirectory } from "../../support/program/settings.ts";
import { body, json, redirect, startUpstream, status } from "../../support/collecting/upstream.ts";
import { vendorPlans, vendorRelease, vendorReleases } from "../../support/collecting/vendor.ts";

const DEFINE = join(import.meta.dirname, "../../../collector/sources/define-source.ts");

describe("a module's answer is published", () => {
  test("for every requested snapshot", async () => {
    const { plans, macos, windows, lines } = await collectModule(
      `export default async ({ names, log }) => { log(names.join()); return ${GOOD}; };`,
      { releases: true },
    );
    expect(plans).toMatchObject({ result: "changed", payload: vendorPlans(), notes: [] });
    expect(macos).toMatchObject({ result: "changed", payload: vendorRelease("macos") });
    expect(windows).toMatchObject({ result: "changed", payload: vendorRelease("windows") });
    expect(lines.toSorted()).toEqual(["plans: plans", "releases: release-macos,release-windows"]);
  });

  test("from TypeScript with the types of defineSource", async () => {
    const text = `import { defineSource, type ModuleAnswer } from ${JSON.stringify(DEFINE)};
      const answer = ${GOOD} as ModuleAnswer;
      export default defineSource(async ({ names }): Promise<ModuleAnswer> => ({ ...answer, names }) as ModuleAnswer);`;
    const [plain, explicit] = await Promise.all([
      collectModule(text, { name: "my-source.ts", releases: true }),
      collectModule(text, { name: "my-source.mts", releases: true }),
    ]);
    for (const { plans, macos } of [plain, explicit]) {
      expect(plans).toMatchObject({ result: "changed", payload: vendorPlans() });
      expect(macos).toMatchObject({ result: "changed", payload: vendorRelease("macos") });
    }
  });

  test("without unlisted fields", async () => {
    const text = `const answer = ${GOOD};
      answer.plans.margin = "xyzzy"; answer.plans.plans[0].internal = { xyzzy: 1 };
      export default () => ({ ...answer, secrets: "xyzzy" });`;
    const { plans, all } = await collectModule(text);
    expect(plans).toMatchObject({ payload: vendorPlans(), notes: ["2 unlisted fields dropped"] });
    expect(all).not.toContain("xyzzy");
  });

  test("as no release only if it says so", async () => {
    const { macos, windows } = await collectModule(
      `export default () => ({ plans: null, "release-macos": { hasUpdate: false } });`,
      { releases: true },
    );
    expect(macos).toMatchObject({ payload: { hasUpdate: false } });
    expect(windows).toMatchObject({ result: "failed", reason: 'the module\'s answer has no "release-windows"' });
  });
});

describe("a module gets", () => {
  const asking = (url: string, headers = "{}") => `export default async ({ fetchText }) => {
    const plans = JSON.parse(await fetchText(${JSON.stringify(url)}, ${headers}));
    return { ...${GOOD}, plans };
  };`;

  test("requests, with secrets from the environment that another origin does not get", async () => {
    const [home, away] = [await startUpstream(), await startUpstream()];
    home.set("/plans", redirect(away.url("/plans")));
    away.set("/plans", json(vendorPlans()));
    const text = asking(home.url("/plans"), `{ authorization: "Bearer $KEY", "x-own": process.env.KEY }`);
    const { plans, all } = await collectModule(text, { environment: { KEY: "xyzzy" } });
    expect(plans).toMatchObject({ result: "changed", payload: vendorPlans() });
    expect(home.requests[0]).toMatchObject({ headers: { authorization: "Bearer xyzzy", "x-own": "xyzzy" } });
    expect(away.requests[0]?.headers).not.toHaveProperty("authorization");
    expect(all).not.toContain("xyzzy");
  });

  test("failures of requests, which become the reason unless the module handles them", async () => {
    const upstream = await startUpstream();
    upstream.set("/plans", status(403, {}, "xyzzy"));
    const dealing = `export default async ({ fetchText }) => {
      const text = await fetchText("${upstream.url("/plans")}").catch((error) => error.message);
      return { ...${GOOD}, plans: { ...(${GOOD}).plans, currency: text } };
    };`;
    expect((await collectModule(asking(upstream.url("/plans")))).plans).toMatchObject({ reason: "answered 403" });
    expect((await collectModule(dealing)).plans).toMatchObject({ payload: { currency: "answered 403" } });
  });

  test("no request that other sources may not make", async () => {
    const elsewhere = ["http://xyzzy.example/", "file:///etc/passwd", "xyzzy", "https://xyzzy:xyzzy@xyzzy.example/"];
    const [open, unsafe, unset] = [
      "the URL must be https, or http on this computer",
      "a header that cannot be sent",
      "the environment variable MY_KEY is not set",
    ];
    const odd = [{ host: "xyzzy" }, { "x-a": "xyzzy\n" }, { "x-a": 7 }, { "x-a": "$xyzzy$" }, { "x-a": "$MY_KEY" }];
    const asked = [...elsewhere.map((url) => [url]), ...odd.map((headers) => ["https://xyzzy.example/", headers])];
    const text = `export default async ({ fetchText, log }) => {
      for (const wish of ${JSON.stringify(asked)}) await fetchText(...wish).catch((error) => log(error.message));
      return ${GOOD};
    };`;
    const { lines } = await collectModule(text);
    const reasons = [...elsewhere.map(() => open), unsafe, unsafe, unsafe, unsafe, unset];
    expect(lines).toEqual(reasons.map((reason) => `plans: ${reason}`));
  });

  test("a hundred plain log lines, and no other output", async () => {
    const text = `export default ({ log }) => {
      log("\\u001b[31mred\\r\\nalert\\u202e " + "x".repeat(300));
      console.log("%d plans", 3);
      process.stdout.write("xyzzy"); process.stderr.write("xyzzy");
      for (let i = 0; i < 1000; i++) console.error(i);
      return ${GOOD};
    };`;
    const { lines, all } = await collectModule(text);
    const ofPlans = lines.filter((line) => line.startsWith("plans: "));
    expect(ofPlans).toHaveLength(100);
    expect(ofPlans.slice(0, 3)).toEqual([`plans:  [31mred alert  ${"x".repeat(184)}`, "plans: 3 plans", "plans: 0"]);
    expect(all).not.toContain("xyzzy");
  });
});

test("from the sources, the program reads TypeScript and large documents on their own threads", async () => {
  const upstream = await startUpstream();
  upstream.set("/latest.yml", body(`version: 3.1.0\npath: N.exe\n${"#".repeat(200_000)}\n`));
  const directory = await settingsDirectory({
    plans: { from: "module", path: "./plans.ts" },
    releases: { macos: "none", windows: { from: "electron-builder", url: upstream.url("/latest.yml") } },
  });
  await writeFile(join(directory, "plans.ts"), `type A = unknown; export default (): A => (${GOOD});`);
  const { code, stdout } = await launch("cli/main.ts", ["collect"], { directory }).ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(/plans +2 plans, 2 cycles +changed/);
  expect(stdout).toMatch(/windows +3\.1\.0 +changed/);
});

test("the program logs its lines to stderr; its failure leaves other sources alone, exit code 1", async () => {
  const directory = await settingsDirectory({
    plans: { from: "module", path: "./plans.mjs" },
    releases: { from: "file", path: "releases.json" },
  });
  await writeFile(join(directory, "releases.json"), JSON.stringify(vendorReleases()));
  const write = (text: string) => writeFile(join(directory, "plans.mjs"), text);
  const environment = { NODE_OPTIONS: "--max-old-space-size=256" };

  await write(`export default ({ log }) => { log("hello"); return ${GOOD}; }`);
  const collect = () => vitrine(["collect"], { directory, environment });
  const good = await collect();
  expect(good).toMatchObject({ code: 0, stderr: "  plans: hello\n" });
  expect(good.stdout).toMatch(/plans +2 plans, 2 cycles +changed/);

  await write(`export default () => { Promise.reject(new Error("xyzzy")); return new Promise(() => {}); }`);
  const bad = await collect();
  expect(bad).toMatchObject({ code: 1, stderr: "" });
  expect(bad.stdout).toMatch(
    /plans +failed: the module threw where nothing could catch it; its last snapshot is kept\n/,
  );
  expect(bad.stdout).toMatch(/windows +3\.1\.0 +confirmed/);
  expect(bad.stdout).not.toContain("xyzzy");
});

test("a missing file is reported, and a path with another ending is refused", async () => {
  const releases = { from: "file", path: "releases.json" };
  const [missing, odd] = await Promise.all([
    settingsDirectory({ plans: { from: "module", path: "./nowhere.mjs" }, releases }),
    settingsDirectory({ plans: { from: "module", path: "./source.sh" }, releases }),
  ]);
  const [failed, refused] = await Promise.all([
    typeInProcess(["collect"], { directory: missing }),
    typeInProcess(["check"], { directory: odd }),
  ]);
  expect(failed.stdout).toMatch(/plans +failed: the module does not exist;/);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/plans\.path +must be a path that ends in/),
  ]);
});
