// Hints with a command, which the operator can copy as they are: `npm run status` in a checkout, `npx --no vitrine status`
// for a local package, `vitrine status` for a global one, and `node dist/vitrine.mjs status` for anything else; or as TYPED_AS
// says, by which a container or a unit names the words that work outside of it, and after a bar what stands for some commands:
// `docker compose run collector | start, serve: docker compose up`. With --no, npx runs only what is installed, and never a package
// of that name from the registry.
import { AsyncLocalStorage } from "node:async_hooks";
import { delimiter, dirname, isAbsolute, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const INVOKED = {
  /** Path of this program's code. */
  code: fileURLToPath(import.meta.url),
  /** Path of the script in the command line, which may be a link to the code. */
  script: process.argv[1] ?? "",
  words: process.argv.slice(2),
  directory: process.cwd(),
  environment: process.env,
};
export type Invoked = Readonly<typeof INVOKED>;

/** A command as it is typed here. `command`: a command of Vitrine with its words, such as `collect --accept plans`. */
export function typed(command: string, invoked: Invoked = INVOKED): string {
  const { code, script, directory, environment } = invoked;
  if (environment.TYPED_AS) return typedOutside(environment.TYPED_AS, command);
  if (code.endsWith(".ts")) return npmScript(command);
  const [holder = ""] = code.split(/[\\/]node_modules[\\/]/, 1);
  if (environment.npm_command === "exec" || (holder !== code && isIn(directory, holder)))
    return `npx --no vitrine ${command}`;
  const folders = (environment.PATH ?? "").split(delimiter);
  // On Windows, the script is not the command itself but in a folder beside it.
  if (folders.some((folder) => [dirname(script), holder].includes(folder))) return `vitrine ${command}`;
  return `node ${quoted(isIn(script, directory) ? relative(directory, script) : script)} ${command}`;
}

/** The words that choose settings, during work on one of several vendors. */
export const wordsHere = new AsyncLocalStorage<readonly string[]>();

/** The same with the options of this process that choose settings and snapshots, for a hint about either. */
export function typedHere(command: string, invoked: Invoked = INVOKED): string {
  const options = { config: { type: "string" }, snapshots: { type: "string" }, demo: { type: "boolean" } } as const;
  const args = [...(wordsHere.getStore() ?? invoked.words)];
  const { values } = parseArgs({ args, options, strict: false, allowPositionals: true });
  const words = Object.keys(options).flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : typeof value === "string" ? [`--${name}`, quoted(value)] : [`--${name}`];
  });
  return typed([command, ...words].join(" "), invoked);
}

function typedOutside(typedAs: string, command: string): string {
  const [words = "", ...others] = typedAs.split(" | ");
  const rules = others.map((other) => /^(?<names>.*?): (?<instead>.*)$/.exec(other)?.groups ?? {});
  const rule = rules.find(({ names }) => names?.split(", ").some((name) => command.startsWith(name)));
  return rule?.instead ?? `${words} ${command}`;
}

function npmScript(command: string): string {
  const [, name = "", rest] = /^(\S+)(?: (.*))?$/.exec(command) ?? [];
  const script = name === "start" ? "npm start" : `npm run ${name}`;
  return rest === undefined ? script : `${script} -- ${rest}`;
}

/** Whether a path is that of the folder, or of something in it. Follows no links. */
export function isIn(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way.split(sep)[0] !== ".." && !isAbsolute(way);
}

function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`;
}
