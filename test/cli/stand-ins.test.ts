// Stand-ins: servers of the vendor's, or of a test, in place of the upstreams.
import { describe, expect, test } from "vitest";
import { readSnapshot } from "../../snapshots/snapshot.ts";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { runInProcess } from "../support/program/in-process.ts";
import { settingsDirectory } from "../support/program/settings.ts";
import { json, redirect, startUpstream } from "../support/collecting/upstream.ts";
import { vendorPlans } from "../support/collecting/vendor.ts";

describe("a stand-in", () => {
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
    const read = await readSnapshot(openStore(`${directory}/facts`), "plans", Date.now());
    expect(read).toMatchObject({ snapshot: { payload: vendorPlans() } });
    expect(internal.requests[0]?.headers).toHaveProperty("x-api-key");
    expect(acme.requests[0]?.headers).not.toHaveProperty("x-api-key");
  });
});
