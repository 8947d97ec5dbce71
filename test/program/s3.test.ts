// The whole program over a store in S3, with secrets that no output may contain.
import { expect, test } from "vitest";
import { startProgram } from "../support/program/program.ts";
import { vitrine } from "../support/program/run.ts";
import { startVendor } from "../support/program/settings.ts";
import { KEYS, startS3Double } from "../support/s3-double.ts";

const WRONG_SECRET = "another-secret";

test("a collector and a server share a bucket, name what is wrong with it, and show no secret", async () => {
  const s3 = await startS3Double();
  const { directory } = await startVendor();
  const environment = { ...s3.environment, SNAPSHOTS: "s3://facts/acme" };
  const collect = (other: Record<string, string>) =>
    vitrine(["collect"], { directory, environment: { ...environment, ...other } });
  const collected = await collect({});
  expect(collected).toMatchObject({ code: 0, stderr: "" });

  const server = await startProgram(["serve"], { directory, environment });
  expect((await server.get("/api/v1/plans")).status).toBe(200);
  server.signal("SIGTERM");
  expect(await server.exited).toBe(0);

  const refused = await collect({ AWS_SECRET_ACCESS_KEY: WRONG_SECRET });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("(SignatureDoesNotMatch)") as unknown });
  const incomplete = await collect({ AWS_SECRET_ACCESS_KEY: "" });
  expect(incomplete).toMatchObject({ code: 2, stderr: expect.stringContaining("AWS_SECRET_ACCESS_KEY") as unknown });
  const outputs = [collected, refused, incomplete].map(({ stdout, stderr }) => stdout + stderr);
  for (const output of [...outputs, server.output(), server.errors()]) {
    for (const secret of [...Object.values(KEYS), WRONG_SECRET]) expect(output).not.toContain(secret);
  }
});
