// The contract of a store, held by S3, and its clock, by which a wrong one of this computer is found.
import { describe, expect, test } from "vitest";
import { isIn } from "../../support/program/feature.ts";
import { typeInProcess } from "../../support/program/in-process.ts";
import { startVendor } from "../../support/program/settings.ts";
import { startS3Double } from "../../support/s3-double.ts";
import { opener, promisesOfAStore } from "../../support/store-contract.ts";

const MINUTE = 60_000;

describe.for([
  ["S3", false],
  ["S3 as R2 offers it", true],
] as const)("the store in %s (snapshots/features/s3/s3-store.ts)", ([, isQuoted]) => {
  promisesOfAStore(async () => {
    const s3 = await startS3Double({ pageSize: 10, isQuoted });
    const another = opener(() => s3.open());
    return { store: another(), another, hasHints: false };
  });
});

test.for([0, 10 * MINUTE, -10 * MINUTE])("S3 that is %i ms ahead tells its clock with each answer", async (ahead) => {
  const s3 = await startS3Double();
  s3.ahead = ahead;
  const store = s3.open();
  expect(await store.ahead?.()).toBeUndefined();
  await store.get("plans.json");
  expect(Math.abs(((await store.ahead?.()) ?? Number.NaN) + ahead)).toBeLessThan(5_000);
});

test.runIf(isIn("check"))("check refuses a clock that differs from the store's, and collect warns of it", async () => {
  const s3 = await startS3Double();
  const { directory } = await startVendor();
  const environment = { ...s3.environment, SNAPSHOTS: "s3://facts/acme" };
  expect((await typeInProcess(["check"], { directory, environment })).code).toBe(0);
  s3.ahead = -10 * MINUTE;
  const warning = "the clock of this computer is 10 min ahead of that of the store: set it by NTP";
  const check = await typeInProcess(["check"], { directory, environment });
  expect(check.code).toBe(2);
  expect(check.stderr).toContain(`snapshots   ${warning}`);
  const collect = await typeInProcess(["collect"], { directory, environment });
  expect(collect.code).toBe(0);
  expect(collect.stderr).toContain(`! ${warning}`);
});
