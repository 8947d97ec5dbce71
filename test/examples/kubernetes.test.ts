// The manifests for Kubernetes: no privileges, commands and settings that Vitrine understands.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import * as z from "zod";
import { openSources } from "../../collector/settings.ts";
import { SNAPSHOT_NAMES } from "../../snapshots/snapshot.ts";
import { openReader } from "../../snapshots/stores/open-store.ts";
import { reset, startUpstream } from "../support/collecting/upstream.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { startServer } from "../support/serving/server.ts";
import { configured, projectFile } from "./read.ts";

/** What these tests read; `kubectl` knows all fields. */
const probe = z.object({
  httpGet: z.object({ path: z.string(), port: z.literal("http") }),
  periodSeconds: z.int().optional(),
  failureThreshold: z.int().optional(),
});
const variable = z.union([
  z.strictObject({
    name: z.string(),
    valueFrom: z.strictObject({
      configMapKeyRef: z.strictObject({ name: z.literal("vitrine"), key: z.literal("SNAPSHOTS") }),
    }),
  }),
  z.strictObject({ name: z.enum(["METRICS", "TYPED_AS"]), value: z.string() }),
]);
const container = z.object({
  args: z.array(z.string()),
  env: z.array(variable),
  envFrom: z.tuple([z.strictObject({ secretRef: z.strictObject({ name: z.string() }) })]),
  ports: z.array(z.strictObject({ name: z.enum(["http", "metrics"]), containerPort: z.int() })).optional(),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  lifecycle: z.object({ preStop: z.object({ exec: z.object({ command: z.array(z.string()) }) }) }).optional(),
  resources: z.object({ limits: z.object({ memory: z.string().regex(/^\d+Mi$/) }) }),
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
const selector = z.strictObject({ matchLabels: labels });
const pod = z.object({
  automountServiceAccountToken: z.literal(false),
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.literal(65532),
    runAsGroup: z.literal(65532),
    seccompProfile: z.strictObject({ type: z.literal("RuntimeDefault") }),
  }),
  topologySpreadConstraints: z.tuple([z.object({ labelSelector: selector })]).optional(),
  containers: z.tuple([container]),
  volumes: z.tuple([
    z.strictObject({ name: z.literal("settings"), configMap: z.strictObject({ name: z.literal("vitrine") }) }),
  ]),
});
const deployment = z.object({
  kind: z.literal("Deployment"),
  spec: z.object({ selector, template: z.object({ metadata: z.strictObject({ labels }), spec: pod }) }),
});
const configMap = z.object({ data: z.strictObject({ SNAPSHOTS: z.string(), "vitrine.config.json": z.string() }) });
const service = z.object({ kind: z.literal("Service"), spec: z.object({ selector: labels }) });
const disruptions = z.object({ kind: z.literal("PodDisruptionBudget"), spec: z.object({ selector }) });
const ports = z.array(z.strictObject({ protocol: z.enum(["TCP", "UDP"]), port: z.int() }));
const policy = z.object({
  kind: z.literal("NetworkPolicy"),
  spec: z.strictObject({
    podSelector: selector,
    policyTypes: z.tuple([z.literal("Ingress"), z.literal("Egress")]),
    ingress: z.array(z.strictObject({ from: z.tuple([z.looseObject({})]).optional(), ports })),
    egress: z.tuple([z.strictObject({ ports })]),
  }),
});

async function manifests() {
  const documents = parseAllDocuments(await projectFile("examples/kubernetes.yaml"));
  const [settings, server, network, budget, traffic, collector] = z
    .tuple([configMap, deployment, service, disruptions, policy, deployment])
    .parse(documents.map((document) => document.toJS({ maxAliasCount: 0 })));
  return { settings, server, network, budget, traffic, collector };
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
  const { settings, server, collector } = await manifests();
  const [{ args, env, envFrom, ports }] = { server, collector }[name].spec.template.spec.containers;
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

test("they have neither root, a writable file system nor capabilities", async () => {
  const { server, network, collector } = await manifests();
  for (const { spec } of [server, collector]) expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
  expect(network.spec.selector).toEqual(server.spec.selector.matchLabels);
});

test("the server starts with them, reads the store of the engine, and has no secret of a source", async () => {
  const { args, ports, environment, configuration } = await settingsOf("server");
  expect(args).toEqual(["serve"]);
  expect(environment).toMatchObject({ REDIS_USERNAME: "server", REDIS_PASSWORD: expect.any(String) });
  expect(configuration.location).toMatch(/^rediss:/);
  expect(ports?.[0]?.containerPort).toBe(configuration.settings.port);
  expect(configuration.settings.metrics).toEqual({ host: "0.0.0.0", port: ports?.[1]?.containerPort });
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

test("servers may be asked by everybody for facts and by Prometheus for metrics, and reach only name servers and the engine", async () => {
  const { server, budget, traffic } = await manifests();
  const { configuration } = await settingsOf("server");
  expect(budget.spec.selector).toEqual(server.spec.selector);
  expect(traffic.spec.podSelector).toEqual(server.spec.selector);
  const [{ topologySpreadConstraints }] = [server.spec.template.spec];
  expect(topologySpreadConstraints?.[0].labelSelector).toEqual(server.spec.selector);
  const [facts, metrics] = traffic.spec.ingress;
  expect(facts).toEqual({ ports: [{ protocol: "TCP", port: configuration.settings.port }] });
  expect(metrics).toMatchObject({ from: [{}], ports: [{ protocol: "TCP", port: 9464 }] });
  const engine = { protocol: "TCP", port: Number(new URL(configuration.location).port) };
  expect(traffic.spec.egress[0].ports.filter(({ port }) => port !== 53)).toEqual([engine]);
});

test("a replica serves what it has, also if a fact is stale when it starts", async () => {
  const { server } = await manifests();
  const [{ startupProbe, livenessProbe, readinessProbe }] = server.spec.template.spec.containers;
  const statuses = async (snapshots?: []) => {
    const { get } = await startServer(snapshots ? { snapshots } : {});
    const probes = [startupProbe, livenessProbe, readinessProbe];
    expect(probes).not.toContain(undefined);
    return Promise.all(probes.map(async (probe) => (await get(probe?.httpGet.path ?? "")).status));
  };
  expect(await statuses()).toEqual([200, 200, 200]);
  expect(await statuses([])).toEqual([200, 200, 200]);
});

test("a replica that waits for its engine takes no requests, and is not killed for an hour", async () => {
  const { server } = await manifests();
  const [{ startupProbe }] = server.spec.template.spec.containers;
  expect((startupProbe?.periodSeconds ?? 0) * (startupProbe?.failureThreshold ?? 0)).toBe(3_600);
  const host = await startUpstream();
  for (const name of SNAPSHOT_NAMES) host.set(`/snapshots/${name}.json`, reset());
  const store = openReader(host.url("/snapshots/"));
  onTestFinished(() => store.close());
  const { get } = await startServer({ store });
  expect((await get(startupProbe?.httpGet.path ?? "")).status).toBe(503);
});

test("a replica that is stopped serves for another 5 s, without a shell", async () => {
  const [{ lifecycle }] = (await manifests()).server.spec.template.spec.containers;
  const [program, flag, script] = lifecycle?.preStop.exec.command ?? [];
  expect([program, flag]).toEqual(["node", "-e"]);
  expect(() => new Function(script ?? "")).not.toThrow();
});
