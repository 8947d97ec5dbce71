// Many vendors in one process, as docs/hosting.md says: `node server.mjs DIR` answers for the host of each folder DIR/HOST.
// Only a Host that is the name of a folder leads to a file, a handler or a line in the log.
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { openVendor } from "vitrine/hosting";

/** How often folders are listed, and how often a request looks for new settings and facts at most. */
const PACE_MS = 3_000;
const MAX_HANDLERS = 1_000;
const MAX_CONNECTIONS = 2_000;
const MAX_UNREAD_ANSWERS = 8;
const LIMITS = { requestTimeout: 15_000, keepAliveTimeout: 5_000, timeout: 30_000 };
const HOST_AND_PORT = /^([a-z0-9_][a-z0-9._-]*?|\[[0-9a-f:.]+\])\.?(?::\d{1,5})?$/;
const REFUSAL = { "content-type": "application/json", "cache-control": "no-store", "retry-after": "5" };
const refuse = (response, status, error) => response.writeHead(status, REFUSAL).end(JSON.stringify({ error }));
const address = { port: process.env.PORT || "3000", host: process.env.HOST || "127.0.0.1" };
const directory = resolve(process.argv[2] ?? ".");
let hosts = new Set();
/** By host, of which the last is the one that was asked last. */
const vendors = new Map();

/** Lists the folders, and forgets the vendors that have none. */
function follow() {
  const isFolder = (name) => {
    try {
      return statSync(join(directory, name)).isDirectory();
    } catch {
      return false; // Such as for a link that leads in a circle: it is no host, and all others are served.
    }
  };
  const entries = readdirSync(directory, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() || (entry.isSymbolicLink() && isFolder(entry.name)));
  hosts = new Set(folders.map(({ name }) => name));
  for (const host of vendors.keys()) if (!hosts.has(host)) vendors.delete(host);
}

/** The vendor of a host, opened anew if its settings have changed. One that is not asked costs nothing. */
function vendorOf(host) {
  const now = performance.now();
  const known = vendors.get(host);
  const isDue = !known || now - known.lookedAt >= PACE_MS;
  const entry = known && (!isDue || known.vendor.isCurrent()) ? known : { vendor: open(host) };
  if (isDue) entry.lookedAt = now;
  vendors.delete(host);
  vendors.set(host, entry);
  if (vendors.size > MAX_HANDLERS) vendors.delete(vendors.keys().next().value);
  return entry.vendor;
}

function open(host) {
  const warn = (line) => console.warn(`${host}: ${line}`);
  const vendor = openVendor(join(directory, host), { base: `https://${host}`, pace: PACE_MS, warn });
  for (const problem of vendor.problems) warn(`answered with 502: ${problem}`);
  return vendor;
}

async function answer(request, response) {
  const { socket, method, headers, headersDistinct, url } = request;
  if ((socket.unread ??= new Set()).add(response).size > MAX_UNREAD_ANSWERS) return socket.destroy();
  response.once("close", () => socket.unread.delete(response));
  // The host of an absolute target comes before the header (RFC 9112, 3.2.2). Two headers are no host.
  const [, authority = String(headersDistinct.host), target = url] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  const [, host] = HOST_AND_PORT.exec(authority.toLowerCase()) ?? [];
  if (!hosts.has(host)) return refuse(response, 421, "This server does not answer for this host.");
  const { handler } = vendorOf(host);
  if (!handler) return refuse(response, 502, "This host cannot be served at the moment.");
  let body = Buffer.alloc(0);
  // Longer messages are refused by the handler, but read to their end: a client that still sends may never see a refusal.
  for await (const chunk of request) if (body.length <= 64 * 1024) body = Buffer.concat([body, chunk]);
  const message = { method, headers, ...(method === "POST" && { body }) };
  const found = await handler(new Request(`http://localhost/${target.replace(/^\//, "")}`, message));
  response.writeHead(found.status, Object.fromEntries(found.headers)).end(Buffer.from(await found.arrayBuffer()));
}

/** The open connections of each client, the oldest first. */
const connections = new Map();
let total = 0;

/** At the limit, the client with most connections loses the oldest that waits for no answer: none can take them all. */
function admit(socket) {
  const client = clientOf(socket.remoteAddress);
  const own = connections.get(client) ?? new Set();
  connections.set(client, own.add(socket));
  socket.leave = () => {
    if (own.delete(socket)) total -= 1;
    if (own.size === 0) connections.delete(client);
  };
  socket.once("close", socket.leave);
  if (++total <= MAX_CONNECTIONS) return;
  let most = own;
  for (const other of connections.values()) if (other.size > most.size) most = other;
  const victim = [...most].find(({ unread }) => !unread?.size) ?? socket;
  victim.leave();
  victim.destroy();
}

/** The address, or its network of IPv6 (/64), in which a client has as many as it likes. */
function clientOf(address = "") {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, "");
  if (!plain.includes(":")) return plain;
  const [beginning] = plain.split("::");
  return beginning
    .split(":")
    .slice(0, 4)
    .join(":")
    .replace(/(:0)+$/, "");
}

// Such as for a client that left while it sent, or for TRACE, which no Request may have.
const listener = (request, response) => void answer(request, response).catch(() => response.destroy());
const server = createServer({ connectionsCheckingInterval: 1_000, headersTimeout: 10_000 }, listener);
server.on("connection", admit);
const followAgain = () => {
  try {
    follow();
  } catch (error) {
    console.warn(error);
  }
};
try {
  follow();
  setInterval(followAgain, PACE_MS).unref();
  await once(Object.assign(server, LIMITS).listen(address), "listening");
  console.log(`${hosts.size} hosts, http://${address.host}:${server.address().port}`);
} catch ({ message }) {
  console.error(`${message} (DIR must be a folder, PORT a free port, and HOST an address of this computer)`);
  process.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => server.close());
