// `vitrine status`: the state of every snapshot, of the store or of a running server. For an operator, and for a job that watches; the
// server says the same at /status. Without it, a held fact is seen only in the log.
import type { Command } from "../../command.ts";
import { JSON_OUTPUT, SETTINGS } from "../../options.ts";

export const statusCommand: Command = {
  name: "status",
  summary: "state of every snapshot; exit 3 when one is stale or missing, 4 when held, 5 when cross-checks disagree",
  options: {
    json: JSON_OUTPUT,
    url: { value: "URL", help: "query a running server instead of the store" },
    ...SETTINGS,
  },
  load: () => import("./status.ts"),
};
