// The whole HTTP surface as one value: an h3 app without a port, an environment or a clock of its own. Every route is
// in the table below; every answer, whatever goes wrong, is an Answer.
import type { H3, HTTPResponse } from "h3";
import type { Answer } from "../answers/answer.ts";
import { healthz, readyz, status, type Vitals } from "../answers/health.ts";
import { answerMcp, MAX_MESSAGE, type McpEdge } from "../mcp/http.ts";
import type { Wishes } from "../answers/negotiate.ts";
import type { Choice } from "../answers/prepared.ts";
import { askedRelease, FACT_TARGETS, LATEST_RELEASE } from "../answers/facts.ts";
import { reading, routed, send, type Handler } from "./router.ts";
import { PAGE_TARGET, type Table } from "../answers/table.ts";

export interface Surface {
  vitals: Vitals;
  /** Everything that is prepared. */
  table: Table;
  mcp: McpEdge;
  /** What /metrics answers; without it there is no such address. */
  metrics?: (() => Promise<Answer>) | undefined;
  /** Told of errors of our own, which clients learn nothing of. */
  onBug: (error: unknown) => void;
}

/** `paths`: of all routes. */
export function createApp({ vitals, table, mcp, metrics, onBug }: Surface): { app: H3; paths: string[] } {
  const prepared =
    (target: string): Handler =>
    ({ req }) =>
      sendChoice(table.answer(target, wishesOf(req.headers)));
  const release: Handler = (event) => {
    const asked = askedRelease(event.url.searchParams);
    return typeof asked === "string" ? prepared(FACT_TARGETS[asked][0])(event) : send(asked);
  };
  const reads: Record<string, Handler> = {
    ...Object.fromEntries([...table.documents()].map((target) => [target, prepared(target)])),
    [PAGE_TARGET]: prepared(PAGE_TARGET),
    [FACT_TARGETS.plans[0]]: prepared(FACT_TARGETS.plans[0]),
    [LATEST_RELEASE]: release,
    "/healthz": () => send(healthz()),
    "/readyz": () => send(readyz(vitals.mirror)),
    "/status": () => send(status(vitals)),
    ...(metrics && { "/metrics": async () => send(await metrics()) }),
  };
  const call: Handler = async ({ req }) => {
    const { text, ...rest } = await answerMcp(mcp, req.headers, () => readBody(req.body));
    return send({ ...rest, body: Buffer.from(text, "latin1") });
  };
  const routes = {
    ...Object.fromEntries(Object.entries(reads).map(([path, read]) => [path, reading(read)])),
    "/mcp": { POST: call },
  };
  const elsewhere = "There is nothing at this address. The index is at /api/v1.";
  return { app: routed(routes, { elsewhere, onBug }), paths: Object.keys(routes) };
}

function wishesOf(headers: Headers): Wishes {
  return {
    accept: headers.get("accept") ?? undefined,
    "accept-encoding": headers.get("accept-encoding") ?? undefined,
    "if-none-match": headers.get("if-none-match") ?? undefined,
    "if-modified-since": headers.get("if-modified-since") ?? undefined,
  };
}

/** A choice from the table; its flat list of headers becomes pairs. */
function sendChoice(choice: Choice | undefined): HTTPResponse {
  if (!choice) throw new Error("a route without a row in the table");
  const { status, headers, body } = choice;
  const pairs = headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1] ?? ""]] : []));
  return send({ status, headers: Object.fromEntries(pairs), body });
}

/** The body's bytes, or undefined when there are more than MAX_MESSAGE. */
async function readBody(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > MAX_MESSAGE) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
