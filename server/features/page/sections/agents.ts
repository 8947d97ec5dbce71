// How to add the MCP server to an agent or editor: install links, and commands to copy.
import type { ApiIndex } from "../../../api-index.ts";
import type { AgentServer } from "../../../answers/addition.ts";
import { copyBlock, fenced, html, markdown, markdownTable, trusted, type Html, type Section } from "../markup.ts";
import type { View } from "../view.ts";

/** Undefined without an MCP server. */
export function agentsSection({ index, mentions }: View): Section | undefined {
  const server = mentions().find(({ agents }) => agents)?.agents;
  if (!server) return undefined;
  const { tools } = server;
  const links = installLinks(server, index);
  const commands = installCommands(server, index);
  return {
    id: "agents",
    title: "For AI agents",
    html: html`<p>
        A read-only MCP server over Streamable HTTP with ${tools.length} tools. Facts that can no longer be confirmed
        are returned as errors, never as guesses.
      </p>
      <dl class="tools">
        ${tools.map(
          ({ name, description }) =>
            html`<div>
              <dt><code>${name}</code></dt>
              <dd>${withCode(description)}</dd>
            </div>`,
        )}
      </dl>
      <p class="runs">${links.map(({ host, href }) => html`<a class="button" href="${href}">Add to ${host}</a> `)}</p>
      ${commands.map(
        ({ id, host, text }) =>
          html`<div class="command">
            <h3>${host}</h3>
            ${copyBlock(`agent-${id}`, text, `the command for ${host}`)}
          </div>`,
      )}`,
    markdown: markdown`Read-only MCP server over Streamable HTTP: ${trusted<"markdown">(`<${index.mcp}>`)}

${markdownTable(
  ["Tool", "Description"],
  tools.map(({ name, description }) => [name, description]),
)}

${commands.map(({ host, text }) => markdown`### ${host}\n\n${fenced(text, "sh")}\n\n`)}${links.map(({ host, href }) => markdown`- ${host}: ${trusted<"markdown">(`\`${href}\``)}\n`)}`,
  };
}

function withCode(text: string): (string | Html)[] {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

function installLinks({ name }: AgentServer, { mcp }: ApiIndex): { host: string; href: string }[] {
  const config = Buffer.from(JSON.stringify({ url: mcp })).toString("base64");
  const entry = JSON.stringify({ name, type: "http", url: mcp });
  return [
    {
      host: "Cursor",
      href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encodeURIComponent(config)}`,
    },
    { host: "VS Code", href: `vscode:mcp/install?${encodeURIComponent(entry)}` },
  ];
}

function installCommands({ name }: AgentServer, { mcp }: ApiIndex): { id: string; host: string; text: string }[] {
  const url = shellWord(mcp);
  return [
    { id: "claude", host: "Claude Code", text: `claude mcp add --transport http ${name} ${url}` },
    { id: "gemini", host: "Gemini CLI", text: `gemini mcp add --transport http ${name} ${url}` },
    { id: "codex", host: "Codex", text: `codex mcp add ${name} --url ${url}` },
    { id: "stdio", host: "Hosts that support only stdio", text: `npx -y mcp-remote ${url}` },
  ];
}

function shellWord(url: string): string {
  return /^[\w:/.~-]+$/.test(url) ? url : `'${url.replaceAll("'", "%27")}'`;
}
