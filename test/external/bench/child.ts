// What a process that the bench has started tells it, one message after the other.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Returns what waits for the next message. @throws when the process ends by itself. */
export function nextMessageOf(child: ChildProcess, name: string): () => Promise<unknown> {
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`${name} ended by itself`)));
  // Its end is what stopping asks for; only somebody who waits for a message minds.
  ended.catch(() => {});
  return async () => {
    const [message]: unknown[] = await Promise.race([once(child, "message"), ended]);
    return message;
  };
}
