// How much is asked and what is answered, in plain numbers: counting costs two look-ups, and nothing at all while metrics
// are off, because then nothing is wrapped. Every label is from a closed set, so that no client can make the numbers grow:
// a route nobody knows, a method or a tool is `other`.
import type { RequestListener } from "node:http";
import type { ExpressAnswers } from "../http/express-lane/express-lane.ts";
import type { McpAnswers } from "../mcp/answers.ts";
import type { McpRequest } from "../mcp/json-rpc.ts";

const OTHER = "other";

/** How often each of something was seen. */
type Counts<Key> = Map<Key, number>;

export class Traffic {
  /** Counts of each status by route, which is a path as it is written. */
  readonly requests: ReadonlyMap<string, Counts<number>>;
  /** Counts of each tool by method of MCP; for methods without tools it is empty. */
  readonly calls: ReadonlyMap<string, Counts<string>>;
  readonly #tools: ReadonlySet<string>;
  readonly #others: Counts<number> = new Map();

  /** `paths`, `methods` and `tools` are those that are told apart. */
  constructor({ paths, methods, tools }: Record<"paths" | "methods" | "tools", readonly string[]>) {
    this.requests = new Map([...paths.map((path) => [path, new Map()] as const), [OTHER, this.#others]]);
    this.calls = new Map([...methods, OTHER].map((method) => [method, new Map()]));
    this.#tools = new Set(tools);
  }

  /** Counts what a listener answers, once it is written. */
  watch(listener: RequestListener): RequestListener {
    return (request, response) => {
      response.once("finish", () => this.countAnswer(request.url ?? "", response.statusCode));
      listener(request, response);
    };
  }

  /** Counts what is answered before node:http. */
  watchExpress({ read, message }: ExpressAnswers): ExpressAnswers {
    return {
      read: (target, wishes) => this.#counted(target, read(target, wishes)),
      message: (headers, body) => this.#counted("/mcp", message(headers, body)),
    };
  }

  #counted<T extends { status: number }>(target: string, answer: T | undefined): T | undefined {
    if (answer) this.countAnswer(target, answer.status);
    return answer;
  }

  /** Counts what MCP is asked: once, wherever the answer comes from. */
  watchCalls({ recorded, live }: McpAnswers): McpAnswers {
    return {
      recorded: (era, request, length) => {
        const answer = recorded(era, request, length);
        if (answer) this.#countCall(request);
        return answer;
      },
      live: (era, request) => {
        this.#countCall(request);
        return live(era, request);
      },
    };
  }

  /** `target`: as it was sent; empty for what could not be read. */
  countAnswer(target: string, status: number): void {
    add(this.requests.get(target) ?? this.requests.get(target.split("?", 1)[0] ?? "") ?? this.#others, status);
  }

  #countCall({ method, params }: McpRequest): void {
    const known = this.calls.has(method) ? method : OTHER;
    const name = typeof params?.name === "string" && this.#tools.has(params.name) ? params.name : OTHER;
    add(this.calls.get(known) ?? new Map(), method === "tools/call" ? name : "");
  }
}

function add<Key>(counts: Counts<Key>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
