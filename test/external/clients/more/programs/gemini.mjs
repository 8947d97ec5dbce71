// Gemini CLI's list of servers, which it connects to; without a key that is all it does.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { print, url } from "../../programs/report.mjs";

const GEMINI = fileURLToPath(new URL("../node_modules/@google/gemini-cli/bundle/gemini.js", import.meta.url));

// The home is one of its own: see clients.ts.
const settings = { mcpServers: { vitrine: { httpUrl: url } }, privacy: { usageStatisticsEnabled: false } };
mkdirSync(join(homedir(), ".gemini"), { recursive: true });
writeFileSync(join(homedir(), ".gemini/settings.json"), JSON.stringify(settings));
const { stdout, stderr } = spawnSync(process.execPath, [GEMINI, "mcp", "list"], {
  cwd: homedir(),
  // It connects to nothing from a folder that nobody said they trust.
  env: { ...process.env, GEMINI_CLI_TRUST_WORKSPACE: "true" },
  encoding: "utf8",
  timeout: 50_000,
});
if (!/vitrine: .*- Connected/.test(stdout + stderr)) throw new Error(`it is not connected: ${stdout}${stderr}`);
print({});
