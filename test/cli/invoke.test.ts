// A Node without the security fixes is named at every start, with the releases that have them.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { nodeWarning } from "../../cli/invoke.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { PROGRAM } from "../support/program/program.ts";

test.for([
  "v20.20.2",
  "v20.21.0",
  "v22.22.2",
  "v22.23.3",
  "v24.14.1",
  "v24.21.0",
  "v25.8.2",
  "v26.0.0",
  "v26.10.0",
  "v27.1.0",
])("%s is fixed", (version) => expect(nodeWarning(version)).toBeUndefined());

test.for(["v18.20.8", "v20.19.0", "v20.20.1", "v21.7.3", "v22.22.1", "v23.11.1", "v24.14.0", "v25.8.1"])(
  "%s is not",
  (version) => expect(nodeWarning(version)).toContain(`Node ${version} lacks security fixes`),
);

test("the program prints one line, and runs", async () => {
  const older = 'data:text/javascript,Object.defineProperty(process,"version",{value:"v20.19.0"})';
  const options = { cwd: await temporaryDirectory(), env: { PATH: process.env.PATH }, encoding: "utf8" as const };
  const [old, current] = [["--import", older], []].map((loader) =>
    spawnSync(process.execPath, [...loader, ...PROGRAM, "init"], options),
  );
  expect(old?.stderr).toMatch(/^! Node v20\.19\.0 lacks security fixes: .* \^20\.20\.2 \|\| .*\n$/);
  expect(old?.status).toBe(0);
  // Refuses, because there are settings now.
  expect(current?.stderr).not.toContain("Node");
});
