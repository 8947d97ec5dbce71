// No command, log line, answer, error or process title shows the user name or the password of a store, whatever the store does.
import { readFile } from "node:fs/promises";
import { inspect } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { openReader, openStore } from "../../snapshots/stores/open-store.ts";
import { startEchoingEngine } from "../support/echoing-engine.ts";
import { runInProcess } from "../support/program/in-process.ts";
import { startProgram } from "../support/program/program.ts";
import { launch } from "../support/program/run.ts";
import { startVendor } from "../support/program/settings.ts";
import { NO_REDIS, startRedis } from "../support/redis.ts";
import { ask, pollUntil } from "../support/serving/server.ts";

const USER = "0perator-q7";
const PASSWORD = "T0XYZ/hunter2+q7";
const ENCODED = encodeURIComponent(PASSWORD);
const BASIC = Buffer.from(`${USER}:${PASSWORD}`).toString("base64");
/** As a debugger prints bytes. */
const HEX = Array.from(Buffer.from("hunter2"), (byte) => byte.toString(16)).join(" ");
const SECRETS = [USER, PASSWORD, ENCODED, "hunter2", BASIC, BASIC.slice(0, -4), HEX];

type Environment = Record<string, string>;

/** By kind, the environment of a store with secrets. */
const STORES: Record<string, (host: string) => Environment> = {
  "redis, in its location": (host) => ({ SNAPSHOTS: `redis://${USER}:${ENCODED}@${host}/0/acme` }),
  "redis, in its variables": (host) => ({
    SNAPSHOTS: `redis://${host}/0/acme`,
    REDIS_USERNAME: USER,
    REDIS_PASSWORD: PASSWORD,
  }),
  "S3, in its variables": (host) => ({
    SNAPSHOTS: "s3://bucket/acme",
    AWS_ENDPOINT_URL_S3: `http://${host}`,
    AWS_ACCESS_KEY_ID: USER,
    AWS_SECRET_ACCESS_KEY: PASSWORD,
    AWS_SESSION_TOKEN: "hunter2-session",
  }),
  "another server, in its location": (host) => ({ SNAPSHOTS: `http://${USER}:${ENCODED}@${host}/snapshots/` }),
  "another server, in its path": (host) => ({ SNAPSHOTS: `http://${host}/${ENCODED}/snapshots/` }),
};

const COMMANDS = [
  ["check"],
  ["check", "--all"],
  ["check", "--json"],
  ["status"],
  ["status", "--json"],
  ["history"],
  ["history", "--json"],
  ["diff"],
  ["collect"],
  ["collect", "--dry-run", "--json"],
];

function expectNoSecret(text: string): void {
  expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
}

/** The output of every command, or its error with all causes. */
async function outputs(directory: string, environment: Environment): Promise<string> {
  const run = (words: string[]) => runInProcess(words, directory, environment).catch(errorText);
  // A collection changes what the others show.
  const before = await Promise.all(COMMANDS.map(run));
  return inspect([before, await Promise.all(COMMANDS.map(run))], { depth: Infinity });
}

function errorText(error: unknown): string {
  return inspect(error, { depth: Infinity, showHidden: true });
}

describe.each(Object.entries(STORES))("%s", (_, environmentOf) => {
  test("an engine that repeats the secrets puts them into no output and no error", async () => {
    const { host, received } = await startEchoingEngine();
    const environment = environmentOf(host);
    const { directory } = await startVendor();
    expectNoSecret(await outputs(directory, environment));
    expect(SECRETS.some((secret) => received().includes(secret))).toBe(true);
    expectNoSecret(await errorsOf(environment));
  });

  test("nor does one that is away", async () => {
    expectNoSecret(await errorsOf(environmentOf("127.0.0.1:1")));
  });
});

/** The error of every operation, with its causes. */
async function errorsOf({ SNAPSHOTS = "", ...environment }: Environment): Promise<string> {
  const reader = openReader(SNAPSHOTS, environment);
  const attempts = [reader.get("plans.json"), reader.list("history"), write(SNAPSHOTS, environment)];
  const errors = await Promise.all(attempts.map((attempt) => attempt.then(() => "", errorText)));
  await reader.close();
  return errors.join("\n");
}

/** @throws AggregateError of every operation that failed, or the error of opening */
async function write(location: string, environment: Environment): Promise<void> {
  const store = openStore(location, environment);
  const attempts = [store.put("plans.json", Buffer.from("{}")), store.remove("plans.json"), store.claim()];
  const results = await Promise.allSettled<unknown>(attempts);
  await store.close();
  throw new AggregateError(results.map((result) => (result.status === "rejected" ? (result.reason as unknown) : "")));
}

test.skipIf(NO_REDIS !== undefined)("no line of a service, no answer and no process title shows them", async () => {
  const redis = await startRedis(onTestFinished);
  const allow = ["ACL", "SETUSER", USER, "on", `>${PASSWORD}`, "~*", "&*", "+@all"];
  expect(await redis.command(...allow)).toBe("+OK");
  const environment = {
    SNAPSHOTS: redis.location("acme").replace("//", `//${USER}:${ENCODED}@`),
    SCHEDULE: "* * * * * *",
    METRICS: "on",
    PORT: "0",
    // ioredis would print the words of every command.
    DEBUG: "*",
  };
  const { directory } = await startVendor();
  const text = await startProgram(["start"], { directory, environment });
  const json = launch("vitrine", ["start", "--log", "json"], { directory, environment });
  const [, base = ""] = await json.printed(/"base":"([^"]+)"/);
  const logs = () => [text.output() + text.errors(), json.output.stdout + json.output.stderr];
  const logged = (words: string) =>
    pollUntil(
      () => Promise.resolve(logs()),
      (texts) => texts.every((log) => log.includes(words)),
    );
  await redis.kill();
  await logged("cannot be read");
  await logged("failed: Redis");
  const back = await startRedis(onTestFinished, redis);
  expect(await back.command(...allow)).toBe("+OK");
  await logged("can be read again");

  const targets = ["/", "/status", "/metrics", "/readyz", "/openapi.json", "/api/v1", "/api/v1/plans", "/healthz"];
  const ports = [text.port, Number(new URL(base).port)];
  const answers = await Promise.all(ports.flatMap((port) => targets.map((target) => ask(port, target))));
  const { stdout, stderr } = await launch("vitrine", ["mcp", "--collect"], { directory, environment }).ended;
  const title = await readFile(`/proc/${text.pid}/cmdline`, "utf8").catch(() => "");
  expect(stderr).toContain("MCP on stdin and stdout");
  expectNoSecret([...logs(), stdout, stderr, title, inspect(answers, { depth: Infinity })].join("\n"));
});
