// The client of the AI SDK. Its argument is the package name of a version. Tools are called as an agent does: created from
// their definitions and executed.
import { sdkAdapter, extraArguments, reportAll, url } from "./report.mjs";

const { createMCPClient } = await import(extraArguments[0]);
const client = await createMCPClient({ transport: { type: "http", url } });
const tools = await client.tools();
await reportAll({
  ...sdkAdapter(client),
  tools: () => Object.keys(tools),
  call: (name, input) => tools[name].execute(input, { toolCallId: "1", messages: [] }),
});
