// The clients and the programs that drive them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PACKAGES } from "../../support/install.ts";

export interface McpClient {
  name: string;
  /** The folder that has its program in `programs`. */
  folder: string;
  /** Where its package is installed. */
  packages: string;
  packageName: string;
  program: string;
  words: string[];
  /** The revision to be negotiated, if the client reports it. */
  protocol?: string;
}

const HERE = import.meta.dirname;
/** The clients that take long to install. */
export const MORE = join(HERE, "more");

const NEWEST = "2026-07-28";

export const CLIENTS: McpClient[] = [
  light("SDK 1.10", "sdk-1.10", "sdk.mjs", ["sdk-1.10"]),
  light("SDK 1.17", "sdk-1.17", "sdk.mjs", ["sdk-1.17"], "2025-06-18"),
  light("SDK 1.32", "sdk-1.32", "sdk.mjs", ["sdk-1.32"], "2025-11-25"),
  light("SDK 2, legacy", "@modelcontextprotocol/client", "sdk-2.mjs", ["legacy"], "2025-11-25"),
  light("SDK 2, auto", "@modelcontextprotocol/client", "sdk-2.mjs", ["auto"], NEWEST),
  light(`SDK 2, ${NEWEST}`, "@modelcontextprotocol/client", "sdk-2.mjs", [NEWEST], NEWEST),
  light("AI SDK 1", "@ai-sdk/mcp-1", "ai-sdk.mjs", ["@ai-sdk/mcp-1"]),
  light("AI SDK 2", "@ai-sdk/mcp-2", "ai-sdk.mjs", ["@ai-sdk/mcp-2"]),
  light("mcp-remote", "mcp-remote", "mcp-remote.mjs"),
  heavy("OpenAI Agents", "@openai/agents", "openai-agents.mjs"),
  heavy("LangChain", "@langchain/mcp-adapters", "langchain.mjs"),
  heavy("Inspector", "@modelcontextprotocol/inspector", "inspector.mjs"),
  heavy("Gemini CLI", "@google/gemini-cli", "gemini.mjs"),
];

/** The clients with an agent, each with a program that gives it the servers of two vendors. */
export const AGENTS: McpClient[] = [
  heavy("OpenAI Agents, two vendors", "@openai/agents", "openai-agents-vendors.mjs"),
  heavy("LangChain, two vendors", "@langchain/mcp-adapters", "langchain-vendors.mjs"),
];

/** Version and engines of its package; undefined if it is not installed. */
export function manifestOf({ packages, packageName }: McpClient): { version: string; engines?: string } | undefined {
  try {
    const text = readFileSync(join(packages, packageName, "package.json"), "utf8");
    const { version, engines } = JSON.parse(text) as { version: string; engines?: { node?: string } };
    return engines?.node === undefined ? { version } : { version, engines: engines.node };
  } catch {
    return undefined;
  }
}

function light(name: string, packageName: string, program: string, words: string[] = [], protocol?: string): McpClient {
  return {
    name,
    folder: HERE,
    packages: PACKAGES,
    packageName,
    program,
    words,
    ...(protocol !== undefined && { protocol }),
  };
}

function heavy(name: string, packageName: string, program: string): McpClient {
  return { name, folder: MORE, packages: join(MORE, "node_modules"), packageName, program, words: [] };
}
