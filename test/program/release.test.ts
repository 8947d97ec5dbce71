// A release is one tag: what follows from the address of the repository, what refuses a tag, and the workflows that publish.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { generated } from "../../cli/build/generate.ts";
import { releaseNotes } from "../../cli/build/release.ts";
import { registryEntry, ofTemplate, withAddresses, withLinks, type Manifest } from "../../cli/build/repository.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { ROOT } from "../support/imports.ts";

const read = (path: string) => readFile(join(ROOT, path), "utf8");
const manifest = JSON.parse(await read("package.json")) as Manifest;
const owned: Manifest = { ...manifest, repository: "github:acme/Vitrine" };
const changelog = await read("CHANGELOG.md");

interface Step {
  uses?: string;
  with?: Record<string, unknown>;
  run?: string;
  env?: Record<string, string>;
  if?: string;
}

interface Workflow {
  on: unknown;
  jobs: Record<string, { permissions?: object; needs?: string | string[]; steps: Step[] }>;
}

const FOLDER = ".github/workflows";
const workflows = await Promise.all(
  (await readdir(join(ROOT, FOLDER))).map(async (name) => {
    const text = await read(join(FOLDER, name));
    const { on, jobs } = parse(text) as Workflow;
    return { name, text, on, jobs };
  }),
);

test("every generated file is up to date (npm run generate)", () => {
  const present = (path: string) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : "");
  const files = Object.entries(generated(present));
  expect(files.length).toBeGreaterThan(4);
  for (const [path, text] of files) expect(text, path).toBe(present(path));
});

test("while the repository has no owner, nothing leads nowhere", () => {
  const unowned = { ...manifest, repository: "github:OWNER/vitrine" };
  const addresses = JSON.parse(withAddresses(JSON.stringify(unowned)));
  expect(addresses).toMatchObject({ mcpName: "io.github.OWNER/vitrine" });
  expect(addresses).not.toHaveProperty("homepage");
  expect(addresses).not.toHaveProperty("bugs");
  expect(JSON.parse(registryEntry(unowned))).not.toHaveProperty("repository");
  expect(
    withLinks("MIT<!-- links: npm run generate --> · [old](https://old.example)<!-- /links -->\n", unowned),
  ).not.toContain("http");
});

test("package.json, the entry for the registry, links and the template follow from the repository", () => {
  const addresses = JSON.parse(withAddresses(JSON.stringify({ ...owned, homepage: "https://old.example" })));
  expect(addresses).toMatchObject({
    homepage: "https://github.com/acme/Vitrine#readme",
    bugs: "https://github.com/acme/Vitrine/issues",
    mcpName: "io.github.acme/Vitrine",
  });
  const entry = JSON.parse(registryEntry(owned));
  expect(entry).toMatchObject({
    name: addresses.mcpName,
    version: owned.version,
    packages: [{ version: owned.version }],
  });
  expect(entry.repository.url).toBe("https://github.com/acme/Vitrine");
  expect(entry.description.length).toBeLessThanOrEqual(100);
  const links = withLinks("MIT<!-- links: npm run generate --><!-- /links -->\n", owned);
  expect(links).toContain("https://ghcr.io/acme/vitrine");
  const run = withLinks("<!-- run: npm run generate --><!-- /run -->You need Node.\n", owned);
  expect(run).toContain("`docker run --publish 3000:3000 ghcr.io/acme/vitrine start --demo`");
  const action = ofTemplate("      - uses: OWNER/vitrine/examples/pages@v0\n", { ...owned, version: "2.3.4" });
  expect(action).toBe("      - uses: acme/Vitrine/examples/pages@v2\n");
  const text = (path: string, tag: string) =>
    `\`npm install github:${path}#${tag}\`, [sources](https://github.com/${path}/blob/main/SOURCES.md)`;
  const unknown = ofTemplate(`${action}\n`, { ...owned, repository: "github:OWNER/vitrine" });
  expect(unknown).toMatch(
    / uses: OWNER\/vitrine\/examples\/pages@v\d # instead of OWNER: the account on GitHub with Vitrine\n/,
  );
  expect(ofTemplate(unknown, { ...owned, version: "2.3.4" })).toBe(`${action}\n`);
  expect(ofTemplate(text("OWNER/vitrine", "v0"), { ...owned, version: "2.3.4" })).toBe(text("acme/Vitrine", "v2"));
});

test("another way to write the repository is refused by name", () => {
  const written = JSON.stringify({ ...manifest, repository: "https://github.com/acme/vitrine" });
  expect(() => withAddresses(written)).toThrow('"repository" in package.json is https://github.com/acme/vitrine');
});

test("a tag of another version, a repository without an owner and a missing section are refused together", () => {
  expect(() =>
    releaseNotes({ ...manifest, version: "9.9.9", repository: "github:OWNER/vitrine" }, changelog, "v9.9.8"),
  ).toThrow(/v9\.9\.8 is not v9\.9\.9[^]*names OWNER[^]*no section "## \[9\.9\.9\]/);
});

test("the text of a release is its section of the changelog, and no other", () => {
  const text = "# Changelog\n\n## [1.0.1] - 2026-12-01\n\n- Later.\n\n## [1.0.0] - 2026-11-30\n\n- First.\n";
  expect(releaseNotes({ ...owned, version: "1.0.1" }, text, "v1.0.1")).toBe("- Later.");
  expect(releaseNotes({ ...owned, version: "1.0.0" }, text)).toBe("- First.");
  expect(releaseNotes(manifest, changelog)).toContain("###");
});

test("every action of others is pinned by its hash, and only a job that pushes keeps the credentials of its checkout", async () => {
  const examples = ["examples/pages/action.yml", "examples/template/.github/workflows/facts.yml"];
  const texts = [...workflows.map(({ text }) => text), ...(await Promise.all(examples.map(read)))];
  const uses = texts.flatMap((text) => text.match(/\buses: .*/g) ?? []);
  expect(uses.length).toBeGreaterThan(20);
  // Vitrine's own action has no hash before its release; the template follows its major version.
  expect(uses.filter((one) => !/^uses: [\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*$/.test(one))).toEqual([
    expect.stringMatching(/^uses: \S+\/examples\/pages@v\d+(?: # instead of OWNER: .*)?$/),
  ]);
  const jobs = texts.flatMap((text) => Object.values((parse(text) as Partial<Workflow>).jobs ?? {}));
  const keeping = jobs.filter(({ steps }) =>
    steps.some((step) => step.uses?.startsWith("actions/checkout@") && step.with?.["persist-credentials"] !== false),
  );
  expect(keeping.map(({ steps }) => steps.at(-1)?.run)).toEqual([expect.stringContaining("git push")]);
});

test("workflows keep values out of scripts and name no registry of packages", () => {
  expect(workflows.length).toBeGreaterThan(1);
  for (const { name, text, jobs } of workflows) {
    for (const { run = "" } of Object.values(jobs).flatMap(({ steps }) => steps))
      expect(run, name).not.toContain("${{");
    expect(text, name).not.toMatch(/npmjs|registry-url|NPM_TOKEN|NODE_AUTH_TOKEN/);
  }
});

test("a release is published only from a tag, after all checks, by jobs that alone have the permission", () => {
  const jobs = workflows.find(({ name }) => name === "release.yml")?.jobs ?? {};
  const all = jobs.check?.steps.find(({ run }) => run === "bash .ci/run");
  expect(all?.if).toBe("github.event_name != 'push' || github.ref_type == 'tag'");
  for (const job of ["package", "image"]) expect([jobs[job]?.needs].flat()).toContain("check");
  expect(jobs.package?.permissions).toEqual({ contents: "read", "id-token": "write" });
  expect(jobs.check?.permissions).toBeUndefined();
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const uploads = steps.filter(
    ({ uses = "", run = "" }) => /login-action|attest/.test(uses) || /gh release|npm publish/.test(run),
  );
  expect(uploads.map((upload) => upload.if)).toEqual(Array(4).fill("github.ref_type == 'tag'"));
  const push = steps.find(({ uses = "" }) => uses.startsWith("docker/build-push-action"))?.with?.push;
  expect(push).toBe("${{ github.ref_type == 'tag' }}");
});

test("the fast checks run before all others, which run at night, too", () => {
  const byName = Object.fromEntries(workflows.map(({ name, jobs, on }) => [name, { jobs, on }]));
  const { "release.yml": release, "test.yml": tests } = byName;
  expect(release?.on).toHaveProperty("schedule");
  expect(release?.jobs.check?.needs).toBe("fast");
  expect(tests?.jobs.test?.needs).toBe("fast");
  expect(release?.jobs.fast).toEqual(tests?.jobs.fast);
});

test("the package is published only if its version is not public yet", async ({ skip }) => {
  if (process.platform === "win32") skip("the runner of the workflow is Linux");
  const steps = workflows.find(({ name }) => name === "release.yml")?.jobs.package?.steps ?? [];
  const script = steps.find(({ run = "" }) => run.includes("npm publish"))?.run ?? "";
  const programs = await temporaryDirectory();
  const name = `vitrine@${manifest.version}`;
  for (const [view, expected] of [
    [`echo ${manifest.version}`, [`view ${name} version`]],
    ["true", [`view ${name} version`, "publish ./package --access public --provenance"]],
    ["exit 1", [`view ${name} version`, "publish ./package --access public --provenance"]],
  ] as const) {
    const calls = join(programs, "calls");
    await writeFile(calls, "");
    const npm = `#!/bin/sh\necho "$@" >>${calls}\n[ "$1" != view ] || ${view}\n`;
    await writeFile(join(programs, "npm"), npm, { mode: 0o755 });
    const PATH = `${programs}:${process.env.PATH}`;
    execFileSync("bash", ["-e", "-c", script], { cwd: ROOT, env: { ...process.env, PATH } });
    expect((await readFile(calls, "utf8")).trim().split("\n"), view).toEqual(expected);
  }
});
