// Many vendors in one process, as docs/hosting.md says: `node server.mjs DIR` answers for the host of each folder DIR/HOST.
// Only a Host that is the name of a folder leads to a file, a handler or a line in the log.
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { createHandler } from "vitrine/edge";

/** How often folders, settings and facts are looked at. */
const PACE_MS = 3_000;
const MAX_HANDLERS = 1_000;
const MAX_UNREAD_ANSWERS = 8;
const LIMITS = { requestTimeout: 15_000, keepAliveTimeout: 5_000, timeout: 30_000, maxConnections: 2_000 };
const HOST_AND_PORT = /^([a-z0-9_][a-z0-9._-]*?|\[[0-9a-f:.]+\])\.?(?::\d{1,5})?$/;
const REFUSAL = { "content-type": "application/json", "cache-control": "no-store", "retry-after": "5" };
const refuse = (response, status, error) => response.writeHead(status, REFUSAL).end(JSON.stringify({ error }));
const address = { port: process.env.PORT || "3000", host: process.env.HOST || "127.0.0.1" };
const directory = resolve(process.argv[2] ?? ".");
let hosts = new Set();
/** By host, of which the last is the one that was asked last. */
const vendors = new Map();

/** Lists the folders, and forgets each vendor that has changed: its next request opens it anew. */
async function follow() {
  const isFolder = (name) => existsSync(join(directory, name)) && statSync(join(directory, name)).isDirectory();
  hosts = new Set(readdirSync(directory).filter(isFolder));
  for (const [host, vendor] of new Map(vendors)) {
    const options = hosts.has(host) && (await optionsOf(host).catch(() => false));
    if (options !== (await vendor).options) vendors.delete(host);
  }
}

async function open(host) {
  const warn = (line) => console.warn(`${host}: ${line}`);
  const data = (path) => join(directory, host, "snapshots/data", path);
  const missing = (instead) => (fault) => (fault.code === "ENOENT" ? instead : Promise.reject(fault));
  const get = (key) => read(data(key)).catch(missing());
  const list = async (name) => (await readdir(data(name)).catch(missing([]))).map((file) => `${name}/${file}`);
  try {
    const options = await optionsOf(host);
    return { options, handler: createHandler({ ...JSON.parse(options), store: { get, list, pace: PACE_MS }, warn }) };
  } catch (error) {
    warn(`answered with 502: ${error instanceof SyntaxError ? "vitrine.config.json is no JSON" : error.message}`);
    return {}; // Has no handler: 502.
  }
}

/** The settings, with the contents of the files that they name, as JSON. */
async function optionsOf(host) {
  const contents = async (path) => path && (await read(resolve(directory, host, path)));
  const settings = JSON.parse(new TextDecoder().decode(await contents("vitrine.config.json")));
  const { product, trust, share, api: all } = settings;
  const { logo, picture, overview, faq, ...api } = all;
  const texts = { overview: (await contents(overview))?.toString(), faq: (await contents(faq))?.toString() };
  const images = { logo: uriOf(await contents(logo)), picture: uriOf(await contents(picture)) };
  return JSON.stringify({ product, trust, share, api, base: api.baseUrl ?? `https://${host}`, texts, ...images });
}

function uriOf(image) {
  const type = { 0x89: "png", 0xff: "jpeg" }[image?.[0]] ?? "svg+xml";
  return image && `data:image/${type};base64,${image.toString("base64")}`;
}

async function read(path) {
  const stats = await stat(path);
  if (!stats.isFile() || stats.size > 4 * 1024 * 1024) throw new Error(`${path} is no file, or larger than 4 MiB`);
  return readFile(path);
}

async function answer(request, response) {
  const { socket, method, headers, headersDistinct, url } = request;
  if ((socket.unread ??= new Set()).add(response).size > MAX_UNREAD_ANSWERS) return socket.destroy();
  response.once("close", () => socket.unread.delete(response));
  // The host of an absolute target comes before the header (RFC 9112, 3.2.2). Two headers are no host.
  const [, authority = String(headersDistinct.host), target = url] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  const [, host] = HOST_AND_PORT.exec(authority.toLowerCase()) ?? [];
  if (!hosts.has(host)) return refuse(response, 421, "This server does not answer for this host.");
  const vendor = vendors.get(host) ?? open(host);
  vendors.delete(host);
  vendors.set(host, vendor);
  if (vendors.size > MAX_HANDLERS) vendors.delete(vendors.keys().next().value);
  const { handler } = await vendor;
  if (!handler) return refuse(response, 502, "This host cannot be served at the moment.");
  let body = Buffer.alloc(0);
  // Longer messages are refused by the handler, but read to their end: a client that still sends may never see a refusal.
  for await (const chunk of request) if (body.length <= 64 * 1024) body = Buffer.concat([body, chunk]);
  const message = { method, headers, ...(method === "POST" && { body }) };
  const found = await handler(new Request(`http://localhost/${target.replace(/^\//, "")}`, message));
  response.writeHead(found.status, Object.fromEntries(found.headers)).end(Buffer.from(await found.arrayBuffer()));
}

// Such as for a client that left while it sent, or for TRACE, which no Request may have.
const listener = (request, response) => void answer(request, response).catch(() => response.destroy());
const server = createServer({ connectionsCheckingInterval: 1_000, headersTimeout: 10_000 }, listener);
const again = () => void setTimeout(() => follow().catch(console.warn).finally(again), PACE_MS).unref();
try {
  await follow().then(again);
  await once(Object.assign(server, LIMITS).listen(address), "listening");
  console.log(`${hosts.size} hosts, http://${address.host}:${server.address().port}`);
} catch ({ message }) {
  console.error(`${message} (DIR must be a folder, PORT a free port, and HOST an address of this computer)`);
  process.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => server.close());
