// `vitrine check --notify`: sends one message to the address of `notify`, and says what it answers. For an operator who has set it.
// Without it, the first message is that of the first trouble.
import type { Mode } from "../../command.ts";

export const trialMode: Mode = {
  of: "check",
  behind: "all",
  switch: "notify",
  options: { notify: { help: "send a trial message to the address of `notify`; exit 1 when it is not taken" } },
  load: () => import("./trial.ts"),
};
