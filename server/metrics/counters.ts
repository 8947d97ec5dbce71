// Counts of requests, answers and MCP calls, as plain numbers: counting costs two look-ups, and nothing while metrics
// are off, because nothing is wrapped then. Every label is from a closed set, so clients cannot add series: an unknown
// route, method or tool counts as `other`.
import type { RequestListener } from "node:http";
import type { ExpressResponder } from "../http/express-lane/express-lane.ts";
import type { McpAnswers } from "../mcp/live-answers.ts";
import type { McpRequest } from "../mcp/json-rpc.ts";

const OTHER = "other";

/** How often each key occurred. */
type Counts<Key> = Map<Key, number>;

export class Counters {
  /** Statuses by route, which is a path. */
  readonly requests = new Map<string, Counts<number>>();
  /** Tools by MCP method; the tool is empty for methods without tools. */
  readonly calls: ReadonlyMap<string, Counts<string>>;
  readonly #tools: ReadonlySet<string>;

  /** `methods` and `tools`: those with a label of their own. */
  constructor({ methods, tools }: Record<"methods" | "tools", readonly string[]>) {
    this.calls = new Map([...methods, OTHER].map((method) => [method, new Map()]));
    this.#tools = new Set(tools);
  }

  /** Gives these paths a label of their own. */
  addRoutes(paths: readonly string[]): void {
    for (const path of [...paths, OTHER]) this.requests.set(path, new Map());
  }

  /** Counts a listener's answers once they are written. */
  watchListener(listener: RequestListener): RequestListener {
    return (request, response) => {
      response.once("finish", () => this.countAnswer(request.url ?? "", response.statusCode));
      listener(request, response);
    };
  }

  /** Counts the answers of the express lane. */
  watchExpress({ read, messageSync }: ExpressResponder): ExpressResponder {
    return {
      read: (target, preferences) => this.#counted(target, read(target, preferences)),
      messageSync: (headers, body) => this.#counted("/mcp", messageSync(headers, body)),
    };
  }

  #counted<T extends { status: number }>(target: string, answer: T | undefined): T | undefined {
    if (answer) this.countAnswer(target, answer.status);
    return answer;
  }

  /** Counts MCP requests, each once. */
  watchCalls({ recorded, live }: McpAnswers): McpAnswers {
    return {
      recorded: (era, request, encodings) => {
        const answer = recorded(era, request, encodings);
        if (answer) this.#countCall(request);
        return answer;
      },
      live: (era, request, encodings) => {
        this.#countCall(request);
        return live(era, request, encodings);
      },
    };
  }

  /** `target`: as sent; empty if unreadable. */
  countAnswer(target: string, status: number): void {
    const { requests } = this;
    const counts = requests.get(target) ?? requests.get(target.split("?", 1)[0] ?? "") ?? requests.get(OTHER);
    if (counts) increment(counts, status);
  }

  #countCall({ method, params }: McpRequest): void {
    const known = this.calls.has(method) ? method : OTHER;
    const name = typeof params?.name === "string" && this.#tools.has(params.name) ? params.name : OTHER;
    increment(this.calls.get(known) ?? new Map(), method === "tools/call" ? name : "");
  }
}

function increment<Key>(counts: Counts<Key>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
