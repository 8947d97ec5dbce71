// The client of the AI SDK, in the version whose package name is given. Tools are called as an agent would: made from
// their definitions and executed.
import { asSdk, given, tell, url } from "./_tell.mjs";

const { createMCPClient } = await import(given[0]);
const client = await createMCPClient({ transport: { type: "http", url } });
const tools = await client.tools();
await tell({
  ...asSdk(client),
  tools: () => Object.keys(tools),
  call: (name, input) => tools[name].execute(input, { toolCallId: "1", messages: [] }),
});
