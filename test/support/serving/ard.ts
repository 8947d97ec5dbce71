// What Agentic Resource Discovery asks of a catalogue, as facts: `ArdManifest` and `ArdEntry` in spec/schemas/ard-entry.schema.json of
// ards-project/ard-spec at 0.91 (August 2026), and the closed root of its predecessor, ai-catalog.schema.json at 0.9, which Lighthouse
// 13.5 checks. Its conformance tool warns without 2 to 5 queries, and of a type that is not among these.
import * as z from "zod";

const Words = z.array(z.string().min(1)).min(1);

export const ArdManifest = z.strictObject({
  specVersion: z.literal("1.0"),
  host: z.strictObject({ displayName: z.string().min(1), documentationUrl: z.url() }),
  entries: z
    .array(
      // Exactly one of `url` and `data` is required; ours have no `data`, and no `trustManifest`.
      z.strictObject({
        identifier: z.string().regex(/^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$/),
        displayName: z.string().min(1),
        type: z.string().min(1),
        url: z.url(),
        description: z.string().min(1),
        tags: Words,
        capabilities: Words,
        representativeQueries: Words.min(2).max(5),
        version: z.string().min(1),
        updatedAt: z.iso.datetime(),
      }),
    )
    .min(1),
});

export const ARD_TYPES: ReadonlySet<string> = new Set([
  "application/ai-catalog+json",
  "application/agent-card+json",
  "application/a2a-agent-card+json",
  "application/mcp-server-card+json",
  "application/agent-skills+zip",
  "application/agent-skills+gzip",
  'text/markdown; profile="urn:air:agent-skills"',
  "application/ai-registry",
  "application/ai-registry+json",
]);
