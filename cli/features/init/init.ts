// `vitrine init`: writes settings that work at once, with sample facts to replace; with --from, the releases are those of a
// repository, which is asked once, without a secret. Asks the operator nothing, overwrites nothing.
// after: dry-run, kinds
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { examineSnapshot } from "../../../collector/features/dry-run/dry-run.ts";
import { UpstreamError } from "../../../collector/http/errors.ts";
import { askAnew, reasonOf } from "../../../collector/run/ask.ts";
import { withRunDeadline } from "../../../collector/run/schedule.ts";
import { collectorSettings, openRun } from "../../../collector/settings.ts";
import { SettingsProblems } from "../../../collector/settings-problems.ts";
import type { Found, UpstreamAnswer } from "../../../collector/source.ts";
import { areAlike } from "../../../collector/features/kinds/releases/file-name.ts";
import { openFacts, SYSTEM_CLOCK } from "../../../snapshots/facts.ts";
import { isSafeUrl, isThisComputer, parseUrl } from "../../../snapshots/rules.ts";
import { PLATFORMS, type Platform } from "../../../snapshots/schema.ts";
import { productOf, releaseName } from "../../../snapshots/snapshot.ts";
import { makeDirectory } from "../../../snapshots/stores/files/file-system.ts";
import { insteadOf } from "../../../snapshots/system-calls.ts";
import { isIn, typed } from "../../command-hints.ts";
import { EXIT, type Context } from "../../command.ts";
import { doubtsOf, othersOf } from "../dry-run/dry-run-lines.ts";
import { errorLine, row } from "../../output/terminal.ts";
import { SCHEMA } from "../../package-files.ts";
import { CONFIG_FILE, OTHER_FILE, SAMPLE_NAME } from "../../settings/configure.ts";
import { sampleText } from "./sample-facts.ts";

export async function run(context: Context): Promise<number> {
  const { directory, terminal, flags, operands: [where] = [] } = context;
  const present = [CONFIG_FILE, OTHER_FILE].find((file) => existsSync(join(directory, file)));
  if (present !== undefined) {
    terminal.err(errorLine(`${present} already exists; not changed: edit it, or move it away first`));
    return EXIT.settings;
  }
  if (typeof flags.from === "string") return initFrom(readRepository(flags.from, where), context);
  if (where !== undefined) {
    const from = parseUrl(where) ? where : `github ${where}`;
    throw mistake(`"${where}" needs --from, such as --from ${from}`);
  }
  const releases = { from: "file", path: "product/releases.json" };
  const samples: NewFile[] = [["product/releases.json", sampleText("releases.json")]];
  await writeSettings({ name: SAMPLE_NAME, releases, samples }, context);
  const next = `Then: ${typed("start")}`;
  terminal.out(`\n  Put your own facts into product/, or point the settings at your services. ${next}`);
  return EXIT.ok;
}

interface Repository {
  /** A place such as `github.com/acme/notes`. */
  name: string;
  source: { from: string };
}

/** `from`: a kind or a URL. `where`: OWNER/REPO or a URL, if `from` is a kind. @throws SettingsProblems */
export function readRepository(from: string, where: string | undefined): Repository {
  const url = parseUrl(where ?? from);
  if (url && !isSafeUrl(url)) throw mistake("the URL must be https, without user name (http only on this computer)");
  const kind = where === undefined && url ? kindOfHost(url) : from;
  const host = Object.hasOwn(HOSTS, kind) ? HOSTS[kind] : undefined;
  if (!host) throw mistake(`"${kind}" is not one of ${KINDS.join(", ")}, or the URL of a repository`);
  const path = host.path.exec(url?.pathname ?? where ?? "")?.groups?.path;
  // In the path of a URL, the rest is a page of the repository; without a host, a third part is a mistake.
  const isWhole = url !== undefined || path === where?.replace(/\.git$/, "");
  if (path === undefined || !isWhole || !(url || host.isDefault)) {
    throw mistake(`--from ${kind} needs ${host.isDefault ? "OWNER/REPO or " : ""}the URL of a repository`);
  }
  const origin = url?.origin ?? host.origin;
  return { name: `${new URL(origin).host}/${path}`, source: host.source(path, origin) };
}

interface Host {
  /** The best-known host of this kind. */
  origin: string;
  /** Whether a path without a host is one there. */
  isDefault: boolean;
  /** The path of the repository in the path of any of its pages. */
  path: RegExp;
  source(path: string, origin: string): { from: string };
}

const OWNER_AND_NAME = /^\/*(?<path>[^/]+\/[^/]+?)(?:\.git)?(?:\/.*)?$/;
const GITHUB = "https://github.com";
const GITLAB = "https://gitlab.com";
const HOSTS: Readonly<Record<string, Host>> = {
  github: {
    origin: GITHUB,
    isDefault: true,
    path: OWNER_AND_NAME,
    // A host elsewhere has the API of a GitHub Enterprise Server.
    source: (repo, origin) => ({ from: "github", repo, ...(origin !== GITHUB && { api: `${origin}/api/v3` }) }),
  },
  gitea: {
    origin: "https://codeberg.org",
    isDefault: false,
    path: OWNER_AND_NAME,
    source: (repo, url) => ({ from: "gitea", url, repo }),
  },
  gitlab: {
    origin: GITLAB,
    isDefault: true,
    path: /^\/*(?<path>[^/]+(?:\/[^/]+)+?)(?:\.git)?(?:\/|\/-\/.*)?$/,
    source: (project, origin) => ({ from: "gitlab", project, ...(origin !== GITLAB && { url: origin }) }),
  },
};
const KINDS = Object.keys(HOSTS);

function kindOfHost({ origin, host }: URL): string {
  const kind = KINDS.find((name) => HOSTS[name]?.origin === origin);
  if (kind !== undefined) return kind;
  throw mistake(`${host} is not a known host: name its kind, such as --from gitea URL (${KINDS.join(", ")})`);
}

function mistake(problem: string): SettingsProblems {
  return new SettingsProblems("the command line", [problem]);
}

/** `init --from`: nothing is written if the repository cannot be read. */
async function initFrom(repository: Repository, context: Context): Promise<number> {
  const { terminal } = context;
  try {
    const looks = await lookAt(repository, context.stop);
    for (const line of looks.flatMap((look) => lookLines(look))) terminal.out(line);
    const name = repository.name.replace(/^.*\//, "");
    // The owner is in it, because a name such as "desktop" is that of many.
    const product = productOf(repository.name.replace(/^[^/]*\//, ""));
    const settings = { name, product, releases: releasesFrom(repository, looks), samples: [] };
    await writeSettings(settings, context);
    const isRefused = looks.some(({ reason }) => reason !== undefined);
    const isGuessed = looks.some(({ asset }) => asset !== undefined);
    const missing = `Add the missing setting to "releases" in ${CONFIG_FILE}, put`;
    const guessed = `Check the guessed "asset" in ${CONFIG_FILE}, put`;
    const first = isRefused ? missing : isGuessed ? guessed : "Put";
    terminal.out(`\n  ${first} your own plans into product/plans.json. Then: ${typed("collect --dry-run")}`);
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    terminal.err(errorLine(`${error.message}; nothing written`));
    return EXIT.failed;
  }
}

/** What the source says of a platform: the release that it finds, or the reason why it refuses to choose one. With neither, it is
 * certain that nothing is published. `asset` is a guess that the source needs. */
interface FirstLook {
  platform: Platform;
  found?: Pick<Found, "picked" | "passedOver" | "beyond" | "architectures" | "warnings">;
  version?: string;
  reason?: string;
  remedy?: UpstreamError["failure"]["remedy"];
  asset?: string;
}

/** Asks the source once, without a secret. Warns of a link that is not for everyone. @throws UpstreamError, SettingsProblems */
async function lookAt(repository: Repository, stop: AbortSignal): Promise<FirstLook[]> {
  const { name, source } = repository;
  const first = openFor(repository, source, stop);
  const asked = withRunDeadline(stop, (signal) => askAnew(first.source, signal));
  const answer = await asked.catch((error: unknown) => {
    throw error instanceof UpstreamError ? error.withMessage(`${name}: ${error.message}`) : error;
  });
  const looks = await Promise.all(PLATFORMS.map((platform) => lookFor(platform, first, answer)));
  // One file cannot be the installer for both.
  const isGuessing = looks.filter(({ reason }) => reason !== undefined).length === 1;
  const guessed = looks.map(async (look) => {
    const asset = isGuessing ? guessedAsset(look, name) : undefined;
    if (asset === undefined) return look;
    return { ...(await lookFor(look.platform, openFor(repository, { ...source, asset }, stop), answer)), asset };
  });
  return Promise.all(guessed);
}

/** The run of a collector with this source alone. */
function openFor({ name }: Repository, releases: object, signal: AbortSignal) {
  // A repository on this computer is a rehearsal.
  const checkLink = !isThisComputer(new URL(`https://${name}`).hostname);
  const checked = z.object(collectorSettings).safeParse({ plans: "none", releases, checkLink, guard: false });
  if (!checked.success) throw mistake(`${name} is not the name of a repository`);
  const run = openRun(checked.data, { directory: ".", environment: {}, file: CONFIG_FILE });
  const source = run.sources.at(-1);
  if (!source) throw new Error("no source is opened");
  return { source, run: { ...run, facts: NO_FACTS, reads: new Map(), signal } };
}

/** Nothing is published yet. */
const NO_FACTS = openFacts(
  { pace: 0, get: async () => undefined, list: async () => [], watch: () => () => {}, close: async () => {} },
  { product: undefined, trust: undefined, clock: SYSTEM_CLOCK },
);

async function lookFor(
  platform: Platform,
  { source, run }: ReturnType<typeof openFor>,
  answer: UpstreamAnswer,
): Promise<FirstLook> {
  try {
    const asked = { answer, askedAt: Date.now(), run };
    const { payload, reason, warnings = [], ...found } = await examineSnapshot(source, releaseName(platform), asked);
    if (!payload || !("latest" in payload)) return { platform };
    const doubts = reason === undefined ? warnings : [...warnings, reason];
    return { platform, version: payload.latest.version, found: { ...found, warnings: doubts } };
  } catch (error) {
    const remedy = error instanceof UpstreamError ? error.failure.remedy : undefined;
    return { platform, reason: reasonOf(error), remedy };
  }
}

/** The pattern for a file that is named like the repository. Not for Windows: an archive without a mark is seldom for it. */
function guessedAsset({ platform, remedy }: FirstLook, name: string): string | undefined {
  const asset = remedy?.asset;
  const repository = { name: name.replace(/^.*\//, "") };
  return platform === "macos" && typeof asset === "string" && areAlike({ name: asset }, repository) ? asset : undefined;
}

function lookLines({ platform, found, version, reason, asset }: FirstLook): string[] {
  if (reason !== undefined) return [row("!", platform, reason)];
  if (!found) return [row("✔", platform, "nothing is published for it")];
  const guess = asset === undefined ? [] : [`"asset": ${JSON.stringify(asset)} is a guess: check it`];
  return [
    ...[...doubtsOf(found), ...guess].map((doubt) => row("!", platform, doubt)),
    row("✔", platform, `${version}: ${found.picked ?? ""}`),
    ...othersOf(found).map((other) => `      ${other}`),
  ];
}

/** One source for both platforms, unless they differ: only one has releases, is refused, or needs a pattern for its file. */
function releasesFrom({ source }: Repository, looks: readonly FirstLook[]): object {
  const stateOf = ({ found, reason }: FirstLook) => (found ? "release" : reason === undefined ? "none" : "refused");
  if (looks.every((look) => look.asset === undefined && stateOf(look) === stateOf(looks[0] ?? look))) return source;
  const settings = looks.map((look) => {
    if (stateOf(look) === "none") return [look.platform, "none"];
    return [look.platform, look.asset === undefined ? source : { ...source, asset: look.asset }];
  });
  return Object.fromEntries(settings);
}

type NewFile = [path: string, contents: string];

async function writeSettings(
  {
    name,
    product,
    releases,
    samples,
  }: { name: string; product?: string; releases: object; samples: readonly NewFile[] },
  { directory, terminal }: Context,
): Promise<void> {
  const schema = await schemaFor(directory);
  const settings = {
    $schema: schema.reference,
    api: { name, description: `Plans, prices and desktop releases of ${name}.` },
    ...(product !== undefined && { product }),
    plans: { from: "file", path: "product/plans.json" },
    releases,
    schedule: "*/15 * * * *",
    staleAfter: "24h",
  };
  const files: NewFile[] = [
    [CONFIG_FILE, `${JSON.stringify(settings, null, 2)}\n`],
    ["product/plans.json", sampleText("plans.json")],
    ...samples,
    ...schema.files,
  ];
  for (const [path, contents] of files) {
    const isWritten = await writeNew(join(directory, path), contents);
    terminal.out(isWritten ? `  ✔ ${path} written` : `  ${path} already exists; not changed`);
  }
}

/** The schema for editors: the package's own if it is in or under the directory, else a copy beside the settings. */
async function schemaFor(directory: string): Promise<{ reference: string; files: NewFile[] }> {
  const schema = fileURLToPath(SCHEMA);
  if (isIn(schema, directory)) return { reference: `./${relative(directory, schema).split(sep).join("/")}`, files: [] };
  return { reference: "./vitrine.schema.json", files: [["vitrine.schema.json", await readFile(SCHEMA, "utf8")]] };
}

/** Returns false if the file already exists. */
async function writeNew(path: string, contents: string): Promise<boolean> {
  await makeDirectory({ mkdir }, dirname(path));
  return writeFile(path, contents, { flag: "wx" }).then(() => true, insteadOf(["EEXIST"], false));
}
