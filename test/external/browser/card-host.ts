// A host of MCP Apps as a web page: it calls a tool by the official client, and shows the tool's card by the extension's own
// app-bridge in a sandbox of another origin. Bundled for the browser.
import { AppBridge, getToolUiResourceUri, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
import { Client, StreamableHTTPClientTransport, type CallToolResult } from "@modelcontextprotocol/client";
import type { McpUiHostCapabilities, McpUiHostContext } from "@modelcontextprotocol/ext-apps";

export interface Wanted {
  /** Address of the MCP server. */
  mcp: string;
  /** Address of the sandbox. */
  sandbox: string;
  tool: string;
  input: Record<string, unknown>;
  /** The fields of the result that the host passes on to the card, by default all. */
  passed?: readonly (keyof CallToolResult)[];
  context: McpUiHostContext;
  capabilities: McpUiHostCapabilities;
}

/** What the check reads and uses by `window.host`. */
export interface Host {
  bridge: AppBridge;
  result: CallToolResult;
  /** The links that the card asked to open. */
  opened: string[];
}

declare global {
  interface Window {
    host: Host;
    show: (wanted: Wanted) => Promise<void>;
    showUninitialized: (wanted: Wanted) => Promise<void>;
  }
}

const INFO = { name: "check", version: "1.0.0" };

/** Shows the card of the tool's result, as a host does. */
window.show = async (wanted) => {
  const { iframe, html, result } = await prepare(wanted);
  const bridge = new AppBridge(null, INFO, wanted.capabilities, { hostContext: wanted.context });
  window.host = { bridge, result, opened: [] };
  bridge.onopenlink = async ({ url }) => {
    window.host.opened.push(url);
    return {};
  };
  bridge.onsizechange = ({ height = 0 }) => (iframe.style.height = `${height}px`);
  const initialized = new Promise<void>((resolve) => (bridge.oninitialized = () => resolve()));
  await bridge.connect(new PostMessageTransport(windowOf(iframe), windowOf(iframe)));
  await bridge.sendSandboxResourceReady({ html });
  await initialized;
  await bridge.sendToolInput({ arguments: wanted.input });
  const passed = Object.entries(result).filter(([field]) => wanted.passed?.includes(field) ?? true);
  await bridge.sendToolResult(Object.fromEntries(passed) as CallToolResult);
};

/** Shows it in a host that never answers `ui/initialize`, and sends the result twice, after parts of the input. */
window.showUninitialized = async (wanted) => {
  const { iframe, html, result } = await prepare(wanted);
  iframe.style.height = "600px";
  const send = (method: string, params: object) =>
    windowOf(iframe).postMessage({ jsonrpc: "2.0", method: `ui/notifications/${method}`, params }, "*");
  addEventListener("message", ({ source, data }) => {
    if (source !== iframe.contentWindow || data.method !== "ui/initialize") return;
    send("tool-input-partial", { arguments: { plat: null } });
    send("tool-result", {});
    send("tool-result", { ...result });
    send("tool-result", { ...result });
  });
  send("sandbox-resource-ready", { html });
};

async function prepare({ mcp, sandbox, tool: name, input }: Wanted) {
  const client = new Client(INFO);
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp)));
  const { tools } = await client.listTools();
  const tool = tools.find((listed) => listed.name === name);
  const uri = tool && getToolUiResourceUri(tool);
  if (uri === undefined) throw new Error(`${name} has no card`);
  const [content] = (await client.readResource({ uri })).contents;
  if (!content || !("text" in content)) throw new Error(`the card has no text: ${uri}`);
  const result = await client.callTool({ name, arguments: input });
  const iframe = document.createElement("iframe");
  iframe.sandbox.add("allow-scripts", "allow-same-origin", "allow-forms");
  const ready = new Promise((resolve) => addEventListener("message", resolve, { once: true }));
  iframe.src = sandbox;
  document.body.replaceChildren(iframe);
  await ready;
  return { iframe, html: content.text, result };
}

function windowOf({ contentWindow }: HTMLIFrameElement): Window {
  if (!contentWindow) throw new Error("the frame has no window");
  return contentWindow;
}
