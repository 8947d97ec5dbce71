// `vitrine verify` and `vitrine keygen`. For a reader who does not want to believe a host, and for a vendor who signs. Without the
// feature, facts are as trustworthy as the host and the store that they come from.
import type { Command } from "../../command.ts";

export const verifyCommand: Command = {
  name: "verify",
  summary:
    "check the signatures of any Vitrine's facts; exit 1 when disproved, 3 when expired or away, 5 when unsigned",
  operands: ["URL"],
  options: {
    key: {
      value: "KEY",
      help: "the public key that must have signed, or several: KEY,KEY (default: what the host shows)",
    },
    issuer: { value: "URL", help: "base URL that the facts must be signed for (default: the same)" },
  },
  load: () => import("./verify.ts"),
};

export const keygenCommand: Command = {
  name: "keygen",
  summary: "print a new key to sign facts with, as a line for the environment",
  options: {},
  load: () => import("./keygen.ts"),
};
