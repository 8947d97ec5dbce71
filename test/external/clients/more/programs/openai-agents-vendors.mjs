// An agent of the OpenAI Agents SDK with the servers of two vendors, and a model that follows a script instead of a key.
import { Agent, MCPServerStreamableHttp, run, Usage } from "@openai/agents";
import { reportChoices, toolsFor, vendors } from "./vendors.mjs";

const mcpServers = vendors.map(({ url }, index) => new MCPServerStreamableHttp({ url, name: `server${index}` }));
for (const server of mcpServers) await server.connect();

/** Calls the first fitting tool, then ends with its result. */
class ScriptedModel {
  constructor(vendor) {
    this.vendor = vendor;
  }

  async getResponse({ input, tools }) {
    const { output } = input.at(-1);
    if (output) {
      this.result = JSON.stringify(output);
      return answer({
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "Done." }],
      });
    }
    this.tools = toolsFor(this.vendor, tools);
    return answer({ type: "function_call", callId: "1", name: this.tools[0], arguments: "{}", status: "completed" });
  }
}

function answer(item) {
  return { usage: new Usage(), output: [item] };
}

await reportChoices(async (vendor) => {
  const model = new ScriptedModel(vendor);
  const agent = new Agent({ name: "buyer", model, mcpServers, mcpConfig: { includeServerInToolNames: true } });
  await run(agent, `What does ${vendor} cost?`);
  return { tools: model.tools, result: unescaped(model.result) };
});

/** The texts in a JSON of content blocks. */
function unescaped(json) {
  const texts = [];
  JSON.parse(json, (name, value) => {
    if (name === "text" && typeof value === "string") texts.push(value);
    return value;
  });
  return texts.join("\n");
}
