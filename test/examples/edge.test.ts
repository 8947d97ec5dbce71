// The examples for the edge that Node.js can run, and docs/edge.md. The other platforms are in test/external/edge.
import { access, cp, mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import * as z from "zod";
import { BASE, LOGO, startVendor } from "./edge-vendor.ts";
import { projectFile } from "./read.ts";

const ROOT = join(import.meta.dirname, "../..");

const wrangler = z.strictObject({
  name: z.string(),
  main: z.enum(["vitrine-edge.mjs", "worker.mjs"]),
  compatibility_date: z.literal("2026-03-01"),
  compatibility_flags: z.tuple([z.literal("nodejs_compat")]),
  r2_buckets: z.tuple([z.strictObject({ binding: z.string(), bucket_name: z.string() })]).optional(),
  routes: z.tuple([z.strictObject({ pattern: z.literal(new URL(BASE).host), custom_domain: z.literal(true) })]),
  observability: z.strictObject({ enabled: z.literal(true) }),
});

test.for(["cloudflare", "cloudflare-r2"])(
  "%s/wrangler.jsonc has only known fields and names its files",
  async (name) => {
    const folder = join("examples/edge", name);
    const text = (await projectFile(join(folder, "wrangler.jsonc"))).replaceAll(/^\s*\/\/.*$/gm, "");
    const { main, r2_buckets: buckets } = wrangler.parse(JSON.parse(text.replaceAll(/,(?=\s*[}\]])/g, "")));
    const files = (await readdir(join(ROOT, folder))).filter((file) => file !== "wrangler.jsonc");
    expect(files).toEqual(main === "worker.mjs" ? [main] : []);
    if (buckets) expect(await projectFile(join(folder, main))).toContain(`env.${buckets[0].binding}.get(`);
  },
);

/** As a function URL sends it. */
function functionUrlEvent(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  const [rawPath, rawQueryString = ""] = path.split("?");
  const domainName = "abcdefghij0123456789.lambda-url.eu-central-1.on.aws";
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath,
    rawQueryString,
    headers: { host: domainName, "x-forwarded-proto": "https", "x-forwarded-port": "443", ...headers },
    requestContext: {
      accountId: "anonymous",
      apiId: "abcdefghij0123456789",
      domainName,
      domainPrefix: "abcdefghij0123456789",
      http: { method, path: rawPath, protocol: "HTTP/1.1", sourceIp: "203.0.113.7", userAgent: "curl/8.14.1" },
      requestId: "e1506fd5-9e7b-434f-bd42-4f8fa224b599",
      routeKey: "$default",
      stage: "$default",
      time: "22/Nov/2026:12:00:00 +0000",
      timeEpoch: 1_795_348_800_000,
    },
    ...(body !== undefined && { body }),
    isBase64Encoded: false,
  };
}

interface LambdaAnswer {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded?: boolean;
}

const vendor = await startVendor(afterAll);

test("on Lambda, an event of a function URL gets the answer", async () => {
  const { directory, built } = vendor;
  await cp(join(ROOT, "examples/edge/lambda/index.mjs"), join(directory, "index.mjs"));
  await mkdir(join(directory, "node_modules"));
  await symlink(join(ROOT, "node_modules/srvx"), join(directory, "node_modules/srvx"));
  await expect(access(built)).resolves.toBeUndefined();
  const module = (await import(pathToFileURL(join(directory, "index.mjs")).href)) as {
    handler: (event: object, context: object) => Promise<LambdaAnswer>;
  };
  const ask = (...event: Parameters<typeof functionUrlEvent>) => module.handler(functionUrlEvent(...event), {});

  const release = await ask("GET", "/api/v1/releases/latest?platform=windows");
  expect(release).toMatchObject({ statusCode: 200, headers: { "content-type": "application/json" } });
  expect(JSON.parse(release.body)).toHaveProperty("latest.platform", "windows");
  const known = { "if-none-match": release.headers.etag ?? "" };
  expect(await ask("GET", "/api/v1/releases/latest?platform=windows", known)).toMatchObject({
    statusCode: 304,
    body: "",
  });
  const message = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const tools = await ask("POST", "/mcp", { "content-type": "application/json" }, message);
  expect(JSON.parse(tools.body)).toHaveProperty("result.tools.0.name", "get_pricing");
  expect(await ask("GET", "/favicon.ico")).toMatchObject({ body: LOGO.toString("base64"), isBase64Encoded: true });
});

test("the built file reads a private place with the user name and the password of the location", async () => {
  const { built, host } = vendor;
  const { createHandler } = (await import(pathToFileURL(built).href)) as {
    createHandler: (options: { store: string }) => (request: Request) => Promise<Response>;
  };
  const handler = createHandler({ store: host.url("/notes/").replace("//", "//user:password@") });
  expect((await handler(new Request(`${BASE}/api/v1/plans`))).status).toBe(200);
  expect(host.requests.at(-1)?.headers.authorization).toBe(`Basic ${btoa("user:password")}`);
});
