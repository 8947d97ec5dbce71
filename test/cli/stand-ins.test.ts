// Stand-ins: servers of the vendor's, or of a test, in place of the upstreams, also of a private repository, whose token can read what no
// reader can.
import { describe, expect, test } from "vitest";
import { readSnapshot } from "../../snapshots/facts.ts";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { isIn } from "../support/program/feature.ts";
import { runInProcess } from "../support/program/in-process.ts";
import { settingsDirectory } from "../support/program/settings.ts";
import { json, redirect, startUpstream } from "../support/collecting/upstream.ts";
import { vendorPlans } from "../support/collecting/vendor.ts";
import { factsIn } from "../support/snapshot.ts";

describe("a stand-in (collector/http/fetch.ts)", () => {
  test("replaces the upstream everywhere, also after a redirect", async () => {
    const [internal, acme] = [await startUpstream(), await startUpstream()];
    internal.set("/plans", redirect("https://acme.com/moved?to=here"));
    acme.set("/moved?to=here", json(vendorPlans()));
    const headers = { "x-api-key": "$PRODUCT_KEY" };
    const directory = await settingsDirectory({
      plans: { from: "json", url: "https://internal.acme.com/plans", headers },
      releases: "none",
      standIns: { "https://internal.acme.com": internal.origin, "https://acme.com": acme.origin },
    });
    const environment = { PRODUCT_KEY: "product-key-0123456789" };
    expect(await runInProcess(["collect"], directory, environment)).toMatchObject({ code: 0, stderr: "" });
    const read = await readSnapshot(factsIn(openStore(`${directory}/facts`)), "plans");
    expect(read).toMatchObject({ snapshot: { payload: vendorPlans() } });
    expect(internal.requests[0]?.headers).toHaveProperty("x-api-key");
    expect(acme.requests[0]?.headers).not.toHaveProperty("x-api-key");
  });
});

const FOLDER = "/acme/notes/releases/download/v2.0.0";
const FILES = ["Notes-2.0.0.dmg", "Notes-2.0.0.exe"];

function privateRelease(): object {
  const assets = FILES.map((name) => ({
    name,
    state: "uploaded",
    size: 9,
    created_at: "2026-11-05T10:00:00Z",
    browser_download_url: `https://github.com${FOLDER}/${name}`,
  }));
  const more = { draft: false, prerelease: false, published_at: "2026-11-05T10:00:00Z", body: "* a" };
  return { tag_name: "v2.0.0", ...more, assets };
}

async function startVendor() {
  const upstream = await startUpstream();
  upstream.set("/plans", json(vendorPlans()));
  upstream.set("/repos/acme/notes/releases", json([privateRelease()]));
  upstream.set("/repos/acme/notes/releases/latest", json(privateRelease()));
  const settings = {
    plans: { from: "json", url: upstream.url("/plans") },
    releases: { from: "github", repo: "acme/notes", api: upstream.origin, token: "$TOKEN" },
    standIns: { "https://github.com": upstream.origin },
  };
  const directory = await settingsDirectory(settings);
  return { upstream, vitrine: (...words: string[]) => runInProcess(words, directory, { TOKEN: "ghp_secret" }) };
}

test.runIf(isIn("link-check"))(
  "the next run, the dry run and status name the link and what to do, and nothing is published",
  async () => {
    const { upstream, vitrine } = await startVendor();
    const reason = (name: string) =>
      `the link is not public: github.com, ${name}: answered 404 without credentials; make it public (files of a private repository are not)`;
    if (isIn("dry-run")) {
      const dry = await vitrine("collect", "--dry-run", "--json");
      expect(dry.code).toBe(1);
      expect(dry.stdout).toContain(reason("Notes-2.0.0.dmg"));
    }
    const run = await vitrine("collect", "--now", "macos");
    expect(run.code).toBe(1);
    expect(run.stdout).toContain(reason("Notes-2.0.0.dmg"));
    expect(run.stdout).toContain(reason("Notes-2.0.0.exe"));
    if (isIn("status")) {
      const shown = await vitrine("status");
      expect(shown.code).toBe(3);
      expect(shown.stdout).toMatch(
        /macos +missing[^]*the link is not public: github\.com[^]*its link has not been public for /,
      );
    }
    const asked = upstream.requests.filter(({ path }) => path.startsWith(FOLDER));
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(Array.from({ length: isIn("dry-run") ? 4 : 2 }));
  },
);
