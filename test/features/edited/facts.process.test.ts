// `start` and `collect --watch` collect from the vendor's own files after each edit, however it is made, without waiting for the
// schedule. The guard holds what it holds in any run.
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "vitest";
import { isIn } from "../../support/program/feature.ts";
import { launch } from "../../support/program/run.ts";
import { settingsDirectory, UNCHECKED_LINKS } from "../../support/program/settings.ts";
import { pollUntil } from "../../support/serving/server.ts";

const release = (version: string) =>
  `{ "version": "${version}", "downloadURL": "https://dl.acme.invalid/${version}.dmg" }`;
const plans = (price: number) =>
  JSON.stringify({
    currency: "EUR",
    cycles: [],
    plans: [{ id: "pro", popular: true, prices: {}, monthlyPrice: price, annualPrice: 100, creditsMonthly: null }],
  });

/** No slot of this schedule is near: only an edit makes another run. */
const SETTINGS = {
  api: { name: "Acme" },
  ...UNCHECKED_LINKS,
  schedule: "0 0 1 1 *",
  staleAfter: "365d",
  plans: { from: "file", path: "plans.json" },
  releases: { macos: { from: "file", path: "macos.json" }, windows: "none" },
};

describe.concurrent("after an edit", () => {
  test.for([
    ["start", "--port", "0"],
    ["collect", "--watch"],
  ])("%s collects from that file again", async (words, { expect, onTestFinished }) => {
    const directory = await settingsDirectory(SETTINGS, onTestFinished);
    const path = (name: string) => join(directory, name);
    await writeFile(path("plans.json"), plans(10));
    const { output, stop } = launch("vitrine", words, { directory, onFinished: onTestFinished });
    const seen = (pattern: RegExp) =>
      pollUntil(
        async () => output.stdout + output.stderr,
        (text) => pattern.test(text),
      );
    await seen(/plans .*changed/);
    await seen(/macos +failed.*the file does not exist/);
    await writeFile(path("macos.json"), release("1.0"));
    await seen(/macos +1\.0 +changed/);
    await writeFile(path("new.json"), release("1.1"));
    await rename(path("new.json"), path("macos.json"));
    await seen(/macos +1\.1 +changed/);
    await writeFile(path("plans.json"), plans(1000));
    if (isIn("guard")) await seen(/plans +held/);
    await writeFile(path("macos.json"), "{");
    await seen(/macos +failed.*line 1: not valid JSON/);
    await rm(path("plans.json"));
    await seen(/plans +failed.*the file does not exist/);
    expect(output.stdout.match(/plans .*(changed|confirmed)/g)).toHaveLength(isIn("guard") ? 1 : 2);
    expect(await stop("SIGTERM")).toMatchObject({ code: 0 });
  });
});
