// The answers that every client must get, taken from REST where REST has them.
import { expect } from "vitest";

/** The output of `programs/client.mjs`. */
export interface ClientReport {
  tools: string[];
  calls: { name: string; input: { platform?: string }; text?: string; structured?: unknown; isError?: boolean }[];
  resources: string[];
  texts: { uri: string; text: string }[];
  /** The negotiated protocol revision, if the client reports it. */
  protocol?: string;
}

export interface RestAnswers {
  /** Bodies by path. */
  rest: Map<string, string>;
  /** Texts of the resources by URI. */
  texts: Map<string, string>;
}

const TOOLS = ["get_pricing", "get_latest_version"];
const RESOURCES = ["product://overview", "product://faq"];
const PLANS = "/api/v1/plans";
const RELEASE = "/api/v1/releases/latest";

/** Queries the server directly, without an MCP client. */
export async function askPlainly(base: string): Promise<RestAnswers> {
  const paths = [PLANS, RELEASE, `${RELEASE}?platform=macos`, `${RELEASE}?platform=windows`];
  const bodies = paths.map(async (path) => [path, await (await fetch(base + path)).text()] as const);
  const texts = RESOURCES.map(async (uri) => [uri, await readPlainly(base, uri)] as const);
  return { rest: new Map(await Promise.all(bodies)), texts: new Map(await Promise.all(texts)) };
}

async function readPlainly(base: string, uri: string): Promise<string> {
  const response = await fetch(`${base}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } }),
  });
  const { result } = (await response.json()) as { result: { contents: { text: string }[] } };
  return result.contents[0]?.text ?? "";
}

/** Expects a client's report to agree with REST. `protocol`: the revision to be negotiated. */
export function expectSame(told: ClientReport, { rest, texts }: RestAnswers, protocol?: string): void {
  expect.soft(told.tools).toEqual(TOOLS);
  expect.soft(told.resources).toEqual(RESOURCES);
  if (protocol !== undefined) expect.soft(told.protocol).toBe(protocol);
  for (const { name, input, text, structured, isError = false } of told.calls) {
    const what = `${name} ${JSON.stringify(input)}`;
    const told: unknown = JSON.parse(text ?? "{}");
    const { about, ...facts } = Object(told) as Record<string, unknown>;
    expect.soft(JSON.stringify(facts), what).toBe(rest.get(pathOf(name, input)));
    expect.soft(Object.keys(Object(about)), what).toEqual(["confirmedAt", "freshUntil", "note"]);
    expect.soft(isError, what).toBe(false);
    if (structured !== undefined) expect.soft(structured, what).toEqual(told);
  }
  for (const { uri, text } of told.texts) expect.soft(text, uri).toBe(texts.get(uri));
}

function pathOf(tool: string, { platform }: { platform?: string }): string {
  if (tool === "get_pricing") return PLANS;
  return platform === undefined ? RELEASE : `${RELEASE}?platform=${platform}`;
}
