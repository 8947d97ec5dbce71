// The attacks of the siege: bounded in connections, bytes and time, and possible for anybody with a socket.

export interface Attack {
  title: string;
  /** Facts of 1.5 KB; or 1,000 plans and a changelog of 250 KB. */
  facts: "small" | "large";
  /** At a server that has just been started, and still loads all that facts do not need. */
  isCold?: boolean;
  connections: number;
  /** Opens them all at once. */
  isSudden?: boolean;
  /** The writes of each connection, one character a byte. */
  writes: readonly string[];
  /** Reads the answers, and sends the last write again after each. Otherwise nothing is read. */
  isReading?: boolean;
  /** Reads the answers, writes the same as fast as the server reads it, and connects again when the server has closed. */
  isEndless?: boolean;
}

const get = (target: string, ...lines: string[]) =>
  [`GET ${target} HTTP/1.1`, "Host: a", ...lines, "", ""].join("\r\n");

function post(body: string, target = "/mcp"): string {
  return `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

const call = (name: string, given: object) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } });
const PRICING = call("get_pricing", {});
const CHANGELOG = call("get_latest_version", { platform: "macos" });
const UNLISTED = call("get_pricing", { x: 1 });

/** As many copies of a request as fit into 60 kB. */
const full = (request: string) => request.repeat(Math.floor(60_000 / request.length));

const CHUNK_OF_A_BYTE = "1\r\nx\r\n";
const CHUNKED = "Transfer-Encoding: chunked";
const IN_CHUNKS = `POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${CHUNKED}\r\n\r\n`;
const KEYS = `{${Array.from({ length: 6_000 }, (_, index) => `"k${index}":1`).join(",")}}`;

/** Sends one request after another without waiting, and reads the answers. */
const endless = (what: string, request: string): Attack[] =>
  [1, 3, 20].map((connections) => ({
    title: `endless pipelines, read: ${what}, ${connections}`,
    facts: "small",
    connections,
    writes: [full(request)],
    isEndless: true,
  }));

export const ATTACKS: readonly Attack[] = [
  {
    title: "a message in chunks of a byte, 100 × 390 kB",
    facts: "small",
    connections: 100,
    writes: [IN_CHUNKS + CHUNK_OF_A_BYTE.repeat(65_000)],
  },
  {
    title: "the same, 1,000 × 6 kB, within the limits",
    facts: "small",
    connections: 1_000,
    writes: [IN_CHUNKS + CHUNK_OF_A_BYTE.repeat(1_000)],
  },
  {
    title: "a GET in chunks of a byte, 100 × 390 kB",
    facts: "small",
    connections: 100,
    writes: [get("/api/v1/plans", CHUNKED) + CHUNK_OF_A_BYTE.repeat(65_000)],
  },
  { title: "pipelined, 300 × 60 kB", facts: "small", connections: 300, writes: [full(get("/healthz"))] },
  {
    title: "pipelined at the start, 100 × 60 kB",
    facts: "small",
    isCold: true,
    connections: 100,
    writes: [full(post(PRICING))],
  },
  { title: "facts unread, 300 × 60 kB", facts: "large", connections: 300, writes: [full(get("/api/v1/plans"))] },
  {
    title: "facts unread, 300 × 5",
    facts: "large",
    connections: 300,
    writes: Array<string>(5).fill(get("/api/v1/plans")),
  },
  { title: "MCP unread, 300 × 60 kB", facts: "small", connections: 300, writes: [full(post(UNLISTED))] },
  {
    title: "MCP unread, large, 300 × 5",
    facts: "large",
    connections: 300,
    writes: [PRICING, CHANGELOG, UNLISTED, PRICING, CHANGELOG].map((body) => post(body)),
  },
  {
    title: "MCP unread, large, by another spelling, 300 × 5",
    facts: "large",
    connections: 300,
    writes: Array<string>(5).fill(post(CHANGELOG, "/%6dcp")),
  },
  {
    title: "messages of 6,000 keys, 20 at a time",
    facts: "small",
    connections: 20,
    writes: [post(KEYS)],
    isReading: true,
  },
  {
    title: "16 kB of commas, 20 at a time",
    facts: "small",
    connections: 20,
    writes: [get("/api/v1/plans", `Accept-Encoding: ${",".repeat(15_900)}`)],
    isReading: true,
  },
  ...endless("facts", get("/api/v1/plans")),
  ...endless("page", get("/")),
  ...endless("MCP", post(PRICING)),
  ...endless("what only h3 answers", get("/nothing")),
  ...endless(
    "a body in chunks of 16 bytes",
    get("/api/v1/plans", CHUNKED) + "10\r\n0123456789abcdef\r\n".repeat(2_500),
  ),
  {
    title: "polite at first, then 60 kB at once, 100",
    facts: "small",
    connections: 100,
    writes: [get("/healthz"), full(get("/healthz"))],
    isReading: true,
  },
  { title: "pages unread, 200 × 200", facts: "large", connections: 200, writes: [get("/").repeat(200)] },
  { title: "facts unread, 200 × 200", facts: "large", connections: 200, writes: [get("/api/v1/plans").repeat(200)] },
  { title: "MCP unread, large, 200 × 200", facts: "large", connections: 200, writes: [post(PRICING).repeat(200)] },
  {
    title: "10,000 slow connections",
    facts: "small",
    connections: 10_000,
    isSudden: true,
    writes: [get("/api/v1/plans").slice(0, -2)],
  },
  { title: "1,000 idle connections", facts: "small", connections: 1_000, writes: [get("/api/v1/plans")] },
];
