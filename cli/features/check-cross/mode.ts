// `vitrine check --cross`: asks the cross-checks now. For an operator who has added one, and for a job that watches a page. Without it,
// only a run asks them.
// after: witnesses
import type { Mode } from "../../command.ts";

export const crossMode: Mode = {
  of: "check",
  behind: "all",
  switch: "cross",
  options: {
    cross: {
      help: "ask the cross-checks instead: exit 5 when one differs from the facts, 1 when one cannot be read",
    },
  },
  load: () => import("./cross.ts"),
};
