// Options that several commands share.
import type { Option } from "./command.ts";

/** These options choose the settings and the snapshots that a command works on. */
export const SETTINGS: Record<string, Option> = {
  config: { value: "FILE", help: "settings file (default vitrine.config.json, or .jsonc)" },
  demo: { help: "the demo product, whatever the settings" },
  snapshots: { value: "WHERE", help: "directory of the snapshots, or URL of their store" },
};
export const COLLECTING: Record<string, Option> = {
  schedule: { value: "CRON", help: 'when to collect, in UTC, such as "*/15 * * * *"' },
  "stale-after": { value: "TIME", help: "how long facts are served after they were last confirmed, such as 24h" },
};
export const LOG: Option = { value: "FORMAT", help: "text or json (default: text on a terminal, JSON elsewhere)" };
export const BASE_URL: Option = { value: "URL", help: "public base URL of all links" };
export const JSON_OUTPUT: Option = { help: "print JSON" };
export const LAST_COPY: Option = {
  value: "DIRECTORY",
  help: "where to keep the last good snapshots of a remote store",
};
export const SERVING: Record<string, Option> = {
  host: { value: "HOST", help: "address to listen on (default 127.0.0.1)" },
  port: { value: "PORT", help: "port to listen on (default 3000)" },
  "base-url": BASE_URL,
  "last-copy": LAST_COPY,
  metrics: { value: "WHERE", help: "Prometheus metrics: on (at /metrics), or an address such as 127.0.0.1:9464" },
};
