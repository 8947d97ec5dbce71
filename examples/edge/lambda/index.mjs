// AWS Lambda behind a function URL or an HTTP API, on Node.js 22 or later: `npm install srvx`, then pack this file, vitrine-edge.mjs
// and node_modules. The platform stops between requests, so a request waits for its read of the snapshots: it gets no `context`.
import { toLambdaHandler } from "srvx/aws-lambda";
import facts from "./vitrine-edge.mjs";

export const handler = toLambdaHandler({ fetch: (request) => facts.fetch(request) });
