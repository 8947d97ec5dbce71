// `npm run pictures [folder]`: the pictures of the README, into docs/ unless another folder is named. A fresh clone of what is
// committed is started in a terminal, as a stranger starts it; its first lines and its page are what is shown.
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
  ensureInstalled(import.meta.dirname);
  // What it imports has only now been installed.
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
