// `vitrine build-edge`: from a settings file to one file that answers, with what the vendor publishes in it, and no secret.
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { DEMO } from "../../cli/package-files.ts";
import type { EdgeHandler, HandlerOptions } from "../../server/features/edge/interface.ts";
import { encodeSnapshot } from "../../snapshots/snapshot.ts";
import { isIn } from "../support/program/feature.ts";
import { plansSnapshot } from "../support/snapshot.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { builtProgram } from "../support/program/built.ts";
import { startInProcess, typeInProcess } from "../support/program/in-process.ts";
import { vitrine } from "../support/program/run.ts";
import { settingsDirectory } from "../support/program/settings.ts";

const BASE = "https://facts.acme.example";
const NAME = "vitrine-edge.mjs";
const SECRET = "hunter2";
const PICTURE = Buffer.from("89504e470d0a1a0a00", "hex");
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg"/>';
/** Everything that could end the string that it stands in, or be more than text in it. */
const ODD = "\"'`${process.exit(1)} </script><!-- \\ \u2028\u2029 $& $1 🎉";

interface EdgeModule {
  createHandler(options?: Partial<HandlerOptions>): EdgeHandler;
  default?: { fetch(request: Request, environment?: object, context?: object): Promise<Response> };
}

/** Of a server that is not there. */
const SNAPSHOTS = "http://127.0.0.1:9/snapshots/";

async function vendorDirectory(settings: object): Promise<string> {
  const directory = await settingsDirectory({ snapshots: SNAPSHOTS, ...settings });
  await writeFile(join(directory, "logo.svg"), LOGO);
  await writeFile(join(directory, "card.png"), PICTURE);
  await writeFile(join(directory, "faq.md"), `# ${ODD}`);
  return directory;
}

/** Builds from these settings, by default with the snapshots of another server. */
async function build(settings: object, { words = [] as string[], environment = {} } = {}) {
  const directory = await vendorDirectory(settings);
  const run = () => vitrine(["build-edge", ...words], { directory, environment });
  const result = await run();
  const path = join(directory, NAME);
  /** The rest is the same for every vendor. */
  const settingsIn = async () => (await readFile(path, "utf8")).split("\nconst vendor=")[1] ?? "";
  const load = async (): Promise<EdgeModule> => import(pathToFileURL(path).href);
  return { directory, path, run, ...result, settingsIn, load };
}

const at = (path: string) => new Request(BASE + path);
const API = { baseUrl: BASE };

test("the file answers as it is, with the facts of the server that is followed", async () => {
  const facts = { plans: { from: "file", path: "plans.json" }, releases: { from: "none" }, share: true };
  const directory = await settingsDirectory(facts);
  await cp(new URL("plans.json", DEMO), join(directory, "plans.json"));
  const followed = await startInProcess(["start"], { directory });
  const snapshots = `http://127.0.0.1:${followed.port}/snapshots/`;
  const { code, stdout, path, load } = await build({ snapshots, api: API });
  expect(code).toBe(0);
  expect(stdout).toMatch(/✔ vitrine-edge\.mjs written: \d{3} KB minified, \d{2,3} KB with gzip\n/);
  expect(stdout).toContain(
    `It answers from ${snapshots}, as ${BASE}: deploy it, or try it with: deno serve --allow-net ${NAME}`,
  );
  expect(await readFile(path, "utf8")).toMatch(/^\/\/ Vitrine \d+\.\d+\.\d+\S*, written by `vitrine build-edge`: .*\n/);
  const { default: worker } = await load();
  const answer = await worker?.fetch(at("/api/v1/plans"), {}, { waitUntil: () => {} });
  expect(answer?.status).toBe(200);
  expect(await answer?.text()).toBe((await followed.get("/api/v1/plans")).text);
});

test("the contents of the files and every text of the vendor's are in it, unharmed", async () => {
  const description = `About ${ODD}`;
  const api = {
    ...API,
    name: ODD,
    description,
    logo: "logo.svg",
    picture: "card.png",
    faq: "faq.md",
    color: "#0f6e60",
  };
  const { code, settingsIn, load } = await build({ api });
  expect(code).toBe(0);
  const written = await settingsIn();
  for (const ending of ["</script", "<!--", "\u2028", "\u2029"]) expect(written).not.toContain(ending);
  const { createHandler } = await load();
  const handler = createHandler({ warn: () => {} });
  const read = async (path: string) => (await handler(at(path))).text();
  expect(await read("/faq.md")).toBe(`# ${ODD}`);
  if (isIn("openapi")) {
    const { info } = JSON.parse(await read("/openapi.json"));
    expect(info).toMatchObject({
      title: expect.stringContaining(ODD),
      description: expect.stringContaining(description),
    });
  }
  if (!isIn("page")) return;
  expect(await read("/")).toContain(Buffer.from(LOGO).toString("base64"));
  expect(await read("/")).toContain(`<meta property="og:image" content="${API.baseUrl}/picture.png" />`);
  expect(Buffer.from(await (await handler(at("/picture.png"))).arrayBuffer()).equals(PICTURE)).toBe(true);
});

test("without snapshots at a URL there is only createHandler, for which the settings are the defaults", async () => {
  const facts = { plans: { from: "file", path: "plans.json" }, releases: { from: "none" }, snapshots: "facts" };
  const { code, stdout, load } = await build({
    ...facts,
    api: { ...API, name: "Acme Notes", contact: "a@acme.example" },
  });
  expect(code).toBe(0);
  expect(stdout).toContain("give it the platform's store: createHandler({ store })");
  const { createHandler, default: worker } = await load();
  expect(worker).toBeUndefined();
  const snapshot = plansSnapshot({ confirmedAt: Date.now() });
  const store = { get: async (key: string) => (key === "plans.json" ? encodeSnapshot(snapshot) : null) };
  const handler = createHandler({ store, api: { name: "Acme Drafts" } });
  expect(await (await handler(at("/api/v1/plans"))).json()).toEqual(snapshot.payload);
  if (!isIn("openapi")) return;
  const { info } = (await (await handler(at("/openapi.json"))).json()) as { info: { title: string; contact: object } };
  expect(info).toMatchObject({ title: expect.stringContaining("Acme Drafts"), contact: { email: "a@acme.example" } });
});

test.runIf(isIn("redis"))("no secret is in it, and nothing of the sources", async () => {
  const environment = {
    TOKEN: SECRET,
    REDIS_PASSWORD: SECRET,
    SNAPSHOTS: `rediss://me:${SECRET}@redis.internal/0/acme`,
  };
  const headers = { authorization: "Bearer $TOKEN", "x-key": SECRET };
  const source = { from: "json", url: `https://upstream.internal/${SECRET}?key=${SECRET}`, headers };
  const { code, stdout, stderr, path, settingsIn } = await build(
    { api: API, plans: source, releases: source },
    { environment },
  );
  expect(code).toBe(0);
  expect((await readFile(path, "utf8")).includes(SECRET)).toBe(false);
  for (const word of ["internal", "TOKEN", "x-key"]) expect(await settingsIn()).not.toContain(word);
  expect(stdout + stderr).not.toContain(SECRET);
});

describe("refused, with nothing written:", () => {
  test.for<[settings: object, environment: Record<string, string>, problem: string]>([
    [{}, {}, "api.baseUrl   is missing: a function does not know its address; set the public one, such as"],
    [{ api: { ...API, nmae: "x" } }, {}, `api.nmae   unknown setting${isIn("check") ? '; did you mean "name"?' : ""}`],
    [{ api: { ...API, faq: "nowhere.md" } }, {}, "nowhere.md cannot be read (ENOENT)"],
    [{ api: { ...API, logo: "faq.md" } }, {}, "is neither SVG nor PNG"],
    [
      { api: API },
      { SNAPSHOTS: `https://me:${SECRET}@a.example/s/` },
      "snapshots   must have no user name and no password",
    ],
    [
      { api: API },
      { SNAPSHOTS: `https://a.example/s/?token=${SECRET}` },
      "snapshots   must look like https://host/snapshots/",
    ],
    [{ api: API, snapshots: "facts" }, {}, "plans      must be of type object"],
  ])("%j %j", async ([settings, environment, problem]) => {
    const directory = await vendorDirectory(settings);
    const { code, stdout, stderr } = await typeInProcess(["build-edge"], { directory, environment });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(problem);
    expect(stderr).not.toContain(SECRET);
    expect(await readdir(directory)).not.toContain(NAME);
  });

  test("a checkout that has not been built says so", async () => {
    const home = join(await temporaryDirectory(), "home");
    await cp(join(dirname(builtProgram() ?? ""), ".."), home, { recursive: true });
    await rm(join(home, "dist/edge.mjs"));
    const directory = await settingsDirectory({ snapshots: SNAPSHOTS, api: API });
    const running = promisify(execFile)(process.execPath, [join(home, "dist/vitrine.mjs"), "build-edge"], {
      cwd: directory,
      env: {},
    });
    await expect(running).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("run `npm run build` first"),
    });
  });
});

describe("an existing file", () => {
  test("is replaced if build-edge has written it", async () => {
    const { directory, path, run, settingsIn } = await build({ api: { ...API, name: "First" } });
    const settings = { snapshots: SNAPSHOTS, api: { ...API, name: "Second" } };
    await writeFile(join(directory, "vitrine.config.json"), JSON.stringify(settings));
    expect((await run()).code).toBe(0);
    expect(await settingsIn()).toContain("Second");
    expect((await readdir(dirname(path))).filter((name) => name.includes("edge"))).toEqual([NAME]);
  });

  const OTHERS: [kind: string, make: (path: string) => Promise<unknown>, problem: string][] = [
    ["a directory", (path) => mkdir(path), "is a directory"],
    ["a file of another kind", (path) => writeFile(path, "// mine"), "was not written by build-edge"],
    ["a link to nowhere", (path) => symlink("nowhere", path), "was not written by build-edge"],
  ];

  test("is kept if it is anything else", async () => {
    const { directory, run } = await build({ api: API }, { words: ["--out", "dist/worker.mjs"] });
    const out = join(directory, "dist/worker.mjs");
    expect(await readdir(directory)).not.toContain(NAME);
    for (const [kind, make, problem] of OTHERS) {
      await rm(out, { recursive: true });
      await make(out);
      const before = await readdir(dirname(out));
      const { code, stderr } = await run();
      expect(code, kind).toBe(2);
      expect(stderr).toContain(`--out   dist/worker.mjs ${problem}: name another file, or move it away`);
      expect(await readdir(dirname(out)), kind).toEqual(before);
    }
  });
});
