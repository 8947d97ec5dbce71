// A vendor's own program: what it gets, what becomes of what it prints, and how it ends when it fails, hangs or floods.
import { chmod, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { collectCommand, PRINT_PLANS, startWitness } from "../../support/collecting/command.ts";
import { isIn } from "../../support/program/feature.ts";
import { typeInProcess } from "../../support/program/in-process.ts";
import { isOffered } from "../../support/program/offered.ts";
import { launch } from "../../support/program/run.ts";
import { settingsDirectory } from "../../support/program/settings.ts";
import { vendorPlans, vendorRelease, vendorReleases } from "../../support/collecting/vendor.ts";

const print = (value: unknown) => `console.log(${JSON.stringify(JSON.stringify(value))});`;
const SECRET = "xyzzy/0123456789+=";
const LEAK = "the answer contains a secret that was sent to the upstream: the value of KEY";

describe("what a program prints is published (collector/features/kinds/command.ts)", () => {
  test("as plans, or as the releases of both platforms", async () => {
    const { macos, windows } = vendorReleases();
    const answer = { ...vendorPlans(), macos, windows };
    const found = await collectCommand(print(answer), { releases: true });
    expect(found.plans).toMatchObject({ result: "changed", payload: vendorPlans() });
    expect(found.macos).toMatchObject({ result: "changed", payload: vendorRelease("macos") });
    expect(found.windows).toMatchObject({ result: "changed", payload: vendorRelease("windows") });
  });

  test("without unlisted fields", async () => {
    const [plan] = vendorPlans().plans;
    const { plans, all } = await collectCommand(
      print({ ...vendorPlans(), margin: "xyzzy", plans: [{ ...plan, internal: { xyzzy: 1 } }] }),
    );
    expect(plans).toMatchObject({ payload: { plans: [plan] }, notes: ["2 unlisted fields dropped"] });
    expect(all).not.toContain("xyzzy");
  });

  test("though a process that it has started prints it after its end", async () => {
    const { plans } = await collectCommand(`import { spawn } from "node:child_process";
      const later = ${JSON.stringify(PRINT_PLANS)};
      spawn(process.execPath, ["--eval", later], { stdio: "inherit" }).once("spawn", () => process.exit());`);
    expect(plans).toMatchObject({ result: "changed", payload: vendorPlans() });
  });

  test.for([
    ["holds its output open", "inherit"],
    ["holds nothing of it", "ignore"],
  ])("though a process that it has left behind %s, which ends, too", async ([, stderr]) => {
    const witness = await startWitness();
    const child = `${witness.connect} console.log(" "); setInterval(() => {}, 1000);`;
    const { plans } = await collectCommand(`import { spawn } from "node:child_process";
      const child = spawn(process.execPath, ["--input-type=module", "--eval", ${JSON.stringify(child)}],
        { stdio: ["ignore", "pipe", "${stderr}"] });
      child.stdout.once("data", () => { ${PRINT_PLANS} process.exit(); });`);
    expect(plans).toMatchObject({ result: "changed", payload: vendorPlans() });
    expect(await witness.ended()).toBe(1);
  });
});

describe("a program gets", () => {
  test("its arguments as they are, without a shell, and the folder of the settings", async () => {
    const words = ["$HOME and $KEY", "*", "; exit 7", "`id`", ""];
    const { plans, lines, directory } = await collectCommand(
      `console.error(JSON.stringify(process.argv.slice(2))); console.error(process.cwd()); ${PRINT_PLANS}`,
      { command: ["node", "source.mjs", ...words], environment: { KEY: "xyzzy" } },
    );
    expect(plans).toMatchObject({ result: "changed" });
    expect(lines).toEqual([`plans: ${JSON.stringify(words)}`, `plans: ${directory}`]);
  });

  test("PATH, with the running Node.js as its end, HOME and the variables that are named, and no other", async () => {
    const { lines } = await collectCommand(
      `for (const key of Object.keys(process.env).sort()) console.error(key, process.env[key]); ${PRINT_PLANS}`,
      {
        env: { PLAIN: "as it is", TOKEN: "$KEY", SCHEME: "Bearer $SHORT" },
        environment: { PATH: "/opt/acme", HOME: "/home/acme", KEY: "-----\nbegin", SHORT: "abc", OTHER: "xyzzy" },
      },
    );
    expect(lines).toEqual([
      "plans: HOME /home/acme",
      `plans: PATH /opt/acme:${dirname(process.execPath)}`,
      "plans: PLAIN as it is",
      "plans: SCHEME Bearer abc",
      "plans: TOKEN -----",
      "plans: begin",
    ]);
  });

  test("a hundred plain lines in the log", async () => {
    const text = `console.error("\\u001b[31mred\\r\\nalert\\u202e " + "x".repeat(300));
      console.error("one\\rtwo\\n\\n  ");
      for (let i = 0; i < 1000; i++) console.error(i);
      ${PRINT_PLANS}`;
    const { lines } = await collectCommand(text);
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toBe("plans: further lines are not shown");
    expect(lines.slice(0, 5)).toEqual([
      "plans:  [31mred",
      `plans: alert  ${"x".repeat(193)}`,
      "plans: one",
      "plans: two",
      "plans: 0",
    ]);
  });
});

describe("a secret that a program was given is not repeated", () => {
  const options = { env: { TOKEN: "Bearer $KEY" }, environment: { KEY: SECRET } };

  test("from stderr, in the log or as the reason of a failure", async () => {
    const text = `const { TOKEN } = process.env;
      console.error("asked with " + TOKEN); console.error(encodeURIComponent(TOKEN));
      console.error(TOKEN.replace(/^.{12}/, "\\u001b[31m$&\\u001b[0m")); console.error("x".repeat(190) + TOKEN);
      process.exit(3);`;
    const { plans, lines, all } = await collectCommand(text, options);
    const hidden = "a line with a secret, which is not shown";
    expect(lines).toEqual([1, 2, 3, 4].map(() => `plans: ${hidden}`));
    expect(plans).toMatchObject({ reason: `the command ended with exit code 3: ${hidden}` });
    expect(all).not.toContain("xyzzy");
  });

  test("from a line of one that has several, such as a key", async () => {
    const KEY = `-----BEGIN KEY-----\n${"xyzzy0123456789".repeat(4)}\n${"9876543210xyzzy".repeat(4)}\n-----END KEY-----\n`;
    const { all } = await collectCommand(`console.error(process.env.TOKEN); process.exit(3);`, {
      env: { TOKEN: "$KEY" },
      environment: { KEY },
    });
    expect(all).not.toContain("xyzzy");
  });

  test("from stdout", async () => {
    const text = `const plans = ${JSON.stringify(vendorPlans())};
      console.log(JSON.stringify({ ...plans, currency: process.env.TOKEN }));`;
    const { plans, all } = await collectCommand(text, options);
    expect(plans).toMatchObject({ reason: LEAK });
    expect(all).not.toContain("xyzzy");
  });
});

describe("a program that fails is reported in one line:", () => {
  test.concurrent.for<[what: string, text: string, reason: string | RegExp, command?: string[]]>([
    [
      "an exit code, with its last words",
      `${PRINT_PLANS} console.error("asking"); console.error("the shop\\u001b is shut"); process.exit(3);`,
      "the command ended with exit code 3: the shop  is shut",
    ],
    ["words without an end", `process.stderr.write("[error] shut"); process.exitCode = 1;`, /code 1: \[error\] shut$/],
    ["no words", `process.exit(4);`, "the command ended with exit code 4"],
    ["an error of Node.js", `${PRINT_PLANS} throw new TypeError("no prices");`, /exit code 1: TypeError: no prices$/],
    [
      "an error of Node.js with a code",
      `import "./nowhere.mjs";`,
      /exit code 1: Error \[ERR_MODULE_NOT_FOUND\]: Cannot find module/,
    ],
    [
      "a signal",
      `process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000);`,
      "the command was ended by SIGTERM",
    ],
    [
      "an error of Node.js with a cause, which Node.js 24 shows without a trace of its own",
      `try { null.shop; } catch (cause) { throw new TypeError("no prices", { cause }); }`,
      /exit code 1: TypeError: no prices \(TypeError: Cannot read properties of null \(reading 'shop'\)\)$/,
    ],
    [
      "an error as Node.js 24 shows those of fetch",
      `console.error("[TypeError: shut] {\\n  [cause]: Error: E1 {\\n  }\\n}"); process.exit(1);`,
      /code 1: TypeError: shut \(Error: E1\)$/,
    ],
    ["a text that is thrown", `throw "shut";`, /exit code 1: shut$/],
    [
      "a child that outlives its group and holds the output",
      `import { spawn } from "node:child_process";
      spawn("sleep", ["9"], { detached: true, stdio: "inherit" }).unref(); process.exit(4);`,
      "the command ended with exit code 4",
    ],
    ["nothing", ``, "the command printed nothing"],
    [
      "a log on stdout",
      `console.log("asking"); ${PRINT_PLANS}`,
      /^not JSON: a command's output \(its log belongs on stderr\), \d+ bytes$/,
    ],
    [
      "no UTF-8",
      `process.stdout.write(Buffer.of(0xff));`,
      /^not text in its character set: a command's output .*, 1 bytes$/,
    ],
    [
      "no end of it",
      `import { writeSync } from "node:fs"; for (;;) try { writeSync(1, "x".repeat(1024)); } catch {}`,
      "the command printed more than 10 MiB",
    ],
    [
      "no end of stderr",
      `import { writeSync } from "node:fs"; for (;;) try { writeSync(2, "x\\n".repeat(1024)); } catch {}`,
      "the command wrote more than 10 MiB to stderr: x",
    ],
    [
      "a program that is not on PATH",
      "",
      "nowhere.mjs is in no folder of PATH: write its full path, or ./nowhere.mjs if it is beside the settings",
      ["nowhere.mjs"],
    ],
    ["one that does not exist", "", "./nowhere.mjs does not exist", ["./nowhere.mjs"]],
    ["a folder", "", "./ is a folder: name the program in it", ["./"]],
    [
      "words in one text",
      "",
      "node source.mjs is no program: write a list with an entry for each word",
      ["node source.mjs"],
    ],
    [
      "one that may not be executed",
      "",
      "./source.mjs may not be executed: allow it, and its folders (chmod +x), or put its interpreter before it",
      ["./source.mjs"],
    ],
    [
      "arguments that the system refuses",
      "",
      "node cannot be started (E2BIG)",
      ["node", "source.mjs", ...Array.from({ length: 999 }, () => "x".repeat(4_096))],
    ],
  ])("%s", async ([, text, reason, command], { expect, onTestFinished: onFinished }) => {
    const { plans, windows } = await collectCommand(text, { onFinished, ...(command && { command }) });
    if (!("reason" in plans)) throw new Error("it did not fail");
    expect(plans.reason).toMatch(reason);
    expect(plans.reason).toMatch(/^[\x20-\x7e]{8,300}$/);
    expect(windows).toMatchObject({ result: "changed" });
  });
});

describe("a program that does not end is ended with all that it has started", () => {
  /** Starts a child, which prints on the same stdout, and waits with it. Neither heeds a polite request. */
  const family = (connect: string) => {
    const member = `for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
      ${connect} console.error("here"); setInterval(() => {}, 1000);`;
    return `import { spawn } from "node:child_process";
      spawn(process.execPath, ["--input-type=module", "--eval", ${JSON.stringify(member)}], { stdio: "inherit" });
      ${member}`;
  };

  test("at its timeout", async () => {
    const witness = await startWitness();
    const { plans, windows } = await collectCommand(PRINT_PLANS + family(witness.connect), { timeout: "3s" });
    expect(plans).toMatchObject({ reason: "the command did not end within 3 s: here" });
    expect(windows).toMatchObject({ result: "changed" });
    expect(await witness.ended()).toBe(2);
  });

  test("in the middle of a line, which may have a part of a secret in it and is left out", async () => {
    const { plans } = await collectCommand(`process.stderr.write("here\\nxyz"); setInterval(() => {}, 1000);`, {
      timeout: "3s",
    });
    expect(plans).toMatchObject({ reason: "the command did not end within 3 s: here" });
  });

  test("with the run", async () => {
    const [witness, stopping] = [await startWitness(), new AbortController()];
    let members = 0;
    const onLine = () => void (++members === 2 && stopping.abort());
    const { plans } = await collectCommand(family(witness.connect), { signal: stopping.signal, onLine });
    expect(plans).toMatchObject({ reason: "the run was stopped before the source answered" });
    expect(await witness.ended()).toBe(2);
  });

  test.for(["SIGTERM", "SIGKILL"] as const)("with the collector, ended by %s", async (signal) => {
    const witness = await startWitness();
    const directory = await settingsDirectory({
      plans: { from: "command", command: ["node", "source.mjs"] },
      releases: { macos: "none", windows: "none" },
    });
    await writeFile(
      join(directory, "source.mjs"),
      family(`${witness.connect}`).replaceAll("console.error", "console.log"),
    );
    const program = launch("vitrine", ["collect", "--watch"], { directory });
    await program.printed(/windows +no release/);
    await witness.begun(2);
    expect((await program.stop(signal)).code).toBe(signal === "SIGTERM" ? 0 : null);
    expect(await witness.ended()).toBe(2);
  });
});

describe("the program", () => {
  const releases = { macos: "none", windows: "none" };
  const source = { from: "command", command: ["node", "source.mjs"] };
  const environment = { PATH: process.env.PATH ?? "" };

  test.runIf(isIn("dry-run"))("shows the lines in its log and in the dry run", async () => {
    const directory = await settingsDirectory({ plans: source, releases });
    const run = (...words: string[]) => typeInProcess(["collect", ...words], { directory, environment });
    await writeFile(join(directory, "source.mjs"), `console.error("hello"); ${PRINT_PLANS}`);
    for (const words of [["--dry-run"], []])
      expect(await run(...words)).toMatchObject({ code: 0, stderr: "  plans: hello\n" });
    await writeFile(join(directory, "source.mjs"), `console.error("shut"); process.exit(3);`);
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 1, stderr: "  plans: shut\n" });
    expect(stdout).toMatch(/plans +failed: the command ended with exit code 3: shut; its last snapshot is kept\n/);
  });

  test.for<[changes: object, problem: RegExp]>([
    [{ env: { TOKEN: "$KEY" } }, /plans {3}the environment variable KEY is not set/],
    [{ env: { TOKEN: "a$KEY" } }, /plans\.env\.TOKEN +use "\$NAME" for an environment/],
    [{ env: { "A B": "x" } }, /plans\.env\.A B +is not a name of a variable/],
    [{ env: { TOKEN: "xyzzy\0" } }, /plans\.env\.TOKEN/],
    [{ command: ["node", "source.mjs", "$KEY"] }, /plans\.command\.2 +is not replaced here: .*"env"/],
    [{ command: [""] }, /plans\.command\.0 +must name a program/],
    [
      { command: "TOKEN=xyzzy node source.mjs" },
      /plans\.command +must be a list(?:, such as \["node", "facts\.mjs"\])?$/m,
    ],
  ])("refuses %j, which cannot work", async ([changes, problem]) => {
    const directory = await settingsDirectory({ plans: { ...source, ...changes }, releases });
    for (const words of ["collect", "check"].filter(isOffered)) {
      const { code, stderr } = await typeInProcess([words], { directory });
      expect([code, stderr]).toEqual([2, expect.stringMatching(problem)]);
      expect(stderr).not.toContain("xyzzy");
    }
  });

  test.runIf(isIn("check"))("checks that a program is there, and runs none", async () => {
    const check = async (command: string[], env = {}) => {
      const directory = await settingsDirectory({ plans: { from: "command", command, env }, releases });
      await writeFile(join(directory, "source.mjs"), "#!/usr/bin/env node\n");
      await writeFile(join(directory, "run.mjs"), `#!/usr/bin/env node\nprocess.exit(3);`);
      await chmod(join(directory, "run.mjs"), 0o755);
      return typeInProcess(["check"], { directory, environment });
    };
    expect(await check(["node", "source.mjs"])).toMatchObject({ code: 0, stderr: "" });
    expect(await check(["./run.mjs"])).toMatchObject({ code: 0, stderr: "" });
    expect(await check(["sh", "-c", '\ncat "${HOME}/facts.json"\n'])).toMatchObject({ code: 0, stderr: "" });
    expect(await check(["run.mjs"], { PATH: "." })).toMatchObject({ code: 0, stderr: "" });
    expect(await check(["node"], { PATH: "." })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("node is in no folder of PATH"),
    });
    expect(await check(["./source.mjs"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("may not be executed"),
    });
  });

  test.runIf(isIn("check"))(
    "shows no argument and no value that may be a secret, and warns of a variable that looks like one",
    async () => {
      const env = { SHOP_TOKEN: "xyzzy", OTHER: "$KEY" };
      const directory = await settingsDirectory({ plans: { ...source, command: ["node", "xyzzy"], env }, releases });
      const { stdout, stderr } = await typeInProcess(["check"], { directory, environment: { KEY: "xyzzy" } });
      expect(stdout).toMatch(/plans\.env +SHOP_TOKEN: \(set, not shown\), OTHER: \$KEY +file/);
      expect(stderr).toContain("plans.env.SHOP_TOKEN looks like a secret: put it into the environment");
      expect(stdout + stderr).not.toContain("xyzzy");
    },
  );
});
