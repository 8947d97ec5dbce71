// An operator's clone of the repository, with files that belong to nobody else, and what its server answers.
import { execFileSync } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../support/port.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** For a container to start on a busy machine. */
const ANSWER_MS = 20_000;
const RETRY_MS = 100;

export const SECRET = "not-a-real-one";
/** No image may have them. */
export const PRIVATE = [
  "secrets.env",
  "vitrine.config.json",
  "settings/vitrine.config.json",
  "snapshots/data/plans.json",
];

export interface Project {
  directory: string;
  /** Of the compose file. */
  environment: { PORT: string; BASE_URL: string };
}

export async function makeProject(directory: string): Promise<Project> {
  const listing = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const listed = execFileSync("git", listing, { cwd: ROOT, encoding: "utf8" }).split("\0");
  for (const file of listed.filter((name) => name !== "" && !name.startsWith("test/")))
    await cp(join(ROOT, file), join(directory, file));
  for (const file of PRIVATE) {
    await mkdir(dirname(join(directory, file)), { recursive: true });
    await writeFile(join(directory, file), `BILLING_TOKEN=${SECRET}\n`);
  }
  return { directory, environment: { PORT: String(await freePort()), BASE_URL: "https://facts.acme.example" } };
}

/** The JSON at a path of the server. @throws Error unless it answers 200 in time. */
export async function ask<T>({ environment }: Project, path: string): Promise<T> {
  const latest = performance.now() + ANSWER_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${environment.PORT}${path}`).catch(() => undefined);
    if (answer?.status === 200) return (await answer.json()) as T;
    if (performance.now() > latest) throw new Error(`${path}: ${answer?.status ?? "no answer"}`);
    await sleep(RETRY_MS);
  }
}
