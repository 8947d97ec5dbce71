// What the OpenAPI document says of answers: their headers, bodies and examples. A test compares each of them with the
// answers that the server gives.
type Json = Record<string, unknown>;

/** The headers that tell a client something about the facts. CORS and what every HTTP answer has are left to HTTP. */
export const HEADERS = {
  Allow: text("The methods that are answered"),
  "Cache-Control": text("How long the answer may be kept; no-store for errors"),
  ETag: text("Tag of the answer, for If-None-Match"),
  "Last-Modified": text("When the facts last changed, for If-Modified-Since"),
  Link: text("Where the api-catalog, this document and the page for developers are (RFC 8288)"),
  "Retry-After": { description: "Seconds after which to ask again", schema: { type: "integer", minimum: 0 } },
  Vary: text("The request headers that the answer depends on"),
};
type Header = keyof typeof HEADERS;

/** Body of 400 for what is not HTTP. */
export const MALFORMED = { error: "The request is malformed." };

/** No answer to GET, but one of the address: the operations are all there is. HEAD and OPTIONS go without saying. */
export const WRONG_METHOD = refused(
  "The method is not GET, HEAD or OPTIONS",
  { method: { error: "This address answers GET, HEAD, OPTIONS only." } },
  ["Allow"],
);

/** 200 and 304. `header`: what this answer has beside those of every answer that may be kept. `examples`: by name. */
export function answered(schema: string, header: Header, examples: Json): Json {
  const headers = named(["Cache-Control", "ETag", "Vary", header]);
  return {
    200: { description: "The answer", headers, content: content(schema, examples) },
    304: { description: "The client has the answer already", headers },
  };
}

/** 502. */
export function unavailable(error: string): Json {
  return refused("The facts are temporarily unavailable", { unavailable: { error } }, ["Retry-After"]);
}

/** An answer with the Error body. `examples`: by name. `more`: its headers beside Cache-Control. */
export function refused(description: string, examples: Json, more: Header[] = []): Json {
  return { description, headers: named(["Cache-Control", ...more]), content: content("Error", examples) };
}

export function reference(kind: "headers" | "schemas", name: string): string {
  return `#/components/${kind}/${name}`;
}

function named(headers: Header[]): Json {
  return Object.fromEntries(headers.map((name) => [name, { $ref: reference("headers", name) }]));
}

function content(schema: string, examples: Json): Json {
  const values = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return {
    "application/json": { schema: { $ref: reference("schemas", schema) }, examples: Object.fromEntries(values) },
  };
}

function text(description: string): Json {
  return { description, schema: { type: "string" } };
}
