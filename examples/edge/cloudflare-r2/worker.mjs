// Answers from the bucket that the collector writes, with the history and the collector's state. The collector has the settings
// SNAPSHOTS=s3://acme-facts, AWS_ENDPOINT_URL_S3=https://ACCOUNT.r2.cloudflarestorage.com, and the keys of an API token that may
// read and write objects of this bucket. Keep the bucket private: it also has the changes that are held back.
import { env } from "cloudflare:workers";
import { createHandler } from "./vitrine-edge.mjs";

const store = {
  get: async (key) => (await env.FACTS.get(key))?.arrayBuffer(),
  async list(folder) {
    const keys = [];
    let page;
    // A page has at most 1,000 keys.
    do {
      page = await env.FACTS.list({ prefix: `${folder}/`, cursor: page?.cursor });
      keys.push(...page.objects.map(({ key }) => key));
    } while (page.truncated);
    return keys;
  },
};

// Created as the worker starts, because the time for that is not taken from a request's.
const handler = createHandler({ store });

export default { fetch: (request, _, context) => handler(request, context) };
