// Messages from a child process of the bench, in order.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Returns a function that waits for the next message. It rejects if the process has ended. */
export function nextMessageOf(child: ChildProcess, name: string): () => Promise<unknown> {
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`${name} ended by itself`)));
  // Stopping ends the process too; the rejection matters only while a message is awaited.
  ended.catch(() => {});
  return async () => {
    const [message]: unknown[] = await Promise.race([once(child, "message"), ended]);
    return message;
  };
}
