// `vitrine history` and `vitrine diff`: what has changed, and when. For an operator; the server has feeds of the same. Without the
// feature, nothing is known of earlier facts, and none can be taken back.
// after: differences
import type { Command } from "../../command.ts";
import { JSON_OUTPUT, SETTINGS } from "../../options.ts";

export const historyCommand: Command = {
  name: "history",
  summary: "the kept changes, newest first, of every snapshot or of NAME",
  operands: ["[NAME]"],
  options: {
    forget: { value: "NAME@TIME", help: "take one back, such as plans@2026-11-01T09:30:00.000Z (its changedAt)" },
    json: JSON_OUTPUT,
    ...SETTINGS,
  },
  load: () => import("./history.ts"),
};

export const diffCommand: Command = {
  name: "diff",
  summary: "the last change, or the difference since A or from A to B (revisions or dates), such as plans 3 5",
  operands: ["[NAME]", "[A]", "[B]"],
  options: { json: JSON_OUTPUT, ...SETTINGS },
  load: () => import("./diff.ts"),
};
