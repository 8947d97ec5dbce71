// `vitrine build-edge`: writes the read surface as one file for platforms that run a function, with the vendor's settings and the
// contents of the files that they name.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { SettingsProblems } from "../../collector/settings/problems.ts";
import type { HandlerOptions } from "../../server/edge/interface.ts";
import { readLogo } from "../../server/logo.ts";
import { readTexts } from "../../server/texts/read-texts.ts";
import { errorCode } from "../../snapshots/error-code.ts";
import { isFollowed } from "../../snapshots/open-store.ts";
import { contentProblems } from "../checks/contents.ts";
import { EXIT, type Context } from "../command.ts";
import { edgeText, writeEdge } from "../edge-file.ts";
import { EDGE } from "../package-files.ts";
import { configure, type Configuration } from "../settings/configure.ts";
import { elsewhere } from "../settings/problems.ts";

export async function run(context: Context): Promise<number> {
  const { directory, flags, terminal } = context;
  const configuration = configure(context);
  const problems = [...problemsAtTheEdge(configuration), ...contentProblems(configuration.settings.api)];
  if (problems.length > 0) throw new SettingsProblems(configuration.file, problems);
  const settings = settingsOf(configuration);
  const text = edgeText(await readHandler(), settings);
  const name = typeof flags.out === "string" ? flags.out : "vitrine-edge.mjs";
  await writeEdge(resolve(directory, name), name, text);
  const bytes = Buffer.from(text);
  const size = `${kilobytes(bytes)} minified, ${kilobytes(gzipSync(bytes))} with gzip`;
  terminal.out(`  ${terminal.style("green", "✔")} ${name} written: ${size}`);
  terminal.out(
    settings.store === undefined
      ? `\n  Import createHandler from it and give it the platform's store: createHandler({ store }). Or name a place that every platform can read: --snapshots https://host/snapshots/`
      : `\n  It answers from ${configuration.settings.snapshots}, as ${settings.api?.baseUrl}: deploy it, or try it with: deno serve --allow-net ${name}`,
  );
  return EXIT.ok;
}

function problemsAtTheEdge({ settings, location, origins }: Configuration): string[] {
  const hasUserInfo = isFollowed(location) && location !== settings.snapshots;
  const missing = "is missing: a function does not know its address; set the public one, such as https://facts.example";
  return [
    ...(settings.api.baseUrl === undefined
      ? [`api.baseUrl   ${missing}${elsewhere("api.baseUrl", origins.get("api.baseUrl"))}`]
      : []),
    ...(hasUserInfo
      ? [
          "snapshots   must have no user name and no password, because the file is published: leave them out, and give the whole location to createHandler({ store }) from a secret of the platform",
        ]
      : []),
  ];
}

/** All that the file gives away. */
function settingsOf({ settings, location }: Configuration): Partial<HandlerOptions> {
  const { overview, faq, logo: path, ...api } = settings.api;
  const texts = readTexts(settings.api);
  const logo = readLogo(path);
  return {
    ...(isFollowed(location) && { store: location }),
    api,
    texts: {
      ...(overview !== undefined && { overview: texts.overview }),
      ...(faq !== undefined && { faq: texts.faq }),
    },
    ...(logo !== undefined && { logo }),
    share: settings.share,
  };
}

/** @throws Error in a checkout that has not been built. */
async function readHandler(): Promise<string> {
  try {
    return await readFile(EDGE, "utf8");
  } catch (error) {
    const code = errorCode(error) ?? "unknown error";
    throw new Error(`dist/edge.mjs cannot be read (${code}): in a checkout, run \`npm run build\` first`, {
      cause: error,
    });
  }
}

function kilobytes({ byteLength }: Buffer): string {
  return `${Math.ceil(byteLength / 1000)} KB`;
}
