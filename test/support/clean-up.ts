// Clean-ups of what many tests share.
import { afterAll } from "vitest";

type CleanUp = () => Promise<void> | void;

/** Returns a function that registers clean-ups for the end of the file, also from `beforeAll`, where vitest ignores an `afterAll`.
 * The last one comes first. */
export function afterTests(): (cleanUp: CleanUp) => void {
  const cleanUps: CleanUp[] = [];
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  return (cleanUp) => void cleanUps.unshift(cleanUp);
}
