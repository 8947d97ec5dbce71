// hono on its Node adapter, with prepared text.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { readAnswer, report } from "./peer.mjs";

const { ok, notModified, tag, text } = readAnswer();
const app = new Hono();

app.get("/api/v1/plans", (context) => {
  if (context.req.header("if-none-match") === tag) return context.body(null, 304, notModified.object);
  return context.body(text, 200, ok.object);
});
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => report(port));
