// The programs for browsers as a module of texts, which server, package and edge serve as they are: the same bytes everywhere,
// and so the same hash.
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

/** The text of server/widgets/built.ts. @throws Error if something does not compile. */
export function widgets(): string {
  const [embed, card] = ["embed", "card"].map((name) => JSON.stringify(program(`server/widgets/${name}.ts`)));
  return `// Written by \`npm run generate\` from the other files of this folder.
export const EMBED = ${embed};
export const CARD = ${card};
`;
}

function program(entryPoint: string): string {
  const { outputFiles } = buildSync({
    absWorkingDir: fileURLToPath(new URL("../..", import.meta.url)),
    entryPoints: [entryPoint],
    write: false,
    bundle: true,
    minify: true,
    format: "iife",
    charset: "utf8",
    target: "es2022",
    logLevel: "warning",
  });
  return outputFiles[0]?.text ?? "";
}
