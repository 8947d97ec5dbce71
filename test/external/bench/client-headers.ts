// Compares clients with one another: the headers of CDNs, of OkHttp and of a traced client, with an id that differs in each
// request, should cost no more than curl's.
import { askOnce, etagOf, request } from "./connection.ts";
import { ID, startLoad } from "./load.ts";
import { startVitrine } from "./server-process.ts";
import { perCpu, ratios, takeTurns, type Contender, type Task, type Turns } from "./slices.ts";
import { median, print, printTable, spread } from "./statistics.ts";

const TARGET = "/api/v1/plans";
const TURNS: Turns = { rounds: 30, slice: 60, warmUp: 300, connections: 16 };

const CURL = ["Host: api.vendor.example", "User-Agent: curl/8.11.0", "Accept: */*"];
const CLIENTS: Readonly<Record<string, readonly string[]>> = {
  curl: CURL,
  OkHttp: ["Host: api.vendor.example", "Connection: Keep-Alive", "User-Agent: okhttp/5.1.0"],
  CloudFront: [
    "Host: api.vendor.example",
    "User-Agent: Amazon CloudFront",
    `X-Amz-Cf-Id: ${ID}`,
    "X-Forwarded-For: 192.0.2.7",
    "CloudFront-Viewer-Country: DE",
    "Via: 2.0 4e1EXAMPLE.cloudfront.net (CloudFront)",
    "Connection: Keep-Alive",
  ],
  Cloudflare: [
    ...CURL,
    "Connection: Keep-Alive",
    "X-Forwarded-For: 192.0.2.7",
    `CF-RAY: ${ID}-FRA`,
    "X-Forwarded-Proto: https",
    'CF-Visitor: {"scheme":"https"}',
    "CF-Connecting-IP: 192.0.2.7",
    "CDN-Loop: cloudflare; loops=1",
    "CF-IPCountry: DE",
  ],
  "a traced client": [
    ...CURL,
    "Connection: keep-alive",
    `traceparent: 00-4bf92f3577b34da6${ID}-00f067aa0ba902b7-01`,
    "tracestate: vendor=t61rcWkgMzE",
    "baggage: isProduction=true",
  ],
};
const STATUSES = [200, 304] as const;

/** `plans`: a store with plans in it. */
export async function compareClients(plans: string): Promise<void> {
  const load = startLoad();
  const server = await startVitrine(plans);
  try {
    const etag = etagOf(await askOnce(server.port, request(TARGET)));
    const contender: Contender = { server, tasks: tasksWith(etag), samples: new Map() };
    await takeTurns(load, [contender], TURNS);
    report(contender);
  } finally {
    load.stop();
    server.stop();
  }
}

function tasksWith(etag: string): Map<string, Task> {
  const tasks = new Map<string, Task>();
  for (const status of STATUSES) {
    const condition = status === 304 ? [`If-None-Match: ${etag}`] : [];
    for (const [client, lines] of Object.entries(CLIENTS)) {
      const text = [`GET ${TARGET} HTTP/1.1`, ...lines, ...condition, "", ""].join("\r\n");
      tasks.set(`${client} ${status}`, { status, request: text });
    }
  }
  return tasks;
}

function report({ samples }: Contender): void {
  print("\nVitrine by client; ratios above 1 cost more than curl");
  const cells = (client: string, status: number) => {
    const [own = [], curl = []] = [client, "curl"].map((name) => samples.get(`${name} ${status}`));
    return [median(own.map(({ cpu }) => cpu)).toFixed(1), spread(ratios(curl, own, perCpu), 2)];
  };
  const rows = Object.keys(CLIENTS).map((client) => [client, ...STATUSES.flatMap((status) => cells(client, status))]);
  printTable([["client", "200: CPU µs", "× curl [quartiles]", "304: CPU µs", "× curl [quartiles]"], ...rows]);
}
