// What goes wrong in a vendor's own source is one line of ours and nothing else, whether it throws, hangs, turns in circles,
// leaves, or says what it should not.
import { describe, expect, test } from "vitest";
import { collectModule, GOOD } from "../../support/collecting/module.ts";

describe("a module that goes wrong fails with one line of ours:", () => {
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
      "its error has a name of its own",
      `export default () => { throw Object.assign(new Error(""), { name: "xyzzy", code: "xyzzy", stack: "xyzzy" }); }`,
      "the module threw (Error)",
    ],
    [
      "its error cannot even be looked at",
      `export default () => { throw Object.defineProperty(new Error(), "stack", { get() { throw "xyzzy"; } }); }`,
      "the module threw where nothing could catch it",
    ],
    [
      "a rejection that nobody handles",
      `export default () => { Promise.reject(new Error("xyzzy")); return new Promise(() => {}); }`,
      "the module threw where nothing could catch it",
    ],
    [
      "a timer that throws",
      `export default () => new Promise(() => setTimeout(() => { throw new Error("xyzzy"); }));`,
      "the module threw where nothing could catch it",
    ],
    ["it leaves", `export default () => process.exit(0);`, "the module ended its thread without an answer"],
    ["it does not load", `throw new RangeError("xyzzy");`, /^the module cannot be loaded \(RangeError/],
    ["it is no JavaScript", `export default xyzzy xyzzy`, /^the module cannot be loaded \((Syntax)?Error\)$/],
    ["it imports nothing", `import "./xyzzy.mjs";`, /^an import of the module was not found \(use full names/],
    [
      "it is TypeScript to a Node that runs none",
      `throw Object.assign(new TypeError("xyzzy"), { code: "ERR_UNKNOWN_FILE_EXTENSION" });`,
      `the module is TypeScript, which needs Node 22.18 or later, and this is ${process.versions.node}: use .mjs`,
    ],
    [
      "it is TypeScript that is more than JavaScript with types",
      `throw Object.assign(new SyntaxError("xyzzy"), { code: "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX" });`,
      /^the module has TypeScript syntax that Node does not support, such as an enum$/,
    ],
    [
      "its error has the code of another trade",
      `throw Object.assign(new Error("xyzzy"), { code: "constructor" });`,
      /^the module cannot be loaded \(Error/,
    ],
    ["it exports nothing", `export const xyzzy = 1;`, "the module has no function as its default export"],
    ["it exports a value", `export default ${GOOD};`, "the module has no function as its default export"],
    [
      "a circle",
      `const a = {}; a.a = a; export default () => a;`,
      /^the module's answer cannot be written as JSON \(Type/,
    ],
    [
      "a number too big",
      `export default () => ({ plans: 1n });`,
      /^the module's answer cannot be written as JSON \(Type/,
    ],
    [
      "a field that bites",
      `export default () => ({ get plans() { throw new Error("xyzzy"); } });`,
      /^the module's answer cannot be written as JSON \(Error/,
    ],
    ["nothing", `export default () => {};`, 'the module\'s answer has no "plans"'],
    ["null", `export default () => null;`, 'the module\'s answer has no "plans"'],
    ["a text", `export default () => "xyzzy";`, 'the module\'s answer has no "plans"'],
    ["an answer of another kind", `export default () => ({ plans: { xyzzy: "xyzzy" } });`, /^currency: .*; cycles: /],
    ["an answer without end", `export default () => ({ plans: "x".repeat(17 * 1024 * 1024) });`, "more than 10 MiB"],
    [
      "nonsense in place of messages",
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

  test("TypeScript that throws is told by the line of its source", async () => {
    const text =
      "interface Wide {\n  a: string;\n}\n\nexport default (wide: Wide) => {\n  throw new Error(wide.a);\n};";
    expect((await collectModule(text, { name: "my-source.ts" })).plans).toMatchObject({
      reason: "the module threw (Error, line 6)",
    });
  });

  test("it eats memory", async () => {
    const { plans } = await collectModule(
      `export default () => { for (const all = []; ; ) all.push(Array(1e6).fill(0.5)); }`,
    );
    expect(plans).toMatchObject({ reason: "the module used more than 256 MiB of memory" });
  });
});

describe("a module that does not come to an end is ended", () => {
  test.concurrent.for([
    ["waits for ever", `export default () => new Promise(() => setInterval(() => {}, 1000));`],
    ["loads for ever", `setInterval(() => {}, 1000); await new Promise(() => {}); export default () => {};`],
    ["turns in circles", `export default () => { for (;;); };`],
    ["logs without end", `export default async ({ log }) => { for (;;) { log("."); await null; } };`],
  ])("when its time is over, though it %s", async ([, text = ""], { expect, onTestFinished: onFinished }) => {
    const { plans, windows } = await collectModule(text, { timeout: "1s", onFinished });
    expect(plans).toMatchObject({ reason: "the module did not answer within 1 s" });
    expect(windows).toMatchObject({ result: "changed" });
  });

  test("with the run, and hears of it by its signal", async () => {
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
