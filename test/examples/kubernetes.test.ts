// The manifests for Kubernetes: only known fields, no privileges, commands and settings that Vitrine understands.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import * as z from "zod";
import { openSources } from "../../collector/settings.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { startServer } from "../support/serving/server.ts";
import { configured, projectFile } from "./read.ts";

const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port: z.literal("http") }),
  periodSeconds: z.int().optional(),
  failureThreshold: z.int().optional(),
  timeoutSeconds: z.int().optional(),
});
const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()),
  env: z.array(
    z.union([
      z.strictObject({ name: z.literal("TYPED_AS"), value: z.string() }),
      z.strictObject({
        name: z.string(),
        valueFrom: z.strictObject({
          configMapKeyRef: z.strictObject({ name: z.literal("vitrine"), key: z.literal("SNAPSHOTS") }),
        }),
      }),
    ]),
  ),
  envFrom: z.tuple([z.strictObject({ secretRef: z.strictObject({ name: z.string() }) })]),
  ports: z.tuple([z.strictObject({ name: z.literal("http"), containerPort: z.int() })]).optional(),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  lifecycle: z
    .strictObject({ preStop: z.strictObject({ exec: z.strictObject({ command: z.array(z.string()) }) }) })
    .optional(),
  resources: z.strictObject({
    requests: z.strictObject({ cpu: z.string(), memory: z.string() }),
    limits: z.strictObject({ memory: z.string().regex(/^\d+Mi$/) }),
  }),
  securityContext: z.strictObject({
    readOnlyRootFilesystem: z.literal(true),
    allowPrivilegeEscalation: z.literal(false),
    capabilities: z.strictObject({ drop: z.tuple([z.literal("ALL")]) }),
  }),
  volumeMounts: z.tuple([
    z.strictObject({
      name: z.literal("settings"),
      mountPath: z.literal("/etc/vitrine"),
      readOnly: z.literal(true),
    }),
  ]),
});
const labels = z.strictObject({ app: z.string() });
const metadata = z.strictObject({ name: z.string() });
const deployment = z.strictObject({
  apiVersion: z.literal("apps/v1"),
  kind: z.literal("Deployment"),
  metadata,
  spec: z.strictObject({
    replicas: z.int(),
    selector: z.strictObject({ matchLabels: labels }),
    strategy: z.strictObject({ rollingUpdate: z.strictObject({ maxUnavailable: z.literal(0) }) }).optional(),
    template: z.strictObject({
      metadata: z.strictObject({ labels }),
      spec: z.strictObject({
        automountServiceAccountToken: z.literal(false),
        securityContext: z.strictObject({
          runAsNonRoot: z.literal(true),
          runAsUser: z.literal(65532),
          runAsGroup: z.literal(65532),
          seccompProfile: z.strictObject({ type: z.literal("RuntimeDefault") }),
        }),
        containers: z.tuple([container]),
        volumes: z.tuple([
          z.strictObject({
            name: z.literal("settings"),
            configMap: z.strictObject({ name: z.literal("vitrine") }),
          }),
        ]),
      }),
    }),
  }),
});
const configMap = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("ConfigMap"),
  metadata,
  data: z.strictObject({ SNAPSHOTS: z.string(), "vitrine.config.json": z.string() }),
});
const service = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("Service"),
  metadata,
  spec: z.strictObject({
    selector: labels,
    ports: z.tuple([z.strictObject({ name: z.string(), port: z.int(), targetPort: z.literal("http") })]),
  }),
});

async function manifests() {
  const documents = parseAllDocuments(await projectFile("examples/kubernetes.yaml"));
  const [settings, server, network, collector] = z
    .tuple([configMap, deployment, service, deployment])
    .parse(documents.map((document) => document.toJS({ maxAliasCount: 0 })));
  return { settings, server, network, collector };
}

/** The variables of the image, as the Dockerfile sets them. */
async function imageEnvironment(): Promise<Record<string, string>> {
  const [, line = ""] = /^ENV (.*)$/m.exec(await projectFile("Dockerfile")) ?? [];
  return Object.fromEntries(line.split(" ").map((pair) => pair.split("=") as [string, string]));
}

/** The secrets that the commands in the first lines create, by name, with a value for each key. */
async function secrets(): Promise<Map<string, Record<string, string>>> {
  const text = (await projectFile("examples/kubernetes.yaml")).replace(/ \\\n#\s+/g, " ");
  const commands = [...text.matchAll(/^# +kubectl create secret generic (\S+) (.*)$/gm)];
  return new Map(
    commands.map(([, name = "", words = ""]) => [
      name,
      Object.fromEntries(
        [...words.matchAll(/--from-literal=(\w+)=(\S+)/g)].map(([, key, value]) => [
          key,
          value?.replace("…", "secret"),
        ]),
      ),
    ]),
  );
}

/** The settings of a container as it runs. */
async function settingsOf(name: "server" | "collector") {
  const { settings, ...deployments } = await manifests();
  const [{ args, env, envFrom, ports }] = deployments[name].spec.template.spec.containers;
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "vitrine.config.json"), settings.data["vitrine.config.json"]);
  const variables = env.map((variable) => {
    return [
      variable.name,
      "value" in variable ? variable.value : settings.data[variable.valueFrom.configMapKeyRef.key],
    ];
  });
  const secret = (await secrets()).get(envFrom[0].secretRef.name);
  const environment: Record<string, string> = {
    ...(await imageEnvironment()),
    ...Object.fromEntries(variables),
    ...secret,
  };
  return { args, ports, directory, environment, configuration: configured(args, directory, environment) };
}

test("they have only fields that Kubernetes knows, and neither root, a writable file system nor capabilities", async () => {
  const { server, network, collector } = await manifests();
  for (const { spec } of [server, collector]) expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
  expect(network.spec.selector).toEqual(server.spec.selector.matchLabels);
});

test("the server starts with them, reads the store of the engine, and has no secret of a source", async () => {
  const { args, ports, environment, configuration } = await settingsOf("server");
  expect(args).toEqual(["serve"]);
  expect(environment).toMatchObject({ REDIS_USERNAME: "server", REDIS_PASSWORD: expect.any(String) });
  expect(configuration.location).toMatch(/^rediss:/);
  expect(ports?.[0].containerPort).toBe(configuration.settings.port);
  expect(configuration.settings.host).toBe("0.0.0.0");
  expect(() => openSources(configuration.settings, { ...configuration, environment })).toThrow(/BILLING_TOKEN/);
});

test("the collector starts with them, and its sources have their secrets", async () => {
  const { args, environment, configuration } = await settingsOf("collector");
  expect(args).toEqual(["collect", "--watch"]);
  expect(environment).toMatchObject({ REDIS_USERNAME: "collector", REDIS_PASSWORD: expect.any(String) });
  expect(configuration.location).toMatch(/^rediss:/);
  expect(openSources(configuration.settings, { ...configuration, environment })).toHaveLength(2);
});

test("a replica starts once it has all facts, and stays while they are stale", async () => {
  const { server } = await manifests();
  const [{ startupProbe, livenessProbe, readinessProbe }] = server.spec.template.spec.containers;
  const statuses = async (snapshots?: []) => {
    const { get } = await startServer(snapshots ? { snapshots } : {});
    const probes = [startupProbe, livenessProbe, readinessProbe];
    return Promise.all(probes.map(async (probe) => (await get(probe?.httpGet.path ?? "")).status));
  };
  expect(await statuses()).toEqual([200, 200, 200]);
  expect(await statuses([])).toEqual([503, 200, 200]);
});

test("a replica that is stopped serves for another 5 s, without a shell", async () => {
  const [{ lifecycle }] = (await manifests()).server.spec.template.spec.containers;
  const [program, flag, script] = lifecycle?.preStop.exec.command ?? [];
  expect([program, flag]).toEqual(["node", "-e"]);
  expect(() => new Function(script ?? "")).not.toThrow();
});
