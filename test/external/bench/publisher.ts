// A stand-in for the collector, for the bench: a separate process that publishes changed plans on request and reports the
// time at which they were in place.
import { fork } from "node:child_process";
import { Catalogue } from "./catalogue.ts";
import { nextMessageOf } from "./child.ts";
import { systemClock } from "./connection.ts";

export interface Publisher {
  /** Publishes, then resolves to the time at which the plans were in place, by `systemClock`. */
  publishNext(): Promise<number>;
  stop(): void;
}

/** Starts this file as a process, which first publishes all snapshots that Vitrine needs to be ready. */
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
