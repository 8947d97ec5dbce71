// fastify with a prepared Buffer.
import fastify from "fastify";
import { readAnswer, report } from "./peer.mjs";

const { ok, notModified, tag, text } = readAnswer();
const body = Buffer.from(text);
const app = fastify();

app.get("/api/v1/plans", (request, reply) => {
  if (request.headers["if-none-match"] === tag) return reply.code(304).headers(notModified.object).send();
  return reply.headers(ok.object).send(body);
});
await app.listen({ host: "127.0.0.1", port: 0 });
report(app.server.address().port);
