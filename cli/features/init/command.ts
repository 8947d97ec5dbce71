// `vitrine init`: writes the first settings of a vendor, with sample facts to replace or the releases of a repository. Without it, the
// settings are written by hand, as docs/settings.md has them.
// after: dry-run, kinds
import type { Command } from "../../command.ts";

export const initCommand: Command = {
  name: "init",
  summary: "write vitrine.config.json and sample facts; overwrites nothing",
  operands: ["[REPO]"],
  options: {
    from: {
      value: "KIND",
      help: "github, gitea or gitlab: use the releases of REPO, which is OWNER/REPO or a URL; or just the URL",
    },
  },
  load: () => import("./init.ts"),
};
