// The commands of the core. The file of a command is loaded only when it runs.
import type { Command } from "../command.ts";
import { COLLECTING, LOG, SERVING, SETTINGS } from "../options.ts";

export const startCommand: Command = {
  name: "start",
  summary: "collect now and on schedule, and serve (default)",
  options: { ...SETTINGS, ...SERVING, ...COLLECTING, log: LOG },
  load: () => import("./start.ts"),
};

export const collectCommand: Command = {
  name: "collect",
  summary: "collect once, or on schedule with --watch",
  options: {
    watch: { help: "keep collecting on schedule" },
    accept: { value: "NAMES", help: "publish held snapshots: all, or some of plans, macos and windows" },
    now: {
      value: "NAMES",
      help: "ask these upstreams even if they asked for a pause: all, or some of plans, macos and windows",
    },
    ...SETTINGS,
    ...COLLECTING,
    log: { ...LOG, help: `with --watch: ${LOG.help}` },
  },
  conflicts: ({ watch, accept, now, log }) => [
    // The operator has reviewed one candidate; with --watch it would accept every later one, too.
    watch === true && accept !== undefined && "--accept cannot be combined with --watch",
    // It would ignore every later pause, too.
    watch === true && now !== undefined && "--now cannot be combined with --watch",
    log !== undefined && watch !== true && "--log requires --watch",
  ],
  load: () => import("./collect.ts"),
};

export const serveCommand: Command = {
  name: "serve",
  summary: "serve only; fetches nothing",
  options: { ...SETTINGS, ...SERVING, log: LOG },
  load: () => import("./serve.ts"),
};
