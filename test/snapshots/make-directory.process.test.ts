// Where the directory of a store is made, and where it cannot be.
import { mkdir, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { vitrine } from "../support/program/run.ts";
import { settingsDirectory } from "../support/program/settings.ts";

const SOURCE = { from: "file", path: "facts.json" };

describe("a directory (snapshots/stores/files/file-system.ts)", () => {
  test.for(["/proc/vitrine/data", "/proc/self/vitrine/data"])(
    "collecting into %s fails at once instead of for ever",
    async (snapshots, { skip }) => {
      if (!existsSync("/proc/self")) skip("this system has no /proc");
      const directory = await settingsDirectory({ plans: SOURCE, releases: SOURCE, snapshots });
      const { code, stderr } = await vitrine(["collect"], { directory });
      expect(code).toBe(1);
      expect(stderr).toContain(`collecting into ${snapshots} failed: the directory could not be written (ENOENT)`);
    },
  );

  test("directories are made at every depth, by several processes at once, and beside those that exist", async () => {
    const directory = await temporaryDirectory();
    await mkdir(join(directory, "a"));
    const stores = Array.from({ length: 5 }, () => openStore(join(directory, "a/b/c/d")));
    await Promise.all(stores.map((store, index) => store.put(`plans.p${"x".repeat(index)}.json`, Buffer.from("{}"))));
    expect(await openStore(join(directory, "a/b/c/d")).get("plans.p.json")).toHaveProperty("version");
  });

  test("a file in the way is an error that names it as one", async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "file"), "");
    const put = (path: string) => openStore(join(directory, path)).put("plans.json", Buffer.from("{}"));
    await expect(put("file")).rejects.toThrow("ENOTDIR");
    await expect(put("file/below")).rejects.toThrow("ENOTDIR");
  });
});
