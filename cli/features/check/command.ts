// `vitrine check`: says what is wrong, or probably wrong, with the settings before anything runs. For an operator who has edited them,
// and for a deployment. Without it, other commands still refuse settings that cannot work, but warn of no probable mistake and know no
// other word for it.
// after: kinds
import type { Command } from "../../command.ts";
import { COLLECTING, JSON_OUTPUT, SERVING, SETTINGS } from "../../options.ts";

export const checkCommand: Command = {
  name: "check",
  summary: "show the settings that differ from their defaults, and every problem; changes nothing",
  options: {
    all: { help: "show the settings with their defaults, too" },
    json: JSON_OUTPUT,
    ...SETTINGS,
    ...SERVING,
    ...COLLECTING,
  },
  load: () => import("./check.ts"),
};
