// `npm run hosts`: what agents pass on to their model. Each host, the newest on the npm registry, is installed into a temporary
// folder and runs in front of a scripted model on loopback, with the servers of two vendors. Prints what reached the model (whole
// results with `--all`); exits with 1 if a model cannot say whose price it is, of which day, and where to check it. Needs no
// account, and no network but for the installation.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { count } from "../../../server/format.ts";
import { clip } from "../../../snapshots/rules.ts";
import { noRelease, startServer } from "../../support/serving/server.ts";
import { plansSnapshot, releaseSnapshot, resealed } from "../../support/snapshot.ts";
import { HOSTS, install, prompt, SERVERS, type Host } from "./list.ts";
import { startModel, type Reply, type Turn } from "./model.ts";

interface Vendor {
  name: string;
  base: string;
  /** Of its price and its release. */
  revision: number;
}
type Vendors = readonly [Vendor, Vendor];

/** One call of the model. `find`: returns undefined if the host offers no tool for it. `told`: texts that the model must be given
 * if it `isNeeded`, and otherwise should be. */
interface Step {
  label: string;
  find: (turn: Turn) => Reply;
  told: string[];
  isNeeded?: boolean;
}

function stepsFor([one, two]: Vendors): Step[] {
  /** By the only tool whose description names the vendor after these words, as a model would choose it. */
  const call = ({ name }: Vendor, words: string, input: object): Step["find"] =>
    function find({ tools }) {
      const [tool, ...others] = tools.filter(({ description }) => description.includes(`${words} of ${name}`));
      return tool && others.length === 0 ? { tool, input } : undefined;
    };
  const price = (vendor: Vendor): Step => ({
    label: `price of ${vendor.name}`,
    find: call(vendor, "prices", {}),
    told: [`"monthlyPrice":${vendor.revision},`, ...aboutOf(vendor, "#plans")],
    isNeeded: true,
  });
  const release = (vendor: Vendor, platform: string): Step["find"] => call(vendor, "desktop release", { platform });
  return [
    price(one),
    price(two),
    {
      label: `release of ${one.name}, with a changelog of 250 kB`,
      find: release(one, "macos"),
      told: [`"version":"1.0.${one.revision}"`, "shortened here", ...aboutOf(one, "#downloads")],
      isNeeded: true,
    },
    {
      label: `no release of ${two.name}`,
      find: release(two, "windows"),
      told: ["has no published release for Windows", ...aboutOf(two, "#downloads")],
      isNeeded: true,
    },
    { label: "error", find: release(two, "linux"), told: [] },
    {
      label: "resources",
      find: named(/^list_?mcp_?resources/i, {}),
      told: [one, two].map(({ name }) => `about ${name}`),
    },
    {
      label: `resource of ${two.name}`,
      find: (turn) => named(/^read_?mcp_?resource(tool)?$/i, { server: SERVERS[1], uri: faqOf(turn) })(turn),
      told: [two.name],
    },
  ];
}

function aboutOf({ name, base }: Vendor, section: string): string[] {
  return [`Source: ${name}, ${base}/${section}`, "Checked at the source 1 Mar 2026"];
}

/** As the host has listed it: by the URI alone, one host reads that of the server which it reached first. */
function faqOf({ text }: Turn): string {
  return text.match(new RegExp(`(?:${SERVERS[1]}:)product://faq`))?.[0] ?? "product://faq";
}

/** A tool of the host's own. */
function named(name: RegExp, input: object): Step["find"] {
  return ({ tools }) => {
    const tool = tools.find((candidate) => name.test(candidate.name));
    return tool && { tool, input };
  };
}

/** Returns the model's part, which calls one tool after the other. `seen`: gets the last turn, and the results by their labels. */
function play(steps: readonly Step[], seen: { turn: Turn; results: Map<string, string> }): (turn: Turn) => Reply {
  const ahead = [...steps];
  const calls: string[] = [];
  const callNext = (label: string, next: Reply) => (calls.push(label), next);
  return (turn) => {
    const { tools, results, text } = turn;
    seen.turn = turn;
    for (const [index, result] of results.entries()) seen.results.set(calls[index] ?? "", unescaped(result));
    const search = tools.find(({ name }) => name === "ToolSearch");
    if (search && calls.length === 0) {
      // The model sees only names until it asks for the rest.
      const names = new Set(text.match(/mcp__[\w-]+__\w+|(?:List|Read)McpResources?Tool/g));
      return callNext("search", { tool: search, input: { query: `select:${[...names].join()}`, max_results: 20 } });
    }
    for (let step = ahead.shift(); step; step = ahead.shift()) {
      const next = step.find(turn);
      if (next) return callNext(step.label, next);
    }
    return undefined;
  };
}

/** The lines to print. A failure also sets the exit code. */
async function drive(host: Host, vendors: Vendors, folder: string): Promise<string[]> {
  const version = await install(host, folder).catch((failure: Error) => failure);
  if (version instanceof Error)
    return [`– ${host.name}: skipped, not installed: ${clip(version.message.replace(/^.*\n/, ""), 200)}`];
  const steps = stepsFor(vendors);
  const seen = { turn: { tools: [], results: [], text: "" }, results: new Map<string, string>() };
  const model = await startModel(play(steps, seen));
  const setting = { model: model.address, endpoints: vendors.map(({ base }) => `${base}/mcp`) };
  const failure = await prompt(host, setting, folder).catch((error: Error) => error);
  model.stop();
  const lines = steps.map(({ label, told, isNeeded = false }) => {
    const result = seen.results.get(label) ?? "";
    const missing = told.filter((text) => !result.includes(text));
    const mark = missing.length === 0 ? "·" : isNeeded ? "✖" : "!";
    if (mark === "✖") process.exitCode = 1;
    const remark = missing.map((text) => `, without ${JSON.stringify(text)}`).join("");
    return `  ${mark} ${label}: ${count(result.length, "character")}${remark}\n      ${shown(result)}`;
  });
  const { tools, text }: Turn = seen.turn;
  const own = tools.filter(({ description }) => vendors.some(({ name }) => description.includes(` of ${name}`)));
  return [
    `${host.name} ${version}`,
    `  · tools: ${own.map(({ group, name }) => [group, name].filter(Boolean).join(".")).join(", ")}`,
    `  · instructions: ${text.includes("Public facts about") ? "" : "not "}passed on`,
    ...lines,
    ...(failure ? [`  ! ended with: ${clip(failure.message, 500)}`] : []),
  ];
}

/** JSON within JSON, as it is read. */
function unescaped(text: string): string {
  return text.replaceAll("\\n", " ").replaceAll("\\", "");
}

function shown(result: string): string {
  return clip(result.replace(/\s+/g, " "), process.argv.includes("--all") ? Infinity : 200);
}

const CHANGELOG = Array.from({ length: 2_500 }, (_, index) => `- ${"x".repeat(92)} ${index}`).join("\n");

/** Starts the vendor's server, which has a release for macOS alone. */
async function startVendor(
  name: string,
  revision: number,
  onFinished: (end: () => Promise<void>) => void,
): Promise<Vendor> {
  const release = releaseSnapshot("macos", { revision });
  const payload: object = structuredClone(release.payload);
  if ("latest" in payload) Object.assign(Object(payload.latest), { changelog: CHANGELOG });
  const snapshots = [plansSnapshot({ revision }), resealed(release, payload), noRelease("windows")];
  const { base } = await startServer({ snapshots, api: { name }, onFinished });
  return { name, base, revision };
}

const folder = await mkdtemp(join(tmpdir(), "vitrine-hosts-"));
const ends: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  const onFinished = (end: () => Promise<void>) => void ends.unshift(end);
  const vendors = [
    await startVendor("Acme Notes", 7, onFinished),
    await startVendor("Umbra Paint", 8, onFinished),
  ] as const;
  for (const host of HOSTS) {
    const lines = await drive(host, vendors, join(folder, host.package.replaceAll("/", "-")));
    process.stdout.write(`${lines.join("\n")}\n`);
  }
} finally {
  for (const end of ends) await end();
}
