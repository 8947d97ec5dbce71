// Serves a module with a default export of `fetch` on Node.js: `node node.mjs MODULE PORT`.
import { pathToFileURL } from "node:url";
import { serve } from "srvx";

const [, , file = "", port = ""] = process.argv;
const { default: worker } = (await import(pathToFileURL(file).href)) as {
  default: { fetch(request: Request): Promise<Response> };
};
serve({
  fetch: (request) => worker.fetch(request),
  hostname: "127.0.0.1",
  port: Number(port),
  silent: true,
  gracefulShutdown: false,
});
