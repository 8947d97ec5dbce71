// `vitrine build-edge`: writes the read surface as one file for platforms that run a function: the handler, with the
// vendor's settings and the contents of the files that they name. It is published as it is, so it holds no secret.
import { randomUUID } from "node:crypto";
import { lstatSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { SettingsProblems } from "../../../collector/settings-problems.ts";
import { readApiFiles, readings } from "../../../server/features/api-files/api-files.ts";
import type { HandlerOptions } from "../../../server/features/edge/interface.ts";
import { whatApplies } from "../../../snapshots/rules.ts";
import { makeDirectory } from "../../../snapshots/stores/files/file-system.ts";
import { isFollowed } from "../../../snapshots/stores/open-store.ts";
import { errorCode } from "../../../snapshots/system-calls.ts";
import { EXIT, type Context } from "../../command.ts";
import { EDGE, VERSION } from "../../package-files.ts";
import { warningLine } from "../../output/terminal.ts";
import { configure, type Configuration } from "../../settings/configure.ts";
import { problemLine, problemsOf, withoutUserInfo } from "../../settings/problems.ts";

export async function run(context: Context): Promise<number> {
  const { directory, flags, terminal } = context;
  const configuration = configure(context);
  const problems = [...problemsAtTheEdge(configuration), ...readings(configuration.settings.api).flatMap(problemsOf)];
  if (problems.length > 0) throw new SettingsProblems(configuration.file, problems);
  const settings = settingsOf(configuration);
  const text = edgeText(await readHandler(), settings);
  const name = typeof flags.out === "string" ? flags.out : "vitrine-edge.mjs";
  await writeEdge(resolve(directory, name), name, text);
  const bytes = Buffer.from(text);
  const size = `${kilobytes(bytes)} minified, ${kilobytes(gzipSync(bytes))} with gzip`;
  terminal.out(`  ✔ ${name} written: ${size}`);
  terminal.out(
    settings.store === undefined
      ? `\n  Import createHandler from it and give it the platform's store: createHandler({ store }). Or name a place that every platform can read: --snapshots https://host/snapshots/`
      : `\n  It answers from ${configuration.settings.snapshots}, as ${settings.api?.baseUrl}: deploy it, or try it with: deno serve --allow-net ${name}`,
  );
  if (settings.store !== configuration.settings.snapshots && settings.store !== undefined) {
    const text = `${name} has the whole location of the snapshots: if its path is a secret, give it to createHandler({ store }) instead`;
    terminal.err(warningLine(text));
  }
  return EXIT.ok;
}

function problemsAtTheEdge({ settings, location, origins }: Configuration): string[] {
  const isReadable = isFollowed(location);
  const missing = "is missing: a function does not know its address; set the public one, such as https://facts.example";
  return whatApplies({
    [problemLine("api.baseUrl", missing, origins)]: settings.api.baseUrl === undefined,
    "snapshots   must have no user name and no password, because the file is published: leave them out, and give the whole location to createHandler({ store }) from a secret of the platform":
      isReadable && location !== withoutUserInfo(location),
    "snapshots   a function reads no such place: name one that begins with https://, or leave it out, and give createHandler({ store }) the platform's":
      origins.get("snapshots") === "flag" && !isReadable,
  });
}

/** All that the file gives away. */
function settingsOf({ settings, location, trust }: Configuration): Partial<HandlerOptions> {
  const { name, overview: _overview, faq: _faq, logo: _logo, picture: _picture, ...api } = settings.api;
  const { product } = settings;
  const { texts, logo, picture } = readApiFiles(settings.api);
  return {
    ...(isFollowed(location) && { store: location }),
    // The default name is that of many, and would become the product.
    ...(product === undefined ? { api } : { product, api: { name, ...api } }),
    ...(trust && { trust: { issuer: trust.issuers, keys: trust.keys } }),
    texts,
    ...(logo !== undefined && { logo }),
    ...(picture !== undefined && { picture }),
    share: settings.share,
  };
}

/** @throws Error in a checkout that has not been built. */
async function readHandler(): Promise<string> {
  return readFile(EDGE, "utf8").catch((cause: unknown) => {
    const code = errorCode(cause) ?? "unknown error";
    throw new Error(`dist/edge.mjs cannot be read (${code}): in a checkout, run \`npm run build\` first`, { cause });
  });
}

const BANNER = `// Vitrine ${VERSION}, written by \`vitrine build-edge\`: build it again instead of editing it. Licences: dist/THIRD-PARTY-LICENSES.txt in the package`;
const OURS = /^\/\/ Vitrine \S+, written by `vitrine build-edge`/;
/** The end of dist/edge.mjs. */
const EXPORT = /export\s*\{\s*(?<name>[\w$]+) as createHandler\s*\};?\s*$/;
const DEFAULT_EXPORT =
  "const handleRequest=createHandler();export default{fetch:(request,_,context)=>handleRequest(request,context)};";

/** The handler with the settings as its defaults. `handler`: the text of dist/edge.mjs. Without a `store` in the
 * settings, the text has no default export. */
function edgeText(handler: string, settings: Partial<HandlerOptions>): string {
  const name = EXPORT.exec(handler)?.groups?.name;
  if (name === undefined) throw new Error("dist/edge.mjs is not of this version: run `npm run build`");
  const parts = ["api", "texts"].map((part) => `${part}:{...vendor.${part},...options.${part}}`);
  return [
    BANNER,
    handler.replace(EXPORT, ""),
    `const vendor=JSON.parse(${literal(settings)});`,
    `export const createHandler=(options={})=>${name}({...vendor,...options,${parts.join()}});`,
    settings.store === undefined ? "" : `${DEFAULT_EXPORT}\n`,
  ].join("\n");
}

/** JSON as a string of JavaScript that no text of the vendor's can end: without the characters that end a script in
 * HTML, or a line in older JavaScript. */
function literal(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(JSON.stringify(value)).replaceAll(/[<\u2028\u2029]/g, escaped);
}

/** Writes the file whole, over nothing but an earlier one. `name`: as the operator knows it.
 * @throws SettingsProblems for anything else in its place, Error if the system refuses. */
async function writeEdge(path: string, name: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await refuseOther(path, name);
    await makeDirectory({ mkdir }, dirname(path));
    await writeFile(temporary, text, { flag: "wx" });
    await rename(temporary, path);
  } catch (error) {
    if (error instanceof SettingsProblems) throw error;
    await rm(temporary, { force: true }).catch(() => {});
    throw new Error(`${name} cannot be written (${errorCode(error) ?? "unknown error"})`, { cause: error });
  }
}

/** @throws SettingsProblems for anything but an earlier file of this command. */
async function refuseOther(path: string, name: string): Promise<void> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats || (stats.isFile() && OURS.test(await readFile(path, "utf8")))) return;
  const problem = stats.isDirectory() ? "is a directory" : "was not written by build-edge";
  throw new SettingsProblems("the command line", [`--out   ${name} ${problem}: name another file, or move it away`]);
}

function kilobytes({ byteLength }: Buffer): string {
  return `${Math.ceil(byteLength / 1000)} KB`;
}
