// Every reader of large documents, for the thread that reads them. Parsers of XML and YAML are loaded on first use.
import type { DocumentReader } from "./fetch-document.ts";
import { autoupdaterReader } from "./autoupdater/read.ts";
import { electronBuilderReader } from "./electron-builder/read.ts";
import { giteaReader } from "./gitea/read.ts";
import { githubReader } from "./github/read.ts";
import { gitlabReader } from "./gitlab/read.ts";
import { lemonSqueezyProductReader, lemonSqueezyReader } from "./lemonsqueezy/read.ts";
import { ownShapeReader } from "./own-shape/own-shape.ts";
import { paddleCurrencyReader, paddleReader } from "./paddle/read.ts";
import { sparkleReader } from "./sparkle/read.ts";
import { squirrelReader } from "./squirrel/read.ts";
import { stripeReader } from "./stripe/read.ts";
import { tauriReader } from "./tauri/read.ts";
import { velopackReader } from "./velopack/read.ts";

const READERS: readonly DocumentReader<unknown, unknown>[] = [
  ownShapeReader,
  stripeReader,
  paddleReader,
  paddleCurrencyReader,
  lemonSqueezyReader,
  lemonSqueezyProductReader,
  githubReader,
  giteaReader,
  gitlabReader,
  tauriReader,
  electronBuilderReader,
  sparkleReader,
  squirrelReader,
  velopackReader,
  autoupdaterReader,
];

/** @throws Error when a kind has not registered its reader. */
export function readerOf(name: string): DocumentReader<unknown, unknown> {
  const reader = READERS.find((reader) => reader.name === name);
  if (!reader) throw new Error(`readers.ts lacks the reader "${name}"`);
  return reader;
}
