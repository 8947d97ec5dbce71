// `check --page`: what a vendor sees before anyone else does.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { json, status } from "../../support/collecting/upstream.ts";
import { vendorPlans } from "../../support/collecting/vendor.ts";
import { runInProcess, typeInProcess } from "../../support/program/in-process.ts";
import { startVendor } from "../../support/program/settings.ts";

const preview = (directory: string, file = "page.html") => runInProcess(["check", "--page", file], directory);

describe("the page before it is published (cli/features/preview/preview.ts)", () => {
  test("has what the sources have now, and the facts in the store stay", async () => {
    const { upstream, directory, facts } = await startVendor();
    await runInProcess(["collect"], directory);
    const before = await readFile(join(facts, "plans.json"), "utf8");
    const dearer = vendorPlans();
    Object.assign(dearer.plans[1] ?? {}, { prices: { monthly: 99, yearly: 990 }, monthlyPrice: 99, annualPrice: 990 });
    upstream.set("/plans", json(dearer));
    const { code, stdout } = await preview(directory);
    expect(code).toBe(0);
    expect(stdout).toContain("page.html written: the page as it would be; nothing is published");
    const page = await readFile(join(directory, "page.html"), "utf8");
    expect(page).toContain("€99");
    expect(page).toContain("3.1.0");
    expect(await readFile(join(facts, "plans.json"), "utf8")).toBe(before);
  });

  test("shows a source that fails as unavailable, never what is published, and says so by its exit code", async () => {
    const { upstream, directory } = await startVendor();
    await runInProcess(["collect"], directory);
    upstream.set("/plans", status(404));
    const { code, stdout } = await preview(directory);
    expect(code).toBe(1);
    expect(stdout).toContain("plans     failed: answered 404");
    const page = await readFile(join(directory, "page.html"), "utf8");
    expect(page).toContain("Currently unavailable: Plans.");
    expect(page).not.toContain("€12.50");
  });

  test("is what --html means", async () => {
    const { directory } = await startVendor();
    const { code, stderr } = await typeInProcess(["check", "--html", "page.html"], { directory });
    expect([code, stderr]).toEqual([2, expect.stringContaining('unknown option "--html"; did you mean --page?')]);
  });

  test("makes no store, and names a file that cannot be written", async () => {
    const { directory, facts } = await startVendor();
    await expect(preview(directory, "missing/page.html")).rejects.toThrow(
      "missing/page.html cannot be written (ENOENT)",
    );
    expect(existsSync(facts)).toBe(false);
    expect(await readdir(directory)).toEqual(["vitrine.config.json"]);
  });
});
