// Answers MCP requests of both eras, from the recordings if possible, otherwise through the SDK's server. Everything
// that needs the SDK is behind this file, which is therefore loaded at the first message.
import type { ReportBug } from "../answers/bug-reporter.ts";
import type { Mirror } from "../mirror/mirror.ts";
import type { Identity } from "./identity.ts";
import { createAnswerer, createLiveAnswers, inSupportedVersion, type McpAnswers } from "./live-answers.ts";
import { Recordings } from "./recordings/recordings.ts";
import type { Resource } from "./sdk-server.ts";

/** `reportBug`: called when recording fails after the first time. */
export async function createMcpAnswers(
  mirror: Mirror,
  resources: readonly Resource[],
  { identity, reportBug }: { identity: Identity; reportBug: ReportBug },
): Promise<McpAnswers> {
  const uris = resources.map(({ uri }) => uri);
  const recordings = new Recordings(mirror, {
    identity,
    uris,
    createAnswerer: (facts) => createAnswerer(facts, resources, identity),
  });
  await recordings.start(reportBug);
  const { live } = await createLiveAnswers(mirror, resources, identity);
  const recorded: McpAnswers["recorded"] = (era, request, encodings) => {
    const found = recordings.find(era, inSupportedVersion(request), encodings);
    return found && { status: 200, text: found.text, encoding: found.encoding };
  };
  return {
    recorded,
    async live(era, request, encodings) {
      // Facts are long, so no client gets a copy of its own while they are being recorded.
      const isUpdated = await recordings.update(era, inSupportedVersion(request));
      const updated = isUpdated ? recorded(era, request, encodings) : undefined;
      return updated ?? live(era, request, encodings);
    },
  };
}
