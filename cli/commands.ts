// Every command: its summary, its options, and its file, which is loaded only when the command runs.
import type { Command, Option } from "./command.ts";

const ACCEPT: Option = {
  value: "NAMES",
  help: "publish held snapshots: all, or some of plans, macos and windows",
};
const NOW: Option = {
  value: "NAMES",
  help: "ask these upstreams even if they asked for a pause: all, or some of plans, macos and windows",
};
const CONFIG: Option = { value: "FILE", help: "settings file (default vitrine.config.json)" };
const DEMO: Option = { help: "the demo product, whatever the settings" };
const SNAPSHOTS: Option = { value: "WHERE", help: "directory of the snapshots, or URL of their store" };
const COLLECTING: Record<string, Option> = {
  schedule: { value: "CRON", help: 'when to collect, in UTC, such as "*/15 * * * *"' },
  "stale-after": { value: "TIME", help: "how long facts are served after they were last confirmed, such as 24h" },
};
const LOG: Option = { value: "FORMAT", help: "text or json (default: text on a terminal, JSON elsewhere)" };
const BASE_URL: Option = { value: "URL", help: "public base URL of all links" };
const READING: Record<string, Option> = {
  json: { help: "print JSON" },
  config: CONFIG,
  demo: DEMO,
  snapshots: SNAPSHOTS,
};
const SERVING: Record<string, Option> = {
  host: { value: "HOST", help: "address to listen on (default 127.0.0.1)" },
  port: { value: "PORT", help: "port to listen on (default 3000)" },
  "base-url": BASE_URL,
  metrics: { value: "WHERE", help: "Prometheus metrics: on (at /metrics), or an address such as 127.0.0.1:9464" },
};

export const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    summary: "collect now and on schedule, and serve (default)",
    options: { config: CONFIG, demo: DEMO, snapshots: SNAPSHOTS, ...SERVING, ...COLLECTING, log: LOG },
    load: () => import("./commands/start.ts"),
  },
  collect: {
    summary: "collect once, or on schedule with --watch",
    options: {
      watch: { help: "keep collecting on schedule" },
      "dry-run": { help: "write nothing; show what would change and what would be held" },
      json: { help: "with --dry-run: print JSON" },
      accept: ACCEPT,
      now: NOW,
      config: CONFIG,
      demo: DEMO,
      snapshots: SNAPSHOTS,
      ...COLLECTING,
      log: { ...LOG, help: `with --watch: ${LOG.help}` },
    },
    load: () => import("./commands/collect.ts"),
  },
  serve: {
    summary: "serve only; fetches nothing",
    options: { config: CONFIG, demo: DEMO, snapshots: SNAPSHOTS, ...SERVING, log: LOG },
    load: () => import("./commands/serve.ts"),
  },
  mcp: {
    summary: "answer one MCP host on stdin and stdout; fetches nothing without --collect",
    options: {
      collect: { help: "also collect now and on schedule" },
      config: CONFIG,
      demo: DEMO,
      snapshots: SNAPSHOTS,
      "base-url": BASE_URL,
      ...COLLECTING,
      log: { ...LOG, help: "text or json (default text)" },
    },
    load: () => import("./commands/mcp.ts"),
  },
  status: {
    summary: "state of every snapshot; exit 3 when one is stale or missing, 4 when one is held",
    options: {
      json: { help: "print JSON" },
      url: { value: "URL", help: "query a running server instead of the store" },
      config: CONFIG,
      demo: DEMO,
      snapshots: SNAPSHOTS,
    },
    load: () => import("./commands/status.ts"),
  },
  history: {
    summary: "the kept changes, newest first, of every snapshot or of NAME",
    operands: ["[NAME]"],
    options: READING,
    load: () => import("./commands/history.ts"),
  },
  diff: {
    summary: "the last change, or the difference since A or from A to B (revisions or dates), such as plans 3 5",
    operands: ["[NAME]", "[A]", "[B]"],
    options: READING,
    load: () => import("./commands/diff.ts"),
  },
  check: {
    summary: "show the settings that differ from their defaults, and every problem; changes nothing",
    options: {
      all: { help: "show the settings with their defaults, too" },
      json: { help: "print JSON" },
      config: CONFIG,
      demo: DEMO,
      snapshots: SNAPSHOTS,
      ...SERVING,
      ...COLLECTING,
    },
    load: () => import("./commands/check.ts"),
  },
  "build-edge": {
    summary: "write one file that answers as the server does, on platforms that run a function",
    options: {
      out: { value: "FILE", help: "file to write (default vitrine-edge.mjs)" },
      config: CONFIG,
      demo: DEMO,
      snapshots: SNAPSHOTS,
    },
    load: () => import("./commands/build-edge.ts"),
  },
  init: {
    summary: "write vitrine.config.json and sample facts; overwrites nothing",
    operands: ["[REPO]"],
    options: {
      from: {
        value: "KIND",
        help: "github, gitea or gitlab: use the releases of REPO, which is OWNER/REPO or a URL; or just the URL",
      },
    },
    load: () => import("./commands/init.ts"),
  },
};
