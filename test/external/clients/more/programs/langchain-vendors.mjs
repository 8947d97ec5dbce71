// An agent of LangChain with the servers of two vendors, and a model that follows a script instead of a key.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { reportChoices, toolsFor, vendors } from "./vendors.mjs";

const servers = vendors.map(({ url }, index) => [`server${index}`, { transport: "http", url }]);
const client = new MultiServerMCPClient({
  mcpServers: Object.fromEntries(servers),
  prefixToolNameWithServerName: true,
});
const tools = await client.getTools();

/** Calls the first fitting tool, then ends with its result. */
class ScriptedModel extends BaseChatModel {
  constructor(vendor) {
    super({});
    this.vendor = vendor;
  }

  _llmType() {
    return "scripted";
  }

  bindTools(bound) {
    this.tools = toolsFor(this.vendor, bound);
    return this;
  }

  async _generate(messages) {
    const last = messages.at(-1);
    if (last.getType() !== "tool") {
      return answer({ content: "", tool_calls: [{ id: "1", name: this.tools[0], args: {} }] });
    }
    this.result = last.text;
    return answer({ content: "Done." });
  }
}

function answer(fields) {
  return { generations: [{ text: "", message: new AIMessage(fields) }] };
}

await reportChoices(async (vendor) => {
  const llm = new ScriptedModel(vendor);
  await createReactAgent({ llm, tools }).invoke({ messages: [["user", `What does ${vendor} cost?`]] });
  return { tools: llm.tools, result: llm.result };
});
