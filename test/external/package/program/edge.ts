// A worker over a platform's own store. Compiled, not run: code that must not compile is marked as an expected error.
import {
  createHandler,
  type EdgeHandler,
  type HandlerOptions,
  type PlatformStore,
  type RequestContext,
} from "vitrine/edge";

interface Bucket {
  get(key: string): Promise<{ arrayBuffer(): Promise<ArrayBuffer> } | null>;
  list(options: { prefix: string }): Promise<{ objects: { key: string }[] }>;
}

export function workerOver(bucket: Bucket): EdgeHandler {
  const store: PlatformStore = {
    get: async (key) => (await bucket.get(key))?.arrayBuffer(),
    list: async (prefix) => (await bucket.list({ prefix })).objects.map(({ key }) => key),
    pace: 5_000,
  };
  const options: HandlerOptions = { store, api: { name: "Acme Notes", contact: "hello@acme.example", origins: [] } };
  return createHandler({ ...options, base: "https://facts.acme.example" });
}

export async function answer(handler: EdgeHandler, context: RequestContext): Promise<Response> {
  // @ts-expect-error The name is a text.
  void (() => createHandler({ store: "https://facts.acme.example/snapshots/", api: { name: 1 } }));
  // @ts-expect-error There are no files.
  void (() => createHandler({ store: "https://facts.acme.example/snapshots/", api: { logo: "logo.svg" } }));
  return handler(new Request("https://facts.acme.example/"), context);
}
