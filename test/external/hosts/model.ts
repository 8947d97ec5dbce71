// A scripted model on loopback. It speaks the four APIs that the hosts stream from, calls the tools that a script names, and
// gives the script what the host passed on.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";

/** A tool as the model sees it. `group`: some hosts put the tools of a server into one, whose name a call repeats. */
export interface Tool {
  name: string;
  description: string;
  group?: string | undefined;
}

/** What a request gives to the model. */
export interface Turn {
  tools: Tool[];
  /** Of all calls so far, in their order. */
  results: string[];
  /** The whole request. */
  text: string;
}

/** A call, or nothing more to do. */
export type Reply = { tool: Tool; input: object } | undefined;

interface Api {
  /** Of the requests for an answer of the model. */
  path: RegExp;
  read(body: object): Omit<Turn, "text">;
  /** The events of the answer. `id`: another for each. */
  write(reply: Reply, id: string): object[];
}

const SAID = "done";
const json = JSON.stringify;

interface Named {
  name?: string;
  description?: string;
}

function toolOf({ name = "", description = "" }: Named): Tool {
  return { name, description };
}

/** The text of a result, which is a text or a list of parts. */
function plain(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content) ?? "";
  return content.map((part: { text?: string }) => part.text ?? JSON.stringify(part)).join("\n");
}

/** platform.claude.com/docs/en/api/messages */
const messages: Api = {
  path: /^\/v1\/messages(\?|$)/,
  read(body: { tools?: Named[]; messages: { content: string | { type: string; content?: unknown }[] }[] }) {
    const parts = body.messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
    return {
      tools: (body.tools ?? []).map(toolOf),
      results: parts.filter(({ type }) => type === "tool_result").map(({ content }) => plain(content)),
    };
  },
  write(reply, id) {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: `msg_${id}`, type: "message", role: "assistant", model: "scripted", content: [], usage };
    const call = reply && { type: "tool_use", id: `toolu_${id}`, name: reply.tool.name, input: {} };
    const block = call ?? { type: "text", text: "" };
    const input = reply && { type: "input_json_delta", partial_json: json(reply.input) };
    const delta = input ?? { type: "text_delta", text: SAID };
    return [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: reply ? "tool_use" : "end_turn" }, usage },
      { type: "message_stop" },
    ];
  },
};

/** platform.openai.com/docs/api-reference/responses */
const responses: Api = {
  path: /^\/v1\/responses$/,
  read(body: { tools?: (Named & { tools?: Named[] })[]; input: { type: string; output?: unknown }[] }) {
    const tools = (body.tools ?? []).flatMap((tool) =>
      // A namespace has tools.
      tool.tools ? tool.tools.map((one) => ({ ...toolOf(one), group: tool.name })) : [toolOf(tool)],
    );
    const results = body.input.filter(({ type }) => type === "function_call_output");
    return { tools, results: results.map(({ output }) => plain(output)) };
  },
  write(reply, id) {
    const message = { type: "message", role: "assistant", content: [{ type: "output_text", text: SAID }] };
    const { name, group: namespace } = reply?.tool ?? {};
    const call = { type: "function_call", call_id: `call_${id}`, name, namespace, arguments: json(reply?.input) };
    const item = reply ? call : message;
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    return [
      { type: "response.created", response: { id } },
      { type: "response.output_item.done", output_index: 0, item: { ...item, id: `item_${id}` } },
      { type: "response.completed", response: { id, usage } },
    ];
  },
};

/** ai.google.dev/api/generate-content */
const generateContent: Api = {
  path: /:streamGenerateContent\?/,
  read(body: {
    tools?: { functionDeclarations?: Named[] }[];
    contents: { parts?: { functionResponse?: { response: { output?: unknown } } }[] }[];
  }) {
    const tools = (body.tools ?? []).flatMap(({ functionDeclarations = [] }) => functionDeclarations);
    const parts = body.contents.flatMap(({ parts = [] }) => parts);
    return {
      tools: tools.map(toolOf),
      results: parts.flatMap(({ functionResponse: found }) =>
        found ? [plain(found.response.output ?? found.response)] : [],
      ),
    };
  },
  write(reply) {
    const part = reply ? { functionCall: { name: reply.tool.name, args: reply.input } } : { text: SAID };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    return [{ candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP" }], usageMetadata }];
  },
};

/** platform.openai.com/docs/api-reference/chat */
const chatCompletions: Api = {
  path: /^\/v1\/chat\/completions$/,
  read(body: { tools?: { function: Named }[]; messages: { role: string; content: unknown }[] }) {
    return {
      tools: (body.tools ?? []).map((tool) => toolOf(tool.function)),
      results: body.messages.filter(({ role }) => role === "tool").map(({ content }) => plain(content)),
    };
  },
  write(reply, id) {
    const head = { id, object: "chat.completion.chunk", created: 1, model: "scripted" };
    const chunk = (delta: object, finish_reason: string | null) => {
      return { ...head, choices: [{ index: 0, delta, finish_reason }] };
    };
    const call = reply && { name: reply.tool.name, arguments: json(reply.input) };
    const delta = call
      ? { tool_calls: [{ index: 0, id: `call_${id}`, type: "function", function: call }] }
      : { content: SAID };
    return [chunk({ role: "assistant", ...delta }, null), chunk({}, call ? "tool_calls" : "stop")];
  },
};

const APIS = [messages, responses, generateContent, chatCompletions];

/** Starts it. `script`: the reply to each turn that offers tools. */
export async function startModel(script: (turn: Turn) => Reply): Promise<{ address: string; stop: () => void }> {
  let count = 0;
  const server = createServer((request, response) => {
    const api = APIS.find(({ path }) => path.test(request.url ?? ""));
    if (!api) return void response.writeHead(404, { "content-type": "application/json" }).end("{}");
    const answer = async () => {
      const text = await readText(request);
      const turn = { ...api.read(JSON.parse(text) as object), text };
      // Hosts also ask for titles, without tools.
      const reply = turn.tools.length > 0 ? script(turn) : undefined;
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of api.write(reply, String(++count))) {
        const name = "type" in event ? `event: ${String(event.type)}\n` : "";
        response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
      }
      response.end(api === chatCompletions ? "data: [DONE]\n\n" : undefined);
    };
    answer().catch((failure: unknown) => response.destroy(failure instanceof Error ? failure : undefined));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
