// h3 as its documentation shows it: a route that returns an object.
import { createServer } from "node:http";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { readAnswer, report } from "./peer.mjs";

const { ok, notModified, tag, text } = readAnswer();
const payload = JSON.parse(text);
const app = new H3();

app.get("/api/v1/plans", ({ req, res }) => {
  const isKnown = req.headers.get("if-none-match") === tag;
  for (const [name, value] of Object.entries(isKnown ? notModified.object : ok.object)) res.headers.set(name, value);
  if (!isKnown) return payload;
  res.status = 304;
  return null;
});
const server = createServer(toNodeHandler(app));
server.listen(0, "127.0.0.1", () => report(server.address().port));
