// `vitrine init`: writes settings that work at once, with sample facts to replace; with --from, the releases are those of a
// repository, which is asked once. Asks the operator nothing, overwrites nothing.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { UpstreamError } from "../../collector/http/upstream-error.ts";
import { SettingsProblems } from "../../collector/settings/problems.ts";
import { errorCode } from "../../snapshots/error-code.ts";
import { parseUrl } from "../../snapshots/rules.ts";
import { makeDirectory } from "../../snapshots/stores/make-directory.ts";
import { EXIT, type Context } from "../command.ts";
import { errorLine, type Terminal } from "../output/terminal.ts";
import { SCHEMA } from "../package-files.ts";
import { lookAt, readRepository, type FirstLook, type Repository } from "../repository.ts";
import { sampleText } from "../sample-facts.ts";
import { CONFIG_FILE } from "../settings/configure.ts";
import { typed } from "../typed.ts";

type NewFile = [path: string, contents: string];

export async function run({ directory, terminal, flags, operands: [where] = [], stop }: Context): Promise<number> {
  if (existsSync(join(directory, CONFIG_FILE))) {
    terminal.err(errorLine(terminal, `${CONFIG_FILE} already exists; not changed`));
    return EXIT.settings;
  }
  if (typeof flags.from === "string") return initFrom(readRepository(flags.from, where), { directory, terminal, stop });
  if (where !== undefined) {
    const from = parseUrl(where) ? where : `github ${where}`;
    throw new SettingsProblems("the command line", [`"${where}" needs --from, such as --from ${from}`]);
  }
  const releases = { from: "file", path: "product/releases.json" };
  const samples: NewFile[] = [["product/releases.json", sampleText("releases.json")]];
  await writeSettings({ name: "My product", releases, samples }, { directory, terminal });
  const next = `Then: ${typed("start")}`;
  terminal.out(`\n  Put your own facts into product/, or point the settings at your services. ${next}`);
  return EXIT.ok;
}

/** `init --from`: nothing is written if the repository cannot be read. */
async function initFrom(
  repository: Repository,
  { directory, terminal, stop }: Pick<Context, "directory" | "terminal" | "stop">,
): Promise<number> {
  try {
    const looks = await lookAt(repository, stop);
    for (const line of looks.flatMap((look) => lookLines(terminal, look))) terminal.out(line);
    const name = repository.name.replace(/^.*\//, "");
    await writeSettings({ name, releases: releasesFrom(repository, looks), samples: [] }, { directory, terminal });
    const isRefused = looks.some(({ state }) => state === "refused");
    const first = isRefused ? `Add the missing setting to "releases" in ${CONFIG_FILE}, put` : "Put";
    terminal.out(`\n  ${first} your own plans into product/plans.json. Then: ${typed("collect --dry-run")}`);
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    terminal.err(errorLine(terminal, `${error.message}; nothing written`));
    return EXIT.failed;
  }
}

function lookLines({ style }: Terminal, look: FirstLook): string[] {
  const platform = look.platform.padEnd(9);
  switch (look.state) {
    case "release":
      return [
        `  ${style("green", "✔")} ${platform} ${look.version}: ${look.picked}`,
        ...look.architectures.map((other) => `      also has ${other} (choose it with "arch")`),
      ];
    case "none":
      return [`  ${style("green", "✔")} ${platform} nothing is published for it`];
    case "refused":
      return [`  ${style("yellow", "!")} ${platform} ${look.reason}`];
  }
}

/** One source for both platforms, unless only one of them has releases. */
function releasesFrom({ source }: Repository, looks: readonly FirstLook[]): object {
  if (looks.filter(({ state }) => state === "none").length !== 1) return source;
  return Object.fromEntries(looks.map(({ platform, state }) => [platform, state === "none" ? "none" : source]));
}

async function writeSettings(
  { name, releases, samples }: { name: string; releases: object; samples: readonly NewFile[] },
  { directory, terminal }: Pick<Context, "directory" | "terminal">,
): Promise<void> {
  const schema = await schemaFor(directory);
  const settings = {
    $schema: schema.reference,
    api: { name, description: `Plans, prices and desktop releases of ${name}.` },
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
    terminal.out(
      isWritten ? `  ${terminal.style("green", "✔")} ${path} written` : `  ${path} already exists; not changed`,
    );
  }
}

/** The JSON Schema for editors: the package's own if the package is installed in or under the directory, else a copy
 * beside the settings. */
async function schemaFor(directory: string): Promise<{ reference: string; files: NewFile[] }> {
  const path = relative(directory, fileURLToPath(SCHEMA));
  const isInside = !path.startsWith("..") && !isAbsolute(path);
  if (isInside) return { reference: `./${path.split(sep).join("/")}`, files: [] };
  return { reference: "./vitrine.schema.json", files: [["vitrine.schema.json", await readFile(SCHEMA, "utf8")]] };
}

/** Returns false if the file already exists. */
async function writeNew(path: string, contents: string): Promise<boolean> {
  await makeDirectory({ mkdir }, dirname(path));
  try {
    await writeFile(path, contents, { flag: "wx" });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}
