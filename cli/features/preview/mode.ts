// `vitrine check --page FILE`: writes the page as it would be with what the sources have now, before anyone else sees it. For a vendor with
// new settings or prices. Without it, the page is seen once the facts are published.
// after: api-files, dry-run, edge
import type { Mode } from "../../command.ts";

export const previewMode: Mode = {
  of: "check",
  behind: "all",
  switch: "page",
  options: {
    page: { value: "FILE", help: "ask the sources, and write the page as it would be; publishes nothing" },
  },
  load: () => import("./preview.ts"),
};
