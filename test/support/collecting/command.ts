// Collects from a vendor's own program that the test has written into a temporary directory.
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { openSources } from "../../../collector/settings.ts";
import { SourceSettings } from "../../../collector/sources/sources.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { runnerOf, snapshotFiles } from "./collector.ts";
import { temporaryDirectory } from "../directory.ts";
import { listen } from "../listen.ts";
import { vendorPlans, vendorReleases } from "./vendor.ts";

/** Prints valid plans, as JavaScript. */
export const PRINT_PLANS = `process.stdout.write(${JSON.stringify(JSON.stringify(vendorPlans()))});`;

interface CommandOptions {
  /** By default `node source.mjs`, which has the text. */
  command?: string[];
  env?: Record<string, string>;
  timeout?: string;
  /** The collector's; PATH is that of the test. */
  environment?: Record<string, string>;
  /** Collects the releases from the program, too; otherwise from a file. */
  releases?: boolean;
  /** Registers clean-up for the end of the test. Concurrent tests pass `onTestFinished` of their context. */
  onFinished?: (cleanUp: () => Promise<void>) => void;
  /** Aborts the run. */
  signal?: AbortSignal;
  /** Called with each line that the program writes to stderr. */
  onLine?: (line: string) => void;
}

/** Collects plans, or all facts, from a program with this text. */
export async function collectCommand(text: string, wanted: CommandOptions = {}) {
  const { command = ["node", "source.mjs"], env, timeout = "20s", environment = {}, onLine = () => {} } = wanted;
  const directory = await temporaryDirectory(wanted.onFinished);
  await writeFile(join(directory, "source.mjs"), text);
  const source = SourceSettings.parse({ from: "command", command, env, timeout });
  await writeFile(join(directory, "releases.json"), JSON.stringify(vendorReleases()));
  const releases = wanted.releases ? source : { from: "file" as const, path: "releases.json" };
  const lines: string[] = [];
  const log = (line: string) => (lines.push(line), onLine(line));
  const sources = openSources(
    { plans: source, releases },
    { directory, environment: { PATH: process.env.PATH, ...environment }, file: "x", log },
  );
  const collect = runnerOf(sources, openStore(join(directory, "facts")));
  const outcomes = await collect(wanted.signal && { signal: wanted.signal });
  const { plans, "release-macos": macos, "release-windows": windows } = outcomes;
  const all = JSON.stringify([outcomes, lines, await snapshotFiles(join(directory, "facts"))]);
  return { directory, plans, macos, windows, lines, all };
}

/** Sees processes begin and end: each connects to it, and the system closes the connection of one that has ended. */
export async function startWitness() {
  const server = createServer();
  const port = await listen(server);
  const closed: Promise<unknown>[] = [];
  server.on("connection", (socket) => {
    closed.push(once(socket.resume(), "close"));
    server.emit("counted");
  });
  return {
    /** Connects a program in JavaScript, and resolves there once it is connected. */
    connect: `await new Promise((resolve) => process.getBuiltinModule("node:net").connect(${port}, "127.0.0.1", resolve));`,
    /** Resolves when so many have connected. */
    begun: async (count: number) => {
      while (closed.length < count) await once(server, "counted");
    },
    /** Resolves when all that have connected have ended, to their number. */
    ended: async () => (await Promise.all(closed)).length,
  };
}
