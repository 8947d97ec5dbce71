// The action that publishes facts on Pages and the template that uses it: its steps run as a runner would, one run after
// another, over a double of the code host.
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { cronProblem } from "../../../collector/setting-values.ts";
import { createHandler } from "../../../server/features/edge/handler.ts";
import { body, json, status } from "../../support/collecting/upstream.ts";
import { vendorPlans } from "../../support/collecting/vendor.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { startProgram } from "../../support/program/program.ts";
import { isOk, pollUntil } from "../../support/serving/server.ts";
import { setReleases, startCodeHost } from "./code-host.ts";
import { projectFile } from "../../examples/read.ts";
import { list, readAction, runAction } from "./runner.ts";

const ROOT = join(import.meta.dirname, "../../..");
const TEMPLATE = join(ROOT, "examples/template");
const NAMES = ["plans.json", "release-macos.json", "release-windows.json"];

describe("the files", () => {
  test("the action names those of others by hash with the tag beside it, and gives inputs to a shell as environment", async () => {
    const text = await projectFile("examples/pages/action.yml");
    const uses = text.match(/uses: .*/g) ?? [];
    expect(uses.filter((line) => !/^uses: actions\/[a-z/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    const { runs } = await readAction();
    expect(runs.steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
    expect(runs.steps.filter(({ run, shell }) => (run === undefined) !== (shell === undefined))).toEqual([]);
  });

  test("the template's workflow is short, and may do no more than it needs", async () => {
    const text = await projectFile("examples/template/.github/workflows/facts.yml");
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(21);
    const { name: _, ...workflow } = parse(text);
    expect(workflow).toEqual({
      on: {
        schedule: [{ cron: expect.toSatisfy((cron: string) => cronProblem(cron) === undefined) }],
        push: { branches: ["main"], paths: ["vitrine.config.json", "product/**"] },
        release: { types: ["published"] },
        workflow_dispatch: { inputs: { accept: { description: expect.any(String) } } },
      },
      permissions: { actions: "write", contents: "read", "id-token": "write", issues: "write", pages: "write" },
      concurrency: { group: expect.any(String) },
      jobs: {
        facts: {
          "runs-on": "ubuntu-latest",
          "timeout-minutes": expect.any(Number),
          environment: expect.any(String),
          steps: [
            {
              uses: expect.stringMatching(/^actions\/checkout@[0-9a-f]{40}$/),
              with: { "persist-credentials": false },
            },
            {
              uses: expect.stringMatching(/^\S+\/examples\/pages@v\d+$/),
              with: { accept: "${{ inputs.accept }}" },
            },
          ],
        },
      },
    });
  });

  test("the template begins with the sample's plans, of which the collector warns, and holds facts for 48 hours", async () => {
    expect(await projectFile("examples/template/product/plans.json")).toBe(await projectFile("cli/demo/plans.json"));
    const { staleAfter } = JSON.parse(await projectFile("examples/template/vitrine.config.json"));
    expect(staleAfter).toBe("48h");
    const readme = await projectFile("examples/template/README.md");
    expect(readme.split("\n").length).toBeLessThanOrEqual(61);
  });
});

// The runner of the template is Linux, with bash.
describe.skipIf(process.platform === "win32")("the action", () => {
  test("publishes the template's facts, then a change, and a server and the edge follow them", async () => {
    const { host, run, published } = await startVendor();
    // The vendor has no issues there.
    host.upstream.set("/repos/acme/facts/issues", status(410));
    const first = await run();
    const unwritten = "the issues about the facts are not up to date: the code host answered 410 to GET issues";
    expect(first.log).toContain(`::warning::${unwritten}`);
    expect(first).toMatchObject({ isRed: false, artifact: NAMES });
    expect(first.log).toContain("::notice::first facts");
    expect(first.log).toMatch(/sample facts.* then: run this workflow by hand to collect$/m);
    expect(await published()).toMatchObject({ plans: { revision: 1 }, "release-macos": { revision: 1 } });

    setReleases(host.upstream, "2.0.0", "1.0.0");
    const second = await run();
    expect(second).toMatchObject({ isRed: false, artifact: NAMES });
    expect(second.log).not.toContain("first facts");
    const now = await published();
    expect(now).toMatchObject({ plans: { revision: 1 }, "release-windows": { revision: 2 } });
    expect(now.plans!.confirmedAt).not.toBe(now.plans!.changedAt);
    expect(host.issues).toEqual([]);

    const { get } = await startProgram(["serve", "--snapshots", host.upstream.url("/pages/")], {
      directory: await temporaryDirectory(),
      environment: { VITRINE_CONFIG: join(TEMPLATE, "vitrine.config.json") },
    });
    await pollUntil(() => get("/readyz"), isOk);
    expect((await get("/api/v1/releases/latest?platform=macos")).json()).toMatchObject({
      latest: { version: "2.0.0" },
    });

    const base = "https://facts.acme.example";
    const edge = createHandler({ store: host.upstream.url("/pages/"), base, api: { name: "My product" } });
    const answer = await edge(new Request(`${base}/api/v1/releases/latest?platform=macos`));
    expect(await answer.json()).toMatchObject({ latest: { version: "2.0.0" } });
  });

  test("opens one issue when a source has failed three times, closes it when it is well, and shows no secret", async () => {
    const { host, run, published, directory } = await startVendor(remotePlans);
    // One of a stranger with the same title counts as none.
    const theirs = host.add({ title: "Vitrine cannot collect the plans of vitrine.config.json", user: "stranger" });
    const logs = [(await run()).log];
    const before = await published();
    host.upstream.set("/plans", status(403, {}, "of-billing is wrong"));
    for (const count of [1, 2, 3, 4]) {
      const failed = await run();
      expect(failed, `failure ${count}`).toMatchObject({ isRed: true, artifact: NAMES });
      expect(failed.log).toContain("::error::not everything could be collected (exit code 1)");
      logs.push(failed.log);
      expect(host.issues.length, `failure ${count}`).toBe(count < 3 ? 1 : 2);
    }
    const after = await published();
    expect(after.plans).toEqual(before.plans);
    expect(after["release-macos"]!.confirmedAt).not.toBe(before["release-macos"]!.confirmedAt);
    const [, issue] = host.issues;
    expect(issue).toMatchObject({ state: "open", title: theirs.title });
    expect(issue!.body).toContain("actions/runs/4");
    expect(issue!.body).not.toMatch(/\b403\b/);

    host.upstream.set("/plans", json(vendorPlans()));
    expect(await run()).toMatchObject({ isRed: false });
    expect(issue).toMatchObject({ state: "closed", comments: [expect.stringContaining("actions/runs/6")] });
    expect(theirs).toMatchObject({ state: "open", comments: [] });

    // Three files, and no secret in them or in what was printed.
    expect(await list(join(directory, "site"))).toEqual(NAMES);
    const texts = await Promise.all(NAMES.map((name) => readFile(join(directory, "site", name), "utf8")));
    for (const text of [...texts, ...logs]) {
      expect(text).not.toContain("of-billing");
      expect(text).not.toContain("of-the-run");
    }
  });

  test("tells that a change is held back, also when the cache is gone, and publishes it once a person accepts it", async () => {
    const { host, run, published, loseCache } = await startVendor(remotePlans);
    await run();
    host.upstream.set("/plans", json(plansAt(1_250)));
    setReleases(host.upstream, "2.0.0", "1.0.0");
    await loseCache();
    const held = await run();
    expect(held).toMatchObject({ isRed: false, artifact: NAMES });
    expect(held.log).not.toContain("first facts");
    expect(held.log).toContain("::warning::a change is held back");
    expect(held.log).toMatch(/at once: run this workflow by hand and name it in `accept`$/m);
    expect(await published()).toMatchObject({ plans: { revision: 1 }, "release-macos": { revision: 2 } });
    const [issue] = host.issues;
    const title = "Vitrine holds back a change of the plans of vitrine.config.json";
    expect(issue).toMatchObject({ state: "open", title, body: expect.stringContaining("in `accept`: `plans`") });
    expect(issue!.body).not.toContain("1250");
    await run();
    expect(await run({ inputs: { accept: "plans" } })).toMatchObject({ isRed: false });
    expect(await published()).toMatchObject({ plans: { revision: 2 } });
    expect(host.issues).toEqual([expect.objectContaining({ state: "closed" })]);
  });

  test("opens one issue while the vendor's own page disagrees, and closes it once it is corrected", async () => {
    const { host, run } = await startVendor((settings, origin) => ({
      ...remotePlans(settings, origin),
      crossChecks: [{ facts: ["plans"], page: `${origin}/pricing` }],
    }));
    const showPrices = (factor: number) => {
      const prices = vendorPlans().plans.flatMap(({ prices }) => Object.values(prices));
      const html = prices.map((price) => `<p>€${(price * factor).toFixed(2)}</p>`).join("");
      host.upstream.set("/pricing", status(200, { "content-type": "text/html" }, `<p>Free</p>${html}`));
    };
    showPrices(1.5);
    for (const count of [1, 2]) {
      const disagreeing = await run();
      expect(disagreeing.log, `run ${count}`).toContain("::warning::a cross-check disagrees");
      expect(host.issues).toEqual([
        expect.objectContaining({
          state: "open",
          title: "Vitrine finds a disagreement about the plans of vitrine.config.json",
        }),
      ]);
    }
    showPrices(1);
    await run();
    expect(host.issues).toEqual([expect.objectContaining({ state: "closed" })]);
  });

  test("publishes nothing if it has no cache and cannot read what is published", async () => {
    const { host, run, directory } = await startVendor();
    for (const behaviour of [status(503), body("<!doctype html>")]) {
      host.upstream.set("/pages/plans.json", behaviour);
      const refused = await run();
      expect(refused).toMatchObject({ isRed: true, artifact: [], directory: "" });
      expect(refused.log).toContain("and no snapshot");
    }
    expect(await list(join(directory, "cache"))).toEqual([]);
  });

  test("says which setting Pages needs, before it collects", async () => {
    const { host, run } = await startVendor();
    for (const pages of ["off", "legacy"] as const) {
      host.state.pages = pages;
      const refused = await run();
      expect(refused).toMatchObject({ isRed: true, artifact: [] });
      expect(refused.log).toContain('choose "GitHub Actions" as the source');
    }
    host.state.pages = "forbidden";
    const forbidden = await run();
    expect(forbidden.log).toContain('give the workflow "pages: write"');
    expect(forbidden.log).not.toContain("as the source");
    expect(host.upstream.requests.filter(({ path }) => path.includes("/acme/notes/"))).toEqual([]);
  });

  test("starts itself on the main branch for a release, and does no more", async () => {
    const { host, run, directory } = await startVendor();
    expect(await run({ event: "release" })).toMatchObject({ isRed: false, artifact: [], directory: "" });
    expect(host.dispatches).toEqual([{ workflow: "facts.yml", ref: "main" }]);
    expect(await list(join(directory, "cache"))).toEqual([]);

    host.upstream.set("/repos/acme/facts/actions/workflows/facts.yml/dispatches", status(403));
    const refused = await run({ event: "release" });
    expect(refused.isRed).toBe(true);
    expect(refused.log).toContain('"actions: write"');
  });

  test("leaves the three files in a directory for another host, and asks nothing of Pages", async () => {
    const { host, run, directory } = await startVendor();
    const { isRed, artifact, directory: published } = await run({ inputs: { publish: "directory" } });
    expect({ isRed, artifact }).toEqual({ isRed: false, artifact: [] });
    expect(await list(published)).toEqual(NAMES);
    expect(await list(join(directory, "site"))).toEqual([]);
    expect(host.upstream.requests.filter(({ path }) => path.includes("pages"))).toEqual([]);
    expect(await run({ inputs: { publish: "everywhere" } })).toMatchObject({ isRed: true, directory: "" });
  });

  test("warns that nothing was compared when the cache of a directory is lost, also after a run that failed", async () => {
    const { run, loseCache } = await startVendor(remotePlans);
    const inputs = { publish: "directory" };
    await run({ inputs });
    expect((await run({ inputs })).log).not.toContain("first facts");
    await loseCache();
    for (const environment of [{}, undefined]) {
      expect((await run({ inputs, environment })).log).toContain("::warning::first facts");
    }
  });

  test("opens one issue when nothing could be collected three times, and closes it once it can", async () => {
    const { host, run } = await startVendor(remotePlans);
    await run();
    for (const count of [1, 2, 3, 4]) {
      const failed = await run({ environment: {} });
      expect(failed, `failure ${count}`).toMatchObject({ isRed: true, artifact: [] });
      expect(failed.log).toContain("BILLING_TOKEN");
      expect(host.issues.length, `failure ${count}`).toBe(count < 3 ? 0 : 1);
    }
    const [issue] = host.issues;
    expect(issue).toMatchObject({ state: "open", title: "Vitrine cannot collect the facts of vitrine.config.json" });
    expect(issue!.body).not.toContain("BILLING_TOKEN");
    expect(await run()).toMatchObject({ isRed: false, artifact: NAMES });
    expect(issue).toMatchObject({ state: "closed", comments: [expect.stringContaining("actions/runs/6")] });
    await run({ environment: {} });
    expect(host.issues.length).toBe(1);
  });

  test("publishes nothing with settings that are wrong, and shows what is wrong with them", async () => {
    const { run } = await startVendor((settings) => ({ ...settings, staleAfter: "soon" }));
    const refused = await run();
    expect(refused).toMatchObject({ isRed: true, artifact: [], directory: "" });
    expect(refused.log).toMatch(/::warning::.*staleAfter/);
    expect(refused.log).toContain("::error::not everything could be collected (exit code 2)");
  });
});

type Settings = Record<string, unknown>;

/** Plans of a service that asks for a secret. */
function remotePlans(settings: Settings, origin: string): Settings {
  return {
    ...settings,
    plans: { from: "json", url: `${origin}/plans`, headers: { authorization: "Bearer $BILLING_TOKEN" } },
  };
}

function plansAt(price: number) {
  const { plans, ...rest } = vendorPlans();
  return {
    ...rest,
    plans: plans.map((plan) => ({ ...plan, monthlyPrice: price, prices: { ...plan.prices, monthly: price } })),
  };
}

/** A vendor who has copied the template, with another change of its settings. */
async function startVendor(change: (settings: Settings, origin: string) => Settings = (settings) => settings) {
  const directory = await temporaryDirectory();
  const workspace = join(directory, "workspace");
  await cp(TEMPLATE, workspace, { recursive: true });
  const host = await startCodeHost(join(directory, "site"));
  const { origin } = host.upstream;
  host.upstream.set("/plans", (request, response) => {
    const isKnown = request.headers.authorization === "Bearer of-billing";
    (isKnown ? json(vendorPlans()) : status(401))(request, response);
  });
  setReleases(host.upstream, "1.0.0");
  const file = join(workspace, "vitrine.config.json");
  const template = JSON.parse((await readFile(file, "utf8")).replace("OWNER/REPO", "acme/notes"));
  const settings = { ...template, standIns: { "https://api.github.com": origin, "https://github.com": origin } };
  await writeFile(file, JSON.stringify(change(settings, origin)));
  let runs = 0;
  const run = ({
    event = "schedule",
    inputs,
    environment = { BILLING_TOKEN: "of-billing" },
  }: {
    event?: string;
    inputs?: { accept?: string; publish?: string };
    environment?: Record<string, string> | undefined;
  } = {}) => runAction({ workspace, host: directory, api: origin }, { id: ++runs, event, inputs, environment });
  /** The snapshots on Pages, by name. */
  async function published(): Promise<Record<string, { revision: number; confirmedAt: string; changedAt: string }>> {
    const files = await list(join(directory, "site"));
    const texts = await Promise.all(files.map((name) => readFile(join(directory, "site", name), "utf8")));
    return Object.fromEntries(texts.map((text) => JSON.parse(text)).map((snapshot) => [snapshot.name, snapshot]));
  }
  const loseCache = () => rm(join(directory, "cache"), { recursive: true });
  return { host, run, published, loseCache, directory };
}
