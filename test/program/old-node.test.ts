// On a Node that Vitrine does not support, every command is one line and exit code 1, never a stack: from source and as built.
import { describe, expect, test } from "vitest";
import { ENGINES } from "../../cli/package-files.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { oldNode } from "../support/find-node.ts";
import { startProcess } from "../support/program/process.ts";
import { PROGRAM, SOURCE } from "../support/program/program.ts";

const old = oldNode();

/** This Node, with the version of another. */
const pretending = (version: string) => {
  const versions = `{ ...process.versions, node: ${JSON.stringify(version)} }`;
  const script = `Object.defineProperty(process, "versions", { value: ${versions} })`;
  return [process.execPath, "--import", `data:text/javascript,${encodeURIComponent(script)}`];
};

async function refusal(command: readonly string[]) {
  const environment = { PATH: process.env.PATH, NO_COLOR: "1" };
  return startProcess(command, { directory: await temporaryDirectory(), environment }).ended;
}

const oneLine = (version: string) => ({
  code: 1,
  stdout: "",
  stderr: `✖ Vitrine needs Node ${ENGINES}: others lack features or security fixes. This is ${version}\n`,
});

describe.for([
  ["from source", SOURCE],
  ["as built", PROGRAM],
] as const)("%s", ([, program]) => {
  test.for([
    ["20.19.5", "serve"],
    ["25.8.2", "mcp"],
    ["22.0.0", "--version"],
  ] as const)("Node %s refuses %s", async ([version, word]) => {
    expect(await refusal([...pretending(version), ...program, word])).toEqual(oneLine(version));
  });

  test.skipIf(old === undefined)("a real Node 18.20 refuses each command", async () => {
    for (const word of ["start", "collect"])
      expect(await refusal([old ?? "", ...program, word]), word).toEqual(oneLine("18.20.8"));
  });
});
