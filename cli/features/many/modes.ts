// `vitrine collect DIR...` and `vitrine status DIR...`: the folders of many vendors in one process, for an operator who hosts them. They ask
// each upstream as one client does, and one line says who is in trouble. Without it, a loop runs the command in each folder, and many
// vendors of one forge cost more than it permits.
// after: status
import type { Mode } from "../../command.ts";

export const manyCollected: Mode = {
  of: "collect",
  operands: ["[DIR...]"],
  load: () => import("./collect-many.ts"),
};

export const manyShown: Mode = {
  of: "status",
  operands: ["[DIR...]"],
  load: () => import("./status-many.ts"),
};
