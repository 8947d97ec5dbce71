// `npm run pictures [folder]`: makes the README's pictures, in docs/ by default. It starts a fresh clone of the committed
// state in a terminal, as a new user would, and takes pictures of the first lines and of the page.
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ensureInstalled } from "../../support/install.ts";
import { findChromium } from "./find-chromium.ts";
import { startFreshClone } from "./pictures/fresh-clone.ts";
import { terminalPicture } from "./pictures/terminal-picture.ts";

const DOCS = join(import.meta.dirname, "../../../docs");

async function main(folder: string): Promise<void> {
  const found = findChromium();
  if ("reason" in found) throw new Error(`no pictures: ${found.reason}`);
  ensureInstalled();
  // Imported here because its packages may just have been installed.
  const { pagePictures } = await import("./pictures/page-pictures.ts");
  await mkdir(folder, { recursive: true });
  const clone = await startFreshClone();
  try {
    const pictures = {
      "terminal.svg": terminalPicture(clone.printed),
      ...(await pagePictures(clone.address, found.path)),
    };
    for (const [name, picture] of Object.entries(pictures)) {
      await writeFile(join(folder, name), picture);
      process.stdout.write(`${join(folder, name)}: ${Math.ceil(picture.length / 1000)} kB\n`);
    }
  } finally {
    await clone.stop();
  }
}

main(resolve(process.argv[2] ?? DOCS)).catch((failure: unknown) => {
  process.stderr.write(`${failure instanceof Error ? failure.message : String(failure)}\n`);
  process.exitCode = 1;
});
