// A check that is a program: it prints a line for each step, its exit code is 1 if one fails, and it ends everything that it has
// started, also if it is ended itself.

type CleanUp = () => Promise<void>;
export type OnFinished = (cleanUp: CleanUp) => void;

const parts = new Set<CleanUp[]>();

/** Runs a part of the check, then its clean-ups, the last one first. */
export async function withCleanUp<T>(part: (onFinished: OnFinished) => Promise<T>): Promise<T> {
  const cleanUps: CleanUp[] = [];
  parts.add(cleanUps);
  try {
    return await part((cleanUp) => void cleanUps.unshift(cleanUp));
  } finally {
    parts.delete(cleanUps);
    await inOrder(cleanUps);
  }
}

/** Runs the whole check. @throws nothing: an error is a line and exit code 1. */
export async function runCheck(main: (onFinished: OnFinished) => Promise<void>): Promise<void> {
  await withCleanUp(main).catch((failure: unknown) =>
    fail(failure instanceof Error ? failure.message : String(failure)),
  );
}

/** Prints one line for a step, with the error and the output of a command if it fails. Later steps still run. */
export async function step(name: string, check: () => unknown): Promise<void> {
  try {
    await check();
    say(`  ✔ ${name}`);
  } catch (failure) {
    const { message, stdout, stderr } = failure as Error & { stdout?: string; stderr?: string };
    fail([`  ✖ ${name}`, message, stdout, stderr].filter(Boolean).join("\n"));
  }
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function fail(line: string): void {
  say(line);
  process.exitCode = 1;
}

async function inOrder(cleanUps: readonly CleanUp[]): Promise<void> {
  for (const cleanUp of cleanUps) await cleanUp();
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void Promise.allSettled([...parts].map(inOrder)).then(() => process.exit(1));
  });
}
