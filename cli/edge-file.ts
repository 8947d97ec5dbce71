// The file that `vitrine build-edge` writes: the handler, with a vendor's settings as its defaults. It is published as it is, so
// it holds no secret, and no text of the vendor's can end the string that it stands in.
import { randomUUID } from "node:crypto";
import { lstat, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { SettingsProblems } from "../collector/settings/problems.ts";
import type { HandlerOptions } from "../server/edge/interface.ts";
import { errorCode } from "../snapshots/error-code.ts";
import { makeDirectory } from "../snapshots/stores/make-directory.ts";
import { VERSION } from "./package-files.ts";

const BANNER = `// Vitrine ${VERSION}, written by \`vitrine build-edge\`: build it again instead of editing it. Licences: dist/THIRD-PARTY-LICENSES.txt in the package`;
const OURS = /^\/\/ Vitrine \S+, written by `vitrine build-edge`/;
/** The end of dist/edge.mjs. */
const EXPORT = /export\s*\{\s*(?<name>[\w$]+) as createHandler\s*\};?\s*$/;
/** Platforms and development servers run it as it is. The second argument is the environment, or the server. */
const DEFAULT_EXPORT =
  "const handleRequest=createHandler();export default{fetch:(request,_,context)=>handleRequest(request,context)};";

/** `handler`: the text of dist/edge.mjs. Without a `store` in the settings, the text has no default export. */
export function edgeText(handler: string, settings: Partial<HandlerOptions>): string {
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

/** JSON as a string of JavaScript, without the characters that end a script in HTML, or a line in older JavaScript. */
function literal(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(JSON.stringify(value)).replaceAll(/[<\u2028\u2029]/g, escaped);
}

/** Writes the file whole, over nothing but an earlier one. `name`: as the operator knows it.
 * @throws SettingsProblems for anything else in its place, Error if the system refuses. */
export async function writeEdge(path: string, name: string, text: string): Promise<void> {
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

async function refuseOther(path: string, name: string): Promise<void> {
  const stats = await lstat(path).catch(ignoreMissing);
  if (!stats || (stats.isFile() && OURS.test(await beginningOf(path)))) return;
  const problem = stats.isDirectory() ? "is a directory" : "was not written by build-edge";
  throw new SettingsProblems("the command line", [`--out   ${name} ${problem}: name another file, or move it away`]);
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BANNER.length));
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** @throws any other error. */
function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) !== "ENOENT") throw error;
}
