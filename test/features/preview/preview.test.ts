// `check --page`: what a vendor sees before anyone else does.
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { json, status } from "../../support/collecting/upstream.ts";
import { vendorPlans } from "../../support/collecting/vendor.ts";
import { isIn } from "../../support/program/feature.ts";
import { runInProcess, typeInProcess } from "../../support/program/in-process.ts";
import { startVendor } from "../../support/program/settings.ts";

const preview = (directory: string, file = "page.html", ...more: string[]) =>
  runInProcess(["check", "--page", file, ...more], directory);

describe.runIf(isIn("check"))("the page before it is published (cli/features/preview/preview.ts)", () => {
  test("has what the sources have now, and the facts in the store stay", async () => {
    const { upstream, directory, facts } = await startVendor();
    await runInProcess(["collect"], directory);
    const before = await readFile(join(facts, "plans.json"), "utf8");
    const dearer = vendorPlans();
    Object.assign(dearer.plans[1] ?? {}, { prices: { monthly: 15, yearly: 150 }, monthlyPrice: 15, annualPrice: 150 });
    upstream.set("/plans", json(dearer));
    const { code, stdout } = await preview(directory);
    expect(code).toBe(0);
    expect(stdout).toContain("page.html written: the page as it would be; nothing is published");
    const page = await readFile(join(directory, "page.html"), "utf8");
    expect(page).toContain("€15");
    expect(page).toContain("3.1.0");
    expect(await readFile(join(facts, "plans.json"), "utf8")).toBe(before);
  });

  test("has the published fact of a source that fails, and says so by its exit code", async () => {
    const { upstream, directory } = await startVendor();
    await runInProcess(["collect"], directory);
    upstream.set("/plans", status(404));
    const { code, stdout } = await preview(directory);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✖ plans +failed: answered 404/);
    expect(await readFile(join(directory, "page.html"), "utf8")).toContain("€12.50");
  });

  test("shows a source that fails as unavailable if nothing of it is published", async () => {
    const { upstream, directory } = await startVendor();
    upstream.set("/plans", status(404));
    expect((await preview(directory)).code).toBe(1);
    expect(await readFile(join(directory, "page.html"), "utf8")).toContain("Currently unavailable: Plans.");
  });

  test.runIf(isIn("guard"))("has a candidate that a run would hold back, which is said", async () => {
    const { upstream, directory } = await startVendor();
    await runInProcess(["collect"], directory);
    const cheaper = vendorPlans();
    Object.assign(cheaper.plans[1] ?? {}, { prices: { monthly: 1, yearly: 10 }, monthlyPrice: 1, annualPrice: 10 });
    upstream.set("/plans", json(cheaper));
    const { code, stdout } = await preview(directory);
    expect(code).toBe(4);
    expect(stdout).toMatch(/! plans +would be held/);
    expect(await readFile(join(directory, "page.html"), "utf8")).toContain("€1<");
    const { findings, page } = JSON.parse((await preview(directory, "page.html", "--json")).stdout) as {
      findings: { name: string; result: string }[];
      page: string;
    };
    expect([findings[0], page]).toMatchObject([{ name: "plans", result: "held" }, "page.html"]);
  });

  test("takes the place of no other file", async () => {
    const { directory } = await startVendor();
    const before = await readFile(join(directory, "vitrine.config.json"), "utf8");
    await expect(preview(directory, "-")).rejects.toThrow("--page - is no file: name one");
    await expect(preview(directory, "vitrine.config.json")).rejects.toThrow(
      "vitrine.config.json is there, and was not written by this command: name another file",
    );
    await writeFile(join(directory, "index.html"), "<!doctype html><title>Ours</title>");
    await expect(preview(directory, "index.html")).rejects.toThrow("was not written by this command");
    expect(await readFile(join(directory, "vitrine.config.json"), "utf8")).toBe(before);
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
