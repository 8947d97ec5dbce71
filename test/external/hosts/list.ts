// The hosts: how each is installed, and told of the model and of the vendors' servers.
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../support/port.ts";

/** The names that a user gave the two servers, which say nothing. */
export const SERVERS = ["shop-one", "shop-two"] as const;

export interface Setting {
  /** Addresses of the scripted model, and of the MCP endpoints in the order of SERVERS. */
  model: string;
  endpoints: readonly string[];
}

export interface Host {
  name: string;
  package: string;
  /** In `node_modules`; a script or a binary. */
  program: string;
  /** Its settings, by their paths in the home directory. */
  files: (setting: Setting) => Record<string, string>;
  env: (setting: Setting) => Record<string, string>;
  words: (prompt: string, home: string) => string[];
}

const KEY = "dummy";
const json = JSON.stringify;
const servers = ({ endpoints }: Setting, entry: (url: string) => object) =>
  Object.fromEntries(SERVERS.map((name, index) => [name, entry(endpoints[index] ?? "")]));

export const HOSTS: readonly Host[] = [
  {
    name: "Claude Code",
    package: "@anthropic-ai/claude-code",
    program: "@anthropic-ai/claude-code/cli-wrapper.cjs",
    files: (setting) => ({ "mcp.json": json({ mcpServers: servers(setting, (url) => ({ type: "http", url })) }) }),
    env: ({ model }) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: KEY,
      // Updates and telemetry.
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
    words: (prompt, home) => {
      const allowed = [...SERVERS.map((name) => `mcp__${name}`), "ListMcpResourcesTool", "ReadMcpResourceTool"];
      const settings = ["--mcp-config", join(home, "mcp.json"), "--strict-mcp-config"];
      return ["-p", prompt, ...settings, "--allowedTools", allowed.join()];
    },
  },
  {
    name: "Codex",
    package: "@openai/codex",
    program: "@openai/codex/bin/codex.js",
    files: ({ model, endpoints }) => ({
      ".codex/config.toml": [
        'model = "gpt-5"\nmodel_provider = "scripted"\napproval_policy = "never"\ncheck_for_update_on_startup = false',
        "[analytics]\nenabled = false",
        `[model_providers.scripted]\nname = "scripted"\nwire_api = "responses"\nbase_url = "${model}/v1"\nenv_key = "OPENAI_API_KEY"`,
        ...SERVERS.map((name, index) => `[mcp_servers.${name}]\nurl = "${endpoints[index]}"`),
      ].join("\n"),
    }),
    env: () => ({ OPENAI_API_KEY: KEY }),
    words: (prompt) => ["exec", "--skip-git-repo-check", prompt],
  },
  {
    name: "Gemini CLI",
    package: "@google/gemini-cli",
    program: "@google/gemini-cli/bundle/gemini.js",
    files: (setting) => ({
      ".gemini/settings.json": json({
        mcpServers: servers(setting, (httpUrl) => ({ httpUrl, trust: true })),
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
      }),
    }),
    env: ({ model }) => ({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: model }),
    words: (prompt) => ["-m", "gemini-2.5-flash", "--approval-mode", "yolo", "--skip-trust", "-p", prompt],
  },
  {
    name: "opencode",
    package: "opencode-ai",
    program: `opencode-${process.platform}-${process.arch}/bin/opencode`,
    files: (setting) => ({
      ".config/opencode/opencode.json": json({
        autoupdate: false,
        share: "disabled",
        model: "scripted/one",
        small_model: "scripted/one",
        enabled_providers: ["scripted"],
        provider: {
          scripted: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${setting.model}/v1`, apiKey: KEY },
            models: { one: { tool_call: true, limit: { context: 200_000, output: 8_000 } } },
          },
        },
        mcp: servers(setting, (url) => ({ type: "remote", url, oauth: false })),
      }),
    }),
    env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: "1" }),
    words: (prompt) => ["run", prompt],
  },
];

/** Installs the newest version into the folder, without its scripts, and returns the version. @throws Error if npm fails. */
export async function install({ package: name }: Host, folder: string): Promise<string> {
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), json({ private: true }));
  const options = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  // By the tag, because npm otherwise takes an older version if this Node.js does not suit the newest.
  await promisify(execFile)("npm", ["i", ...options, "--prefix", folder, `${name}@latest`]);
  const manifest = await readFile(join(folder, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

const TIME_LIMIT_MS = 120_000;

/** Runs the host with one prompt, in a home directory of its own. The network is behind a proxy that does not exist.
 * @throws Error with the end of its output. */
export async function prompt(host: Host, setting: Setting, folder: string): Promise<void> {
  const home = join(folder, "home");
  for (const [path, text] of Object.entries(host.files(setting))) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
  const ways = { HTTPS_PROXY: `http://127.0.0.1:${await freePort()}`, NO_PROXY: "localhost,127.0.0.1" };
  const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: "1", ...ways, ...host.env(setting) };
  const program = join(folder, "node_modules", host.program);
  const words = host.words("Answer from your tools.", home);
  const [file, ...before] = program.endsWith("js") ? [process.execPath, program] : [program];
  const running = promisify(execFile)(file ?? "", [...before, ...words], { cwd: home, env, timeout: TIME_LIMIT_MS });
  // Some wait for the end of their input.
  running.child.stdin?.end();
  await running;
}
