// A reader with nothing but the domain, the key and docs/verify.md: each of its programs is run against the real program, and again
// after a lie.
import { execFile, execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { generateKey, signingKey } from "../../../snapshots/features/signatures/proof.ts";
import { json, startUpstream } from "../../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../../support/collecting/vendor.ts";
import { isIn } from "../../support/program/feature.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { freePort } from "../../support/port.ts";
import { startInProcess, typeInProcess } from "../../support/program/in-process.ts";
import { pollUntil } from "../../support/serving/server.ts";
import { settingsDirectory } from "../../support/program/settings.ts";

const ROOT = join(import.meta.dirname, "../../..");
const DOCUMENT = await readFile(join(ROOT, "docs/verify.md"), "utf8");
const SHOWN = {
  base: "https://facts.example.com",
  key: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  day: "2026-11-22",
};

/** The document's programs in one language. */
const programs = (language: string) =>
  [...DOCUMENT.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)\n\`\`\`$`, "gms"))].map(([, code = ""]) => code);

interface Ended {
  code: number;
  output: string;
}

async function run(command: string, words: readonly string[], directory = ROOT): Promise<Ended> {
  const options = { cwd: directory, env: { ...process.env, GOFLAGS: "-mod=mod" } };
  return promisify(execFile)(command, words, options).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code, output: `${stdout}${stderr}` }),
  );
}

/** The first of these commands for which the check succeeds. */
const able = (commands: readonly string[], check: readonly string[]) =>
  commands.find((command) => {
    try {
      return execFileSync(command, check, { stdio: "ignore" }) === null;
    } catch {
      return false;
    }
  });
const PYTHON = able(["python3", "/usr/bin/python3"], ["-c", "import jwt, cryptography"]);
const GO = await goModule();

/** A folder with golang-jwt, if Go is here and can get it. */
async function goModule(): Promise<string | undefined> {
  if (!able(["go"], ["version"])) return undefined;
  const directory = await temporaryDirectory(afterAll);
  await writeFile(join(directory, "go.mod"), "module verify\n\ngo 1.18\n");
  const got = await run("go", ["get", "github.com/golang-jwt/jwt/v5@v5.2.1"], directory);
  return got.code === 0 ? directory : undefined;
}

/** A vendor that signs, with a price that has changed once. Each was confirmed again in a later second, because tokens have no parts. */
async function startSigning() {
  const upstream = await startUpstream({ onFinished: afterAll });
  upstream.set("/plans", json(vendorPlans()));
  upstream.set("/releases", json(vendorReleases()));
  const from = (path: string) => ({ from: "json", url: upstream.url(path) });
  const base = `http://127.0.0.1:${await freePort()}`;
  const { key } = generateKey();
  const unguarded = isIn("guard") ? { guard: false } : {};
  const signed = { api: { baseUrl: base }, signing: { key: "$SIGNING_KEY" }, ...unguarded };
  const sources = { plans: from("/plans"), releases: from("/releases") };
  const directory = await settingsDirectory({ product: "acme-notes", ...sources, ...signed }, afterAll);
  const environment = { SIGNING_KEY: key, PORT: new URL(base).port };
  const program = await startInProcess(["start"], { directory, environment, onFinished: afterAll });
  const collect = async () =>
    expect(await typeInProcess(["collect"], { directory, environment })).toMatchObject({ code: 0 });
  const confirm = async () => {
    const second = Math.floor(Date.now() / 1000);
    await pollUntil(
      async () => Math.floor(Date.now() / 1000),
      (now) => now > second,
    );
    await collect();
  };
  await confirm();
  const plans = vendorPlans();
  plans.plans[1]!.prices.monthly = 13;
  upstream.set("/plans", json(plans));
  await collect();
  await confirm();
  const look = async () => (await program.get("/history/plans")).json() as { revisions?: Revision[] };
  const { revisions = [] } = await pollUntil(look, ({ revisions: [present] = [] as Revision[] }) => {
    if (!isIn("history")) return true;
    return present?.rev === 2 && present.confirmedAt.slice(0, 19) > present.changedAt.slice(0, 19);
  });
  await pollUntil(
    () => program.get("/api/v1/plans"),
    ({ text }) => text.includes('"monthly":13'),
  );
  const [present = "", past = ""] = revisions.map(({ confirmedAt }) => `${confirmedAt.slice(0, 19)}Z`);
  const publicKey = signingKey(key, "SIGNING_KEY").publicKey;
  const filledIn = (code: string, changes: Partial<typeof SHOWN> = {}) => {
    const { base: at, key: by, day } = { base, key: publicKey, day: past, ...changes };
    return code.replaceAll(SHOWN.base, at).replaceAll(SHOWN.key, by).replaceAll(SHOWN.day, day);
  };
  return { ...program, base, publicKey, filledIn, present, changedAt: revisions[0]?.changedAt };
}

interface Revision {
  rev: number;
  changedAt: string;
  confirmedAt: string;
}

const vendor = await startSigning();
const LANGUAGES: [language: string, isHere: boolean, run: (code: string) => Promise<Ended>][] = [
  ["js", true, (code) => run(process.execPath, ["--input-type=module", "-e", code])],
  ["python", PYTHON !== undefined, (code) => run(PYTHON ?? "", ["-c", code])],
  ["go", GO !== undefined, runGo],
];

async function runGo(code: string): Promise<Ended> {
  const folder = join(GO ?? "", "program");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "main.go"), code);
  return run("go", ["run", "./program"], GO);
}

test.for(LANGUAGES)(
  "the program in %s proves the plans, and finds what is not proven",
  { timeout: 120_000 },
  async ([language, isHere, start], { skip }) => {
    skip(!isHere, "its library is not installed, and cannot be");
    const [code = ""] = programs(language);
    const proven = await start(vendor.filledIn(code));
    expect(proven).toEqual({ code: 0, output: expect.stringMatching(/^revision 2 is proven/) });
    const other = signingKey(generateKey().key, "").publicKey;
    expect((await start(vendor.filledIn(code, { key: other }))).code).not.toBe(0);
    const otherPlans = vendor.filledIn(code).replaceAll("/api/v1/plans", "/api/v1/releases/latest");
    expect((await start(otherPlans)).code).not.toBe(0);
  },
);

test.runIf(isIn("history"))(
  "the program for a price of last month proves that of its day, and of no other",
  async () => {
    const [, code = ""] = programs("js");
    const [start] = [LANGUAGES[0]![2]];
    const then = await start(vendor.filledIn(code));
    expect(then).toEqual({ code: 0, output: expect.stringMatching(/^proven: .*"monthly":12\.5/) });
    const now = await start(vendor.filledIn(code, { day: vendor.present }));
    expect(now.output).toMatch(/^proven: .*"monthly":13\b/);
    const last = new Date(Date.parse(vendor.changedAt ?? "") - 1).toISOString();
    expect((await start(vendor.filledIn(code, { day: last }))).output).toContain("not proven for that day");
    expect((await start(vendor.filledIn(code, { day: "2026-01-01" }))).code).not.toBe(0);
  },
);

test("the command verifies a server that signs", async () => {
  const directory = await temporaryDirectory();
  const { code, stdout } = await typeInProcess(["verify", vendor.base, "--key", vendor.publicKey], { directory });
  expect(code, stdout).toBe(0);
  expect(stdout).toMatch(/✔ plans +proven by .* revision 2/);
  expect((await typeInProcess(["verify", vendor.base], { directory })).code).toBe(0);
});
