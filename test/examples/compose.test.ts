// The compose file with a Redis, as it is used: over the root compose.yaml, whose hardening it keeps.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { startInProcess, typeInProcess } from "../support/program/in-process.ts";
import { sampleDirectory } from "../support/program/settings.ts";
import { isOk, pollUntil } from "../support/serving/server.ts";
import { NO_REDIS, startRedis } from "../support/redis.ts";
import { projectFile } from "./read.ts";

const PASSWORDS = { SERVER_PASSWORD: "of1the2server", COLLECTOR_PASSWORD: "of3the4collector" };

interface Services {
  redis: { command: string[] };
  collector: { environment: Record<string, string> };
  server: { environment: Record<string, string> };
}

async function composed(): Promise<{ services: Services; networks: object }> {
  const text = (await projectFile("examples/compose.redis.yaml")).replace(
    /\$\{(\w+):\?is not set\}/g,
    (_, name: keyof typeof PASSWORDS) => PASSWORDS[name],
  );
  return parse(text);
}

test("it adds to the services of compose.yaml a Redis that may do nothing and that nobody else reaches", async () => {
  const { services, networks } = await composed();
  const { redis, ...programs } = services;
  const root = parse(await projectFile("compose.yaml"), { merge: true }) as { services: object };
  expect(Object.keys(programs)).toEqual(Object.keys(root.services));
  const compose = "docker compose --file compose.yaml --file examples/compose.redis.yaml";
  const up = `PORT=3000-3002 ${compose} up --detach --force-recreate --scale server=3`;
  const typed = `${compose} run --rm collector | start, serve: ${up}`;
  for (const program of Object.values(programs)) {
    expect(Object.keys(program).toSorted()).toEqual(expect.arrayContaining(["environment", "networks"]));
    expect(program.environment.TYPED_AS).toBe(typed);
  }
  expect(networks).toEqual({ default: {}, store: { internal: true } });
  expect(redis).toEqual({
    image: expect.stringMatching(/^redis:\d+$/),
    restart: "unless-stopped",
    user: "redis",
    read_only: true,
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
    mem_limit: expect.any(String),
    volumes: ["redis:/data"],
    networks: ["store"],
    command: expect.any(Array),
  });
});

describe.skipIf(NO_REDIS !== undefined)("with its command", () => {
  test("Redis lets the collector write and the server only read, and nobody else in", async () => {
    const { redis, ...programs } = (await composed()).services;
    const [command, place, ...settings] = redis.command;
    expect([command, place]).toEqual(["redis-server", "--dir /data"]);
    const { port } = await startRedis(onTestFinished, { settings });
    const directory = await sampleDirectory();
    // A store that several products may share needs a name of the vendor's own.
    const file = join(directory, "vitrine.config.json");
    await writeFile(file, (await readFile(file, "utf8")).replace('"name": "My product"', '"name": "Acme Notes"'));
    const environmentOf = (name: keyof typeof programs): Record<string, string> => {
      const { SNAPSHOTS = "", ...rest } = programs[name].environment;
      return { ...rest, SNAPSHOTS: SNAPSHOTS.replace("//redis:6379/", `//127.0.0.1:${port}/`) };
    };
    const collect = (environment: Record<string, string>) => typeInProcess(["collect"], { directory, environment });
    expect(await collect(environmentOf("collector"))).toMatchObject({ code: 0 });
    expect(await collect(environmentOf("server"))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("NOPERM"),
    });
    const { REDIS_PASSWORD: _, ...without } = environmentOf("server");
    expect(await collect(without)).toMatchObject({ code: 1, stderr: expect.stringMatching(/NOAUTH|WRONGPASS/) });
    const { get } = await startInProcess(["serve"], { directory, environment: environmentOf("server") });
    await pollUntil(() => get("/api/v1/plans"), isOk);
  });
});

test("hints of the root compose.yaml name a command as it is typed there", async () => {
  const { services } = parse(await projectFile("compose.yaml")) as {
    services: Record<string, { environment: string[] }>;
  };
  expect(Object.keys(services)).toHaveLength(2);
  for (const { environment } of Object.values(services)) {
    expect(environment).toContain(
      "TYPED_AS=docker compose run --rm collector | start, serve: docker compose up --detach --force-recreate",
    );
  }
});
