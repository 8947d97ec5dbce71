// Gemini CLI's list of servers, to which it connects; without a key it can do no more.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { print, url } from "../../programs/report.mjs";

const GEMINI = fileURLToPath(new URL("../node_modules/@google/gemini-cli/bundle/gemini.js", import.meta.url));

// The home directory is a temporary one (clients.ts).
const settings = { mcpServers: { vitrine: { httpUrl: url } }, privacy: { usageStatisticsEnabled: false } };
mkdirSync(join(homedir(), ".gemini"), { recursive: true });
writeFileSync(join(homedir(), ".gemini/settings.json"), JSON.stringify(settings));
const { stdout, stderr } = spawnSync(process.execPath, [GEMINI, "mcp", "list"], {
  cwd: homedir(),
  // It connects only from trusted folders.
  env: { ...process.env, GEMINI_CLI_TRUST_WORKSPACE: "true" },
  encoding: "utf8",
  timeout: 50_000,
});
if (!/vitrine: .*- Connected/.test(stdout + stderr)) throw new Error(`it is not connected: ${stdout}${stderr}`);
print({});
