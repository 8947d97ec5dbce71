// Source `module`: a vendor's own code, for upstreams that no other source reads. It is as trusted as the collector, but its
// accidents are contained: it runs on a thread, and its answer passes the same gate as every other. The settings still call the
// kind `module`.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import { withDeadline } from "../http/deadline.ts";
import { UpstreamError } from "../http/errors.ts";
import { requestTimeout } from "../http/request.ts";
import { ownSchedule } from "../setting-values.ts";
import { sourceKind } from "../source.ts";
import { readInTime } from "./fetch-document.ts";
import { runModule } from "./module/run-module.ts";
import { ownCandidate, ownShapeReader } from "./own-shape/own-shape.ts";

export const vendorModule = sourceKind({
  settings: z
    .strictObject({
      from: z.literal("module"),
      path: z
        .string()
        .regex(/\.(m?js|m?ts)$/, "must be a path that ends in .mjs, .js, .mts or .ts")
        .describe("Path of a JavaScript or TypeScript module, relative to the settings file"),
      timeout: requestTimeout.describe("Total time for the module, after which it is terminated"),
      schedule: ownSchedule,
    })
    .describe("Your own module, whose default export returns facts in Vitrine's own shape"),
  readers: [],
  open(settings, { names, directory, environment, standIns, log = () => {} }) {
    const path = resolve(directory, settings.path);
    const { timeout: deadline } = settings;
    return {
      kind: "module",
      names,
      fetch: ({ signal: stop }) =>
        withDeadline(deadline, stop, async (signal) => {
          await findFile(path);
          const logPlain = (line: string) => log(plain(line));
          const run = runModule(path, { names, environment, standIns, deadline, signal, log: logPlain });
          const answer = await run.catch((error: unknown) => {
            if (!signal.aborted || stop.aborted) throw error;
            throw new UpstreamError(`the module did not answer within ${deadline / 1000} s`, { cause: error });
          });
          const body = { body: Buffer.from(answer), contentType: "" };
          return {
            upstream: await readInTime(ownShapeReader, body, { selection: { names, at: "names" }, deadline, signal }),
          };
        }),
      translate: ownCandidate,
    };
  },
});

async function findFile(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isFile()) throw new UpstreamError("the module does not exist");
}

const MAX_LINE_LENGTH = 200;

/** A single line without control characters. */
function plain(line: string): string {
  return line
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")
    .slice(0, MAX_LINE_LENGTH)
    .toWellFormed();
}
