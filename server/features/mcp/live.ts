// POST /mcp at the edge, answered by the SDK itself.
import type { Posting } from "../../door/responder.ts";
import { postingOf, type McpOptions } from "./http.ts";
import { identityOf } from "./identity.ts";
import type { McpAnswers } from "./respond.ts";
import { resourcesOf } from "./resources.ts";
import { factsOf } from "./results.ts";

/** Sets the SDK up at the first message: its schemas take a tenth of the start at the edge. */
export function liveMcp(options: McpOptions): Posting {
  const { api, base, logo, texts, mirror } = options;
  let answers: Promise<McpAnswers> | undefined;
  const load = async (): Promise<McpAnswers> => {
    const { createAnswerer, liveAnswer } = await import("./sdk-server.ts");
    const identity = identityOf(api, base, logo);
    const ask = await createAnswerer(resourcesOf(api, texts, options), identity);
    const facts = factsOf(mirror, identity);
    return { recorded: () => undefined, answer: async (call) => liveAnswer(call, await ask(call, facts)) };
  };
  return postingOf(options, () => (answers ??= load()));
}
