// `vitrine build-edge`: writes the server as one file. For a vendor whose platform runs functions, not processes. Without the feature,
// a server of one's own is needed.
// after: api-files, connections, follow, mcp, signatures
import type { Command } from "../../command.ts";
import { SETTINGS } from "../../options.ts";

export const buildEdgeCommand: Command = {
  name: "build-edge",
  summary: "write one file that answers as the server does, on platforms that run a function",
  options: {
    out: { value: "FILE", help: "file to write (default vitrine-edge.mjs)" },
    ...SETTINGS,
  },
  load: () => import("./build-edge.ts"),
};
