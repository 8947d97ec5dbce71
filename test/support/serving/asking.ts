// Clients that ask one request after another while a test does something to the servers.
import { setTimeout as sleep } from "node:timers/promises";
import type { Reply } from "./server.ts";

interface Asking {
  clients: number;
  /** Of each client between two requests, so that the servers can work beside them. */
  pauseMs: number;
}

/** Starts clients. `seen`: the number of answers, and what is not 200; `end` resolves to it once no request is under way. */
export function startAsking(ask: (client: number, count: number) => Promise<Reply>, { clients, pauseMs }: Asking) {
  const seen = { count: 0, others: [] as string[] };
  let isOver = false;
  const keepAsking = async (client: number): Promise<void> => {
    for (; !isOver; seen.count++) {
      const answer = await ask(client, seen.count).catch(String);
      if (typeof answer === "string") seen.others.push(answer);
      else if (answer.status !== 200) seen.others.push(`${answer.status} ${answer.text}`);
      await sleep(pauseMs);
    }
  };
  const asking = Array.from({ length: clients }, (_, client) => keepAsking(client));
  const end = async () => {
    isOver = true;
    await Promise.all(asking);
    return seen;
  };
  return { seen, end };
}
