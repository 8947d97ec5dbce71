// `vitrine init`: writes settings that work at once, with sample facts to replace. Asks nothing, overwrites nothing.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { EXIT, type Context } from "../command.ts";
import { errorLine } from "../output/terminal.ts";
import { CONFIG_FILE } from "../settings/configure.ts";
import { DEMO, SCHEMA, typed } from "../package-files.ts";
import { errorCode } from "../../snapshots/error-code.ts";

type NewFile = [path: string, contents: string];

export async function run({ directory, terminal }: Context): Promise<number> {
  const schema = await schemaFor(directory);
  const settings = {
    $schema: schema.reference,
    api: { name: "My product", description: "Plans, prices and desktop releases of My product." },
    plans: { from: "file", path: "product/plans.json" },
    releases: { from: "file", path: "product/releases.json" },
    schedule: "*/15 * * * *",
    staleAfter: "24h",
  };
  const files: NewFile[] = [
    [CONFIG_FILE, `${JSON.stringify(settings, null, 2)}\n`],
    ["product/plans.json", await readFile(new URL("plans.json", DEMO), "utf8")],
    ["product/releases.json", await readFile(new URL("releases.json", DEMO), "utf8")],
    ...schema.files,
  ];
  for (const [path, contents] of files) {
    if (await writeNew(join(directory, path), contents)) {
      terminal.out(`  ${terminal.style("green", "✔")} ${path} written`);
    } else if (path === CONFIG_FILE) {
      terminal.err(errorLine(terminal, `${path} already exists; not changed`));
      return EXIT.settings;
    } else {
      terminal.out(`  ${path} already exists; not changed`);
    }
  }
  const next = `Then: ${typed("start")}`;
  terminal.out(`\n  Put your own facts into product/, or point the settings at your services. ${next}`);
  return EXIT.ok;
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
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, contents, { flag: "wx" });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}
