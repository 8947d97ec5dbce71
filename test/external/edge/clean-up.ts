// Ends everything that the check has started: at the end of each part, and if the check itself is ended.

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

async function inOrder(cleanUps: readonly CleanUp[]): Promise<void> {
  for (const cleanUp of cleanUps) await cleanUp();
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void Promise.allSettled([...parts].map(inOrder)).then(() => process.exit(1));
  });
}
