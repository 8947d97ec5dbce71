// What a collector does to a server, for the bench: a process of its own that publishes plans which differ from the last
// ones whenever it is asked to, and tells when they were in place.
import { fork } from "node:child_process";
import { Catalogue } from "./catalogue.ts";
import { nextMessageOf } from "./child.ts";

export interface Publisher {
  /** Resolves when all is done, to when the new plans were in place, by `systemClock`. */
  publishNext(): Promise<number>;
  stop(): void;
}

/** Starts this file as a process, which fills the directory with everything that Vitrine needs to be ready. */
export async function startPublisher(directory: string, plans: number): Promise<Publisher> {
  const child = fork(import.meta.filename, [directory, String(plans)], { execArgv: ["--import", "tsx"] });
  const told = nextMessageOf(child, "the publisher") as () => Promise<number>;
  await told();
  const publishNext = () => {
    child.send("next");
    return told();
  };
  return { publishNext, stop: () => child.kill() };
}

/** Milliseconds by a clock that only runs, the same in every process. */
export function systemClock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

const isOwnProcess = process.argv[1] === import.meta.filename;
if (isOwnProcess) {
  const [, , directory = "", plans] = process.argv;
  let renamedAt = 0;
  const catalogue = new Catalogue(directory, Number(plans), () => (renamedAt = systemClock()));
  process.on("disconnect", () => process.exit());
  process.on("message", () => void catalogue.publishNext().then(() => process.send?.(renamedAt)));
  await catalogue.fill();
  process.send?.(renamedAt);
}
