// `check` finds without a request what a start or a collection would stumble over, and ends with a verdict.
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEMO, SCHEMA } from "../../../cli/package-files.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { isIn } from "../../support/program/feature.ts";
import { runInProcess, typeInProcess } from "../../support/program/in-process.ts";
import { DOCUMENTS } from "../../support/serving/prepared-targets.ts";
import { settingsDirectory } from "../../support/program/settings.ts";

const FILE = { from: "file", path: "plans.json" };
const NONE = { from: "none" };
const GITHUB = { from: "github", repo: "acme/notes" };

/** Checks settings with good plans and no releases, and these. */
async function check(settings: object, ...words: string[]) {
  const directory = await settingsDirectory({ plans: FILE, releases: NONE, ...settings });
  await writeFile(join(directory, "plans.json"), await readFile(new URL("plans.json", DEMO), "utf8"));
  return { directory, ...(await runInProcess(["check", ...words], directory)) };
}

describe("vitrine check (cli/features/check/check.ts)", () => {
  test("good settings are ready, with the settings that differ from their defaults", async () => {
    const { code, stdout, directory } = await check({
      staleAfter: "24h",
      schedule: "0 * * * *",
      ...(isIn("guard") && { guard: { confirm: 4 } }),
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}schedule +0 \* \* \* \* +file$/m);
    if (isIn("guard")) expect(stdout).toMatch(/^ {2}guard.confirm +4 +file$/m);
    expect(stdout).not.toMatch(/staleAfter|guard\.over|default$/m);
    expect(stdout).toMatch(/^ {2}\d\d others have their defaults: npm run check -- --all$/m);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("  ✔ ready: npm start");
    expect(await readdir(directory)).toEqual(["plans.json", "vitrine.config.json"]);
    const all = await check({}, "--all");
    expect(all.stdout).toMatch(/staleAfter +24h +default/);
    if (isIn("guard")) expect(all.stdout).toMatch(/guard\.confirm +3 +default[^]*guard\.releaseOver +12h +default/);
    expect(all.stdout).not.toContain("others have");
  });
});

test.for<[settings: object, problem: string]>([
  [{ port: 6679 }, "port   browsers refuse the port 6679"],
  [{ metrics: "127.0.0.1:4190" }, "metrics   browsers refuse the port 4190; choose another, or set METRICS"],
  [{ api: { baseUrl: "http://a.example:10080" } }, "api.baseUrl   browsers refuse the port 10080"],
  [{ metrics: "127.0.0.1:3000" }, 'metrics   3000 is the server\'s own port; choose another, or "on", or set METRICS'],
  [{ metrics: "localhost:3000" }, "metrics   3000 is the server's own port"],
  [{ host: "0.0.0.0", metrics: "127.0.0.1:3000" }, "metrics   3000 is the server's own port"],
  [{ snapshots: "plans.json/data" }, "plans.json/data is no directory, or is below a file"],
])("not ready: %j", async ([settings, problem]) => {
  const { code, stdout, stderr } = await check(settings);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^✖ not ready: vitrine\.config\.json has 1 problem$/m);
  expect(stderr).toContain(problem);
  expect(stdout).not.toContain("ready");
});

test.for([
  ["vitrine.json", "{}", ", but vitrine.json: name it with --config FILE"],
  ["vitrine.config.yaml", "api:", ", and vitrine.config.yaml is not read, as settings are JSON"],
  ["package.json", '{ "vitrine": {} }', ', and "vitrine" in package.json is not read'],
] as const)(
  "without settings, no demo hides those in %s (cli/features/check/right-files.ts)",
  async ([file, text, told]) => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, file), text);
    await expect(runInProcess(["check"], directory)).rejects.toThrow(told);
    await expect(runInProcess(["start"], directory)).rejects.toThrow(
      /--demo, which is not shown unasked because another/,
    );
  },
);

test.runIf(isIn("names", "init"))(
  "names of plans are reminded of by the file of the plans, not by that of the releases",
  async () => {
    const directory = await settingsDirectory({
      plans: FILE,
      releases: { from: "file", path: "releases.json" },
      names: { free: { title: "Free" } },
    });
    for (const file of ["plans.json", "releases.json"] as const)
      await writeFile(join(directory, file), await readFile(new URL(file, DEMO), "utf8"));
    const { stderr } = await runInProcess(["check"], directory);
    expect(stderr).toContain("still the sample facts");
    expect(stderr).not.toContain("there is no plan");
  },
);

test("one port on two addresses is fine, and so is any free port", async () => {
  const settings = [
    { host: "127.0.0.2", metrics: "127.0.0.1:3000" },
    { port: 0, metrics: "127.0.0.1:0" },
    { metrics: "on" },
  ];
  for (const given of settings) expect(await check(given)).toMatchObject({ code: 0 });
});

test("a variable of another program, of a service of Kubernetes or of a source is none of ours", async () => {
  const { directory } = await check({ plans: { from: "command", command: ["node"], env: { A: "$API_NAME" } } });
  const foreign = { HOSTNAME: "a", HOSTS: "a", npm_config_port: "1", CONFIG: "a", HISTORY: "a", API_KEY: "a" };
  const ofService = { VITRINE_PORT: "tcp://10.0.0.1:3000", VITRINE_SERVICE_HOST: "10.0.0.1" };
  const { stderr } = await runInProcess(["check"], directory, { ...foreign, ...ofService, API_NAME: "a" });
  expect(stderr).not.toContain("is not read");
});

test("a variable of another program is none of ours once the setting has its value, or nothing is asked", async () => {
  const settings = { releases: NONE, snapshots: "facts", api: { name: "Acme", baseUrl: "https://api.acme.com" } };
  const { directory } = await check(settings);
  const foreign = { REDIS_URL: "redis://a/1", REDIS_PASSWORD: "a", S3_BUCKET: "a", SITE_URL: "https://acme.com" };
  const ofPlatform = { METRICS_PORT: "tcp://10.0.0.1:9464", LOG_LEVEL: "info", LOG_FORMAT: "text", HTTPS_PROXY: "a" };
  const { stderr } = await runInProcess(["check"], directory, { ...foreign, ...ofPlatform });
  expect(stderr).not.toContain("is not read");
});

test("an API of the vendor's own on the same host is another source than this server", async () => {
  const baseUrl = "https://api.acme.com";
  const plans = { from: "json", url: `${baseUrl}/api/billing/plans` };
  const { stderr } = await check({ api: { name: "Acme", baseUrl }, plans });
  expect(stderr).not.toContain("asks this server itself");
});

test("a directory of snapshots that this user may not write or read is a problem", async ({ skip }) => {
  if (process.platform === "win32") skip("Windows has no such permissions");
  if (process.getuid?.() === 0) skip("root may write everywhere");
  const { directory } = await check({});
  const facts = join(directory, "facts");
  await mkdir(facts);
  const checkFacts = () => runInProcess(["check", "--snapshots", "facts"], directory);
  await chmod(facts, 0o555);
  expect(await checkFacts()).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be written (EACCES)") });
  await chmod(facts, 0);
  expect(await checkFacts()).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be read (EACCES)") });
  await chmod(facts, 0o755);
});

test("a stand-in with a slip in its origin is a warning; one of a source or of links is none", async () => {
  const origins = ["https://api.github.com", "https://github.com", "https://dl.example", "https://api.githib.com"];
  const standIns = Object.fromEntries(origins.map((origin) => [origin, "http://127.0.0.1:1"]));
  const { code, stderr } = await check({ releases: GITHUB, standIns });
  expect(code).toBe(0);
  const slip = "! standIns: no source has the origin https://api.githib.com; did you mean https://api.github.com?";
  expect(stderr.match(/.*standIns.*/g)).toEqual([slip]);
  const unasked = await check({ releases: "none", standIns });
  expect(unasked.stderr).toContain("https://dl.example, https://api.githib.com: leave it out");
});

test("check shows each source, and reports combinations that no collection supports", async () => {
  const directory = await settingsDirectory({
    plans: { from: "github", repo: "acme/notes" },
    releases: { from: "sparkle", url: "https://acme.com/appcast.xml?key=xyzzy" },
  });
  const { code, stdout, stderr } = await typeInProcess(["check"], { directory });
  expect(code).toBe(2);
  expect(stdout).toMatch(/plans\.repo +acme\/notes +file/);
  expect(stdout).toMatch(/releases\.url +https:\/\/acme\.com\/… +file/);
  expect(stderr).toMatch(/plans +a source of kind "github" provides releases, not plans/);
  expect(stderr).toMatch(
    /releases +a source of kind "sparkle" provides one platform: use \{ "macos": …, "windows": … \}/,
  );
  expect(stdout + stderr).not.toContain("xyzzy");
});

const source = { from: "json", url: "https://vendor.example/" };
const WELL_KNOWN = DOCUMENTS.filter((target) => target.startsWith("/.well-known/"));

/** The line about the base URL's path, if there is one. */
async function hint(api: object): Promise<string | undefined> {
  const { code, stdout } = await runInProcess(
    ["check"],
    await settingsDirectory({ plans: source, releases: source, api }),
  );
  expect(code).toBe(0);
  return stdout.split("\n").find((line) => line.includes("api.baseUrl has a path"));
}

test("a base URL with a path: every well-known document at the root of its host, and the lines of robots.txt", async () => {
  const api = { baseUrl: "https://www.acme.example/facts/", contact: "api@acme.example" };
  const line = await hint(api);
  expect(line).toContain("at https://www.acme.example: ");
  expect(new Set(line?.match(/\/\.well-known\/[\w./-]+\w/g))).toEqual(new Set(WELL_KNOWN));
  expect(line).toContain("Sitemap: https://www.acme.example/facts/sitemap.xml");
  expect(line).toContain("Agentmap: https://www.acme.example/facts/.well-known/ard.json");
  expect(await hint({ baseUrl: api.baseUrl })).not.toContain("security.txt");
});

test("nothing for a base URL without one", async () => {
  expect(await hint({ baseUrl: "https://facts.acme.example/" })).toBeUndefined();
  expect(await hint({})).toBeUndefined();
});

test("warns of a schema beside the settings that is older than the program, or gone", async () => {
  const directory = await settingsDirectory({ $schema: "./vitrine.schema.json", plans: NONE, releases: GITHUB });
  const warned = async () => (await runInProcess(["check"], directory)).stderr;
  expect(await warned()).toContain("$schema: ./vitrine.schema.json does not exist: your editor needs a copy of /");
  const current = await readFile(SCHEMA, "utf8");
  for (const text of ["{}", current.replace(/(Vitrine )\S+(")/, "$10.9.1$2")]) {
    await writeFile(join(directory, "vitrine.schema.json"), text);
    expect(await warned()).toContain("$schema: ./vitrine.schema.json is older than the program: your editor");
  }
  await writeFile(join(directory, "vitrine.schema.json"), current);
  expect(await warned()).toBe("");
});

test("an editor completes every kind of source, with its description", async () => {
  const { $defs } = JSON.parse(await readFile(SCHEMA, "utf8"));
  const kinds = $defs.source.oneOf.map(({ properties, description }: typeof $defs) => [
    properties.from.const,
    description,
  ]);
  for (const { properties } of [$defs.source, ...(isIn("witnesses") ? [$defs.crossCheck] : [])]) {
    const { enum: names, enumDescriptions } = properties.from;
    expect(names.map((name: string, at: number) => [name, enumDescriptions[at]])).toEqual(kinds);
  }
});

test.runIf(isIn("guard"))("the example of a guard in docs/settings.md is accepted", async () => {
  const text = await readFile(new URL("../../../docs/settings.md", import.meta.url), "utf8");
  const [, example = ""] = /```json\n(.*)\n```/.exec(text) ?? [];
  expect(await check(JSON.parse(example))).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/guard\.off.*host/),
  });
});
