// Failures of a vendor's module result in one line in our words, whether the module throws, hangs, loops, exits or posts
// messages that it should not.
import { describe, expect, test } from "vitest";
import { collectModule, GOOD } from "../../support/collecting/module.ts";

describe("a failing module is reported in one line of our words:", () => {
  const thrown = "export default () => {\n  throw new TypeError('xyzzy');\n};";
  test.concurrent.for<[what: string, text: string, reason: string | RegExp]>([
    ["it throws", thrown, "the module threw (TypeError, line 2)"],
    [
      "it throws later",
      `export default async () => { await null; throw new Error("xyzzy"); }`,
      /^the module threw \(Error/,
    ],
    ["it throws no error", `export default () => { throw { message: "xyzzy" }; }`, "the module threw (another value)"],
    ["it rejects with nothing", `export default () => Promise.reject();`, "the module threw (another value)"],
    [
      "its error has a custom name",
      `export default () => { throw Object.assign(new Error(""), { name: "xyzzy", code: "xyzzy", stack: "xyzzy" }); }`,
      "the module threw (Error)",
    ],
    [
      "its error throws when inspected",
      `export default () => { throw Object.defineProperty(new Error(), "stack", { get() { throw "xyzzy"; } }); }`,
      "the module threw where nothing could catch it",
    ],
    [
      "an unhandled rejection",
      `export default () => { Promise.reject(new Error("xyzzy")); return new Promise(() => {}); }`,
      "the module threw where nothing could catch it",
    ],
    [
      "a timer that throws",
      `export default () => new Promise(() => setTimeout(() => { throw new Error("xyzzy"); }));`,
      "the module threw where nothing could catch it",
    ],
    ["it exits", `export default () => process.exit(0);`, "the module ended its thread without an answer"],
    ["it does not load", `throw new RangeError("xyzzy");`, /^the module cannot be loaded \(RangeError/],
    ["it is not JavaScript", `export default xyzzy xyzzy`, /^the module cannot be loaded \((Syntax)?Error\)$/],
    ["it imports a missing file", `import "./xyzzy.mjs";`, /^an import of the module was not found \(use full names/],
    [
      "it is TypeScript on a Node.js without support for it",
      `throw Object.assign(new TypeError("xyzzy"), { code: "ERR_UNKNOWN_FILE_EXTENSION" });`,
      `the module is TypeScript, which needs Node 22.18 or later, and this is ${process.versions.node}: use .mjs`,
    ],
    [
      "it has TypeScript syntax other than types",
      `throw Object.assign(new SyntaxError("xyzzy"), { code: "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX" });`,
      /^the module has TypeScript syntax that Node does not support, such as an enum$/,
    ],
    [
      "its error has an unrelated code",
      `throw Object.assign(new Error("xyzzy"), { code: "constructor" });`,
      /^the module cannot be loaded \(Error/,
    ],
    ["it exports nothing", `export const xyzzy = 1;`, "the module has no function as its default export"],
    ["it exports a value", `export default ${GOOD};`, "the module has no function as its default export"],
    [
      "its answer is circular",
      `const a = {}; a.a = a; export default () => a;`,
      /^the module's answer cannot be written as JSON \(Type/,
    ],
    [
      "its answer has a BigInt",
      `export default () => ({ plans: 1n });`,
      /^the module's answer cannot be written as JSON \(Type/,
    ],
    [
      "its answer has a getter that throws",
      `export default () => ({ get plans() { throw new Error("xyzzy"); } });`,
      /^the module's answer cannot be written as JSON \(Error/,
    ],
    ["it returns nothing", `export default () => {};`, 'the module\'s answer has no "plans"'],
    ["it returns null", `export default () => null;`, 'the module\'s answer has no "plans"'],
    ["it returns a string", `export default () => "xyzzy";`, 'the module\'s answer has no "plans"'],
    [
      "its answer has another shape",
      `export default () => ({ plans: { xyzzy: "xyzzy" } });`,
      /^currency: .*; cycles: /,
    ],
    ["its answer is too large", `export default () => ({ plans: "x".repeat(17 * 1024 * 1024) });`, "more than 10 MiB"],
    [
      "it posts invalid messages",
      `import { parentPort } from "node:worker_threads";
       for (const odd of [null, 1, {}, { kind: "answer" }, { kind: "failed", stage: "xyzzy" }]) parentPort.postMessage(odd);
       export default () => { throw new TypeError("xyzzy"); };`,
      /^the module threw \(TypeError/,
    ],
  ])("%s", async ([, text, reason], { expect, onTestFinished: onFinished }) => {
    const { plans, all } = await collectModule(text, { onFinished });
    if (!("reason" in plans)) throw new Error("it did not fail");
    expect(plans.reason).toMatch(reason);
    expect(plans.reason).toMatch(/^[\x20-\x7e]{8,200}$/);
    expect(all).not.toContain("xyzzy");
  });

  test("an error in TypeScript is reported with its line in the source", async () => {
    const text =
      "interface Wide {\n  a: string;\n}\n\nexport default (wide: Wide) => {\n  throw new Error(wide.a);\n};";
    expect((await collectModule(text, { name: "my-source.ts" })).plans).toMatchObject({
      reason: "the module threw (Error, line 6)",
    });
  });

  test("it uses too much memory", async () => {
    const { plans } = await collectModule(
      `export default () => { for (const all = []; ; ) all.push(Array(1e6).fill(0.5)); }`,
    );
    expect(plans).toMatchObject({ reason: "the module used more than 256 MiB of memory" });
  });
});

describe("a module that does not end is terminated", () => {
  test.concurrent.for([
    ["waits forever", `export default () => new Promise(() => setInterval(() => {}, 1000));`],
    ["loads forever", `setInterval(() => {}, 1000); await new Promise(() => {}); export default () => {};`],
    ["loops", `export default () => { for (;;); };`],
    ["logs endlessly", `export default async ({ log }) => { for (;;) { log("."); await null; } };`],
  ])("at its timeout, if it %s", async ([, text = ""], { expect, onTestFinished: onFinished }) => {
    const { plans, windows } = await collectModule(text, { timeout: "1s", onFinished });
    expect(plans).toMatchObject({ reason: "the module did not answer within 1 s" });
    expect(windows).toMatchObject({ result: "changed" });
  });

  test("with the run, after its signal is aborted", async () => {
    const stopping = new AbortController();
    const collected: ReturnType<typeof collectModule>[] = [];
    const text = `export default ({ signal, log }) => new Promise(() => {
      const timer = setInterval(() => {}, 1000);
      signal.addEventListener("abort", () => log("tidied up"));
      log("ready");
    });`;
    const tidied = new Promise<void>((resolve) => {
      const onLine = (line: string) => (line.endsWith("ready") ? stopping.abort() : resolve());
      void collected.push(collectModule(text, { signal: stopping.signal, onLine }));
    });
    expect((await collected[0])?.plans).toMatchObject({ reason: "the run was stopped before the source answered" });
    await tidied;
  });
});
