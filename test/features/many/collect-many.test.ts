// `vitrine collect DIR...`: many vendors are one client to each upstream, and leave each other alone.
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { isIn } from "../../support/program/feature.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { launchInProcess, typeInProcess } from "../../support/program/in-process.ts";
import { json, startUpstream, status, type Behaviour, type Upstream } from "../../support/collecting/upstream.ts";
import { vendorPlans } from "../../support/collecting/vendor.ts";
import { isOffered } from "../../support/program/offered.ts";

/** A directory with a folder for each name, whose plans come from this address. */
async function vendors(names: readonly string[], urlOf: (name: string) => string, more: object = {}) {
  const directory = await temporaryDirectory();
  for (const name of names) {
    await mkdir(join(directory, name));
    await settle(join(directory, name), { plans: { from: "json", url: urlOf(name), timeout: "20s" }, ...more });
  }
  const collect = (folders = names, environment = {}) =>
    typeInProcess(["collect", ...folders], { directory, environment });
  const published = async (name: string) => {
    const files: string[] = await readdir(join(directory, name, "snapshots/data")).catch(() => []);
    return files.includes("plans.json");
  };
  const state = async (name: string) =>
    JSON.parse(await readFile(join(directory, name, "snapshots/data/waits.json"), "utf8").catch(() => "{}")) as unknown;
  return { directory, collect, published, state };
}

/** Writes the settings of a vendor that has no releases. */
function settle(folder: string, settings: object | string): Promise<void> {
  const all = { api: { name: "Acme" }, releases: "none", ...(typeof settings === "object" && settings) };
  return writeFile(join(folder, "vitrine.config.json"), typeof settings === "string" ? settings : JSON.stringify(all));
}

/** In ms, for a busy computer. */
const SLOW = { timeout: 90_000 };

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `v${String(index).padStart(2, "0")}`);

/** Only the date passes, not the timers. */
function travel() {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  return (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);
}

/** Permits so many requests until it is given more, and asks for a pause otherwise. */
function limited(upstream: Upstream, pauseSeconds: number) {
  const seen = { left: 0, answered: 0, refused: 0 };
  const answer: Behaviour = (request, response) => {
    if (seen.left-- > 0) {
      seen.answered++;
      return json(vendorPlans())(request, response);
    }
    seen.refused++;
    return status(429, { "retry-after": String(pauseSeconds) })(request, response);
  };
  upstream.set("/plans", answer);
  return seen;
}

describe("one upstream of many vendors (collector/features/many/upstreams.ts)", () => {
  test("is left alone while it says so, and each vendor has its turn", SLOW, async () => {
    const pass = travel();
    const upstream = await startUpstream();
    const names = numbered(8);
    const { collect, published, state } = await vendors(names, () => upstream.url("/plans"));
    const seen = limited(upstream, 3_600);
    const servedAfter: number[] = [];
    for (let hour = 1; hour <= 3; hour++) {
      seen.left = 3;
      const { stdout } = await collect();
      // On a busy computer, one more may be on its way.
      expect(seen.refused).toBeLessThan(hour + 2);
      const served = await Promise.all(names.map(published));
      servedAfter.push(served.filter(Boolean).length);
      expect(stdout).toMatch(new RegExp(`  waiting for 127\\.0\\.0\\.1:${upstream.port} until .* UTC: .*v`));
      const asked = upstream.requests.length;
      pass(900);
      const { code, stdout: meanwhile } = await collect();
      expect([upstream.requests.length, code]).toEqual([asked, 1]);
      expect(meanwhile).toContain("8 vendors: 8 waiting");
      pass(2_702);
    }
    expect(servedAfter).toEqual([3, 6, 8]);
    seen.left = 100;
    expect(await collect()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ {2}8 vendors: 8 confirmed, in/),
    });
    expect(await Promise.all(names.map(state))).toEqual(names.map(() => ({})));
  });

  test("has asked for a pause in a folder, which holds for others in a later process", async () => {
    const pass = travel();
    const upstream = await startUpstream();
    const seen = limited(upstream, 600);
    const { collect } = await vendors(["first", "second"], () => upstream.url("/plans"));
    await collect(["first"]);
    expect((await collect(["second", "first"])).stdout).toMatch(
      /: 2 waiting, in .*\n {2}waiting for 127.*: second, first\n/,
    );
    pass(602);
    seen.left = 2;
    expect((await collect(["second", "first"])).stdout).toMatch(/: 2 changed, in/);
    expect(seen.refused).toBe(1);
  });

  test("whose pause ends during a run is asked by no vendor before those that have waited longer", async () => {
    const pass = travel();
    const upstream = await startUpstream();
    const { collect, published } = await vendors(["a", "b", "c"], () => upstream.url("/plans"));
    let count = 0;
    upstream.set("/plans", (request, response) => {
      count++;
      if (count !== 2) return json(vendorPlans())(request, response);
      response.on("finish", () => setTimeout(pass, 20, 63));
      status(429, { "retry-after": "60" })(request, response);
    });
    expect((await collect()).stdout).toContain("3 vendors: 1 changed, 2 waiting");
    expect(count).toBe(2);
    expect((await collect()).stdout).toContain("3 vendors: 2 changed, 1 confirmed");
    expect(await Promise.all(["a", "b", "c"].map(published))).toEqual([true, true, true]);
  });

  test("is waited for if its pause is short", async () => {
    const upstream = await startUpstream();
    const { collect } = await vendors(["first", "second"], () => upstream.url("/plans"));
    const seen = limited(upstream, 1);
    setTimeout(() => (seen.left = 2), 500);
    expect(await collect()).toMatchObject({ code: 0, stdout: expect.stringContaining("2 vendors: 2 changed") });
    expect(seen.refused).toBeLessThan(3);
  });

  test("is asked once if it is away and names a time", async () => {
    const upstream = await startUpstream();
    upstream.set("/plans", status(503, { "retry-after": "100" }));
    const { collect } = await vendors(["a", "b", "c"], () => upstream.url("/plans"));
    expect((await collect()).stdout).toContain("3 vendors: 3 waiting");
    expect(upstream.requests).toHaveLength(1);
  });

  test.for([{}, { "retry-after": "0" }, { "retry-after": "Mon, 01 Jan 2024 00:00:00 GMT" }])(
    "is asked once if it names no time that is to come: %o",
    async (headers) => {
      const upstream = await startUpstream();
      upstream.set("/plans", status(429, headers));
      const { collect } = await vendors(["a", "b", "c"], () => upstream.url("/plans"));
      expect((await collect()).stdout).toContain("3 vendors: 3 waiting");
      expect(upstream.requests).toHaveLength(1);
    },
  );

  test("is no other upstream: those of others are asked", async () => {
    const [upstream, other] = [await startUpstream(), await startUpstream()];
    limited(upstream, 600);
    other.set("/plans", json(vendorPlans()));
    const { collect } = await vendors(["a", "b", "c"], (name) => (name === "b" ? other : upstream).url("/plans"));
    expect((await collect()).stdout).toContain("3 vendors: 1 changed, 2 waiting");
  });

  test.runIf(isIn("upstream-state"))("lets no vendor go first for its wait for another one", async () => {
    const pass = travel();
    const [limitedOne, closed] = [await startUpstream(), await startUpstream()];
    const seen = limited(limitedOne, 60);
    closed.set("/releases", status(429, { "retry-after": "86400" }));
    const names = numbered(4);
    const { collect, directory, published } = await vendors(names, () => limitedOne.url("/plans"));
    const plans = { from: "json", url: limitedOne.url("/plans") };
    for (const name of names.slice(0, 2))
      await settle(join(directory, name), { plans, releases: { from: "json", url: closed.url("/releases") } });
    for (let minute = 0; minute < 2; minute++) {
      seen.left = 2;
      await collect();
      pass(63);
    }
    expect(await Promise.all(names.map(published))).toEqual([true, true, true, true]);
  });
});

describe("each vendor (cli/features/many/collect-many.ts)", () => {
  test("leaves the others alone, whatever is wrong in its folder", async () => {
    const upstream = await startUpstream();
    upstream.set("/plans", json(vendorPlans()));
    const names = ["good", "broken", "hush", "gone", "hangs", "empty", "fine"];
    const { directory, collect, published } = await vendors(names, (name) =>
      upstream.url(name === "gone" ? "/gone" : "/plans"),
    );
    await settle(join(directory, "broken"), { planz: "none" });
    await settle(join(directory, "hush"), '{"api": {"name": "hush-hush');
    const plans = { from: "command", command: [process.execPath, "-e", "setInterval(() => {}, 1000)"], timeout: "1s" };
    await settle(join(directory, "hangs"), { plans });
    const { code, stdout, stderr } = await collect([...names, "missing/"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^gone: {3}✖ plans +failed: answered 404: nothing is at this address; there is no snapshot of it yet$/m,
    );
    expect(stdout).toMatch(/^hangs: {3}✖ plans +failed: /m);
    expect(stdout).toMatch(/^ {2}8 vendors: 3 changed, 5 failed, in \d+ s\.$/m);
    const wrong = isIn("check") ? 'planz +unknown setting; did you mean "plans"\\?$' : "plans +must";
    expect(stderr).toMatch(new RegExp(`^broken: ✖ vitrine\\.config\\.json: ${wrong}`, "m"));
    expect(stderr).toMatch(/^missing: ✖ .*there is no such file in /m);
    expect(stderr).toMatch(/^hush: ✖ /m);
    expect(stdout + stderr).not.toContain("hush-hush");
    expect(await Promise.all(["good", "empty", "fine"].map(published))).toEqual([true, true, true]);
  });

  test("that is a link in a circle fails alone, though it comes first", async () => {
    const upstream = await startUpstream();
    upstream.set("/plans", json(vendorPlans()));
    const { directory, collect } = await vendors(["acme"], () => upstream.url("/plans"));
    await symlink("circle", join(directory, "circle"));
    const { stdout, stderr } = await collect(["circle", "acme"]);
    expect(stdout).toContain("2 vendors: 1 changed, 1 failed");
    expect(stderr).toMatch(/^circle: ✖ .*ELOOP/m);
  });

  test("with the snapshots of another one fails, before it takes their place", async () => {
    const upstream = await startUpstream();
    upstream.set("/plans", json(vendorPlans()));
    const { directory, collect } = await vendors(["acme", "other"], () => upstream.url("/plans"));
    await settle(join(directory, "other"), {
      plans: { from: "json", url: upstream.url("/plans") },
      snapshots: "../acme/snapshots/data",
    });
    const { stdout, stderr } = await collect(["acme", "other"]);
    expect(stdout).toContain("2 vendors: 1 changed, 1 failed");
    expect(stderr).toMatch(/^other: ✖ .*snapshots +is the place of those of acme: give each folder its own/m);
  });

  test("is collected once, by the first of its names", async () => {
    const upstream = await startUpstream();
    upstream.set("/plans", json(vendorPlans()));
    const { directory, collect } = await vendors(["acme"], () => upstream.url("/plans"));
    await symlink("acme", join(directory, "www.acme"));
    expect((await collect(["acme", "www.acme/", "./acme"])).stdout).toMatch(/^acme: [^]*^ {2}1 vendors: 1 changed/m);
    expect(upstream.requests).toHaveLength(1);
  });

  test.runIf(isIn("guard"))(
    "that is as before has no line of its own, and a held fact has the command that publishes it",
    async () => {
      const upstream = await startUpstream();
      upstream.set("/plans", json(vendorPlans()));
      const { collect } = await vendors(["a", "b"], () => upstream.url("/plans"));
      await collect();
      expect(await collect()).toMatchObject({
        stdout: expect.stringMatching(/^ {2}2 vendors: 2 confirmed, in \d s\.\n$/),
      });
      upstream.set("/plans", json({ ...vendorPlans(), currency: "CHF" }));
      const { code, stdout } = await collect();
      expect(code).toBe(4);
      const command =
        /^b: .* held: .*: (?:npm run|vitrine) collect (?:-- )?(--accept plans --config b\/vitrine\.config\.json)$/m.exec(
          stdout,
        );
      expect(command?.[1], stdout).toBeDefined();
    },
  );

  test.for(["SNAPSHOTS", "BASE_URL", "LAST_COPY", "VITRINE_CONFIG"])(
    "takes nothing from %s, which is refused",
    async (name) => {
      const { collect, published } = await vendors(["a", "b"], () => "http://127.0.0.1:9/plans");
      const { code, stderr } = await collect(["a", "b"], { [name]: "https://acme.example" });
      expect([code, await published("a")]).toEqual([2, false]);
      expect(stderr).toContain(`${name} would be that of all folders`);
      expect(stderr).not.toContain("acme.example");
    },
  );

  const OPTIONS = ["--accept=all", "--now=plans", "--dry-run", "--watch", "--snapshots=x", "--config=x"];
  test.for([...OPTIONS, "--stale-after=1h"].filter((option) => isOffered(`collect ${option}`)))(
    "cannot be combined with %s",
    async (option) => {
      const { directory } = await vendors(["a"], () => "http://127.0.0.1:9/plans");
      const { code, stderr } = await typeInProcess(["collect", "a", option], { directory });
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`${option.split("=")[0]} cannot be combined with folders`),
      ]);
    },
  );

  test("takes several names of an option in one word", async () => {
    const { directory } = await vendors([], () => "http://127.0.0.1:9/plans");
    const { code, stderr } = await typeInProcess(["collect", "--accept", "plans", "macos"], { directory });
    expect([code, stderr]).toEqual([2, expect.stringContaining("one word, as in --accept plans,macos")]);
  });

  test("is left out after a stop, and one under way ends", async () => {
    const upstream = await startUpstream();
    upstream.set("/plans", () => {});
    const names = numbered(12);
    const { directory } = await vendors(names, () => upstream.url("/plans"));
    const program = launchInProcess(["collect", ...names], { directory });
    await upstream.requested(3);
    const { code, stdout } = await program.stop();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^v00: {3}✖ plans +failed: the run was stopped/m);
    expect(stdout).toMatch(/12 vendors: 8 failed, 4 skipped/);
  });

  test("is left out while another process collects in its folder", async () => {
    const upstream = await startUpstream();
    const answers: (() => void)[] = [];
    upstream.set("/plans", (...exchange) => void answers.push(() => json(vendorPlans())(...exchange)));
    const { directory, collect } = await vendors(["a"], () => upstream.url("/plans"));
    const other = launchInProcess(["collect"], { directory: join(directory, "a") });
    await upstream.requested(1);
    const { code, stdout } = await collect();
    for (const answer of answers) answer();
    expect([code, stdout, await other.exited]).toEqual([75, expect.stringContaining("1 vendors: 1 skipped"), 0]);
  });
});
