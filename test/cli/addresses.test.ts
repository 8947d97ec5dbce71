// `check` explains where a proxy must put the well-known documents of a base URL with a path.
import { expect, test } from "vitest";
import { runInProcess } from "../support/program/in-process.ts";
import { settingsDirectory } from "../support/program/settings.ts";
import { DOCUMENTS } from "../support/serving/prepared-targets.ts";

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

test("a base URL with a path: every well-known document at the root of its host, and the sitemap", async () => {
  const api = { baseUrl: "https://www.acme.example/facts/", contact: "api@acme.example" };
  const line = await hint(api);
  expect(line).toContain("at https://www.acme.example: ");
  expect(line?.match(/\/\.well-known\/[\w./-]+\w/g)?.toSorted()).toEqual(WELL_KNOWN.toSorted());
  expect(line).toContain("Sitemap: https://www.acme.example/facts/sitemap.xml");
  expect(await hint({ baseUrl: api.baseUrl })).not.toContain("security.txt");
});

test("nothing for a base URL without one", async () => {
  expect(await hint({ baseUrl: "https://facts.acme.example/" })).toBeUndefined();
  expect(await hint({})).toBeUndefined();
});
