// The whole program over a store in S3.
import { expect, test } from "vitest";
import { startProgram } from "../../support/program/program.ts";
import { isIn } from "../../support/program/feature.ts";
import { startInProcess, typeInProcess } from "../../support/program/in-process.ts";
import { vitrine } from "../../support/program/run.ts";
import { startVendor } from "../../support/program/settings.ts";
import { NO_ROLE, startRoleService } from "../../support/role-service.ts";
import { startS3Double } from "../../support/s3-double.ts";

test("a collector and a server share a bucket, and name what is wrong with it", async () => {
  const s3 = await startS3Double();
  const { directory } = await startVendor();
  const environment = { ...s3.environment, SNAPSHOTS: "s3://facts/acme" };
  const collect = (other: Record<string, string>) =>
    typeInProcess(["collect"], { directory, environment: { ...environment, ...other } });
  const collected = await collect({});
  expect(collected).toMatchObject({ code: 0, stderr: "" });

  const server = await startInProcess(["serve"], { directory, environment });
  expect((await server.get("/api/v1/plans")).status).toBe(200);
  expect(await server.stop()).toBe(0);

  const refused = await collect({ AWS_SECRET_ACCESS_KEY: "another-secret" });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("(SignatureDoesNotMatch)") as unknown });
  const incomplete = await collect({ AWS_SECRET_ACCESS_KEY: "" });
  expect(incomplete).toMatchObject({ code: 2, stderr: expect.stringContaining("AWS_SECRET_ACCESS_KEY") as unknown });
});

test("a collector and a server with a role need no keys, and print nothing of AWS's SDK", async () => {
  const s3 = await startS3Double();
  const role = await startRoleService(s3);
  const { directory } = await startVendor();
  const environment = { ...role.environments.container, ...s3.address, SNAPSHOTS: "s3://facts/acme" };
  const collected = await vitrine(["collect"], { directory, environment });
  expect(collected).toMatchObject({ code: 0, stderr: "" });
  const server = await startProgram(["serve"], { directory, environment });
  expect((await server.get("/api/v1/plans")).status).toBe(200);
  server.signal("SIGTERM");
  expect([await server.exited, server.errors()]).toEqual([0, ""]);
  expect(role.answers).toBe(2);
  const secrets = s3.keys.flatMap(({ AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token }) => [secret, token]);
  for (const secret of secrets) expect(collected.stdout + server.output()).not.toContain(secret);
});

test("without keys and without a role every command ends with one line", async () => {
  const s3 = await startS3Double();
  const { directory } = await startVendor();
  const environment = { ...NO_ROLE, ...s3.address, SNAPSHOTS: "s3://facts/acme" };
  const run = (command: string, variables = {}) =>
    typeInProcess([command], { directory, environment: { ...environment, ...variables } });
  const line =
    /^[^\n]*S3 has no credentials here [^\n]*: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or [^\n]*\n$/;
  expect(await run("collect")).toMatchObject({ code: 1, stderr: expect.stringMatching(line) as unknown });
  if (isIn("status"))
    expect(await run("status")).toMatchObject({ code: 1, stderr: expect.stringMatching(line) as unknown });
  if (isIn("check")) {
    const checked = await run("check");
    expect(checked).toMatchObject({ code: 2 });
    expect(checked.stderr).toContain("S3 has no credentials here");
  }

  const role = await startRoleService(s3);
  role.fault = "hang";
  const late = /^[^\n]*S3 gets no credentials in time [^\n]*\n$/;
  // The process, whose environment is that of AWS's SDK.
  const variables = { ...environment, ...role.environments.container };
  const hung = await vitrine(["collect"], { directory, environment: variables });
  expect(hung).toMatchObject({ code: 1, stderr: expect.stringMatching(late) as unknown });
});
