// Podman with images, containers, volumes and networks of its own, in a directory that can be removed.
import { execFile, spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** For a command other than a build. */
const TIMEOUT_MS = 120_000;
/** `npm ci` and the bundle, on a busy machine. */
export const BUILD_MS = 10 * 60_000;

const DOCKER = 'docker() { if [ "$1" = compose ]; then shift; podman-compose "$@"; else podman "$@"; fi; }';

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

export class Podman {
  readonly #environment: Record<string, string>;

  /** `directory`: for everything it keeps. */
  static async in(directory: string): Promise<Podman> {
    await mkdir(directory, { recursive: true });
    const at = (name: string) => JSON.stringify(join(directory, name));
    // Without these limits it asks for the highest, which a machine may refuse.
    const containers = [
      `[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]`,
      `[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\ntmp_dir = ${at("tmp")}`,
      `[network]\nnetwork_config_dir = ${at("networks")}`,
    ];
    const storage = `[storage]\ndriver = "overlay"\ngraphroot = ${at("graph")}\nrunroot = ${at("run")}\n`;
    const files = { CONTAINERS_CONF: "containers.conf", CONTAINERS_STORAGE_CONF: "storage.conf" };
    await writeFile(join(directory, files.CONTAINERS_CONF), `${containers.join("\n")}\n`);
    await writeFile(join(directory, files.CONTAINERS_STORAGE_CONF), storage);
    const named = Object.entries(files).map(([name, file]) => [name, join(directory, file)]);
    return new Podman({ PATH: process.env.PATH ?? "", HOME: directory, ...Object.fromEntries(named) });
  }

  private constructor(environment: Record<string, string>) {
    this.#environment = environment;
  }

  /** Runs `podman` with these words to its end. @throws Error with its output unless the exit code is 0. */
  async run(...words: string[]): Promise<string> {
    return succeeded(words, await this.end(...words));
  }

  /** As `run`, whatever the exit code. */
  end(...words: string[]): Promise<Ended> {
    return this.#execute("podman", words, { timeout: words[0] === "build" ? BUILD_MS : TIMEOUT_MS });
  }

  /** Runs lines of a shell as they stand, with Podman for `docker`. @throws Error with its output if one fails. */
  async shell(
    lines: readonly string[],
    { directory: cwd, environment }: { directory: string; environment: Record<string, string> },
  ): Promise<void> {
    const script = [DOCKER, ...lines].join("\n");
    succeeded(lines, await this.#execute("bash", ["-ec", script], { cwd, environment, timeout: TIMEOUT_MS }));
  }

  /** Ends and removes everything, so that the directory can be removed. */
  async removeEverything(): Promise<void> {
    await this.end("rm", "--all", "--force", "--time", "0");
    await this.end("system", "reset", "--force");
  }

  #execute(
    command: string,
    words: readonly string[],
    { environment, ...options }: { cwd?: string; timeout: number; environment?: Record<string, string> },
  ): Promise<Ended> {
    const env = { ...this.#environment, ...environment };
    return new Promise((resolve) => {
      execFile(command, words, { ...options, env, maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) => {
        const code = typeof error?.code === "number" ? error.code : -1;
        resolve({ code: error ? code : 0, stdout, stderr });
      });
    });
  }
}

function succeeded(words: readonly string[], { code, stdout, stderr }: Ended): string {
  if (code === 0) return stdout.trim();
  throw new Error(`${words.join(" ")} ended with ${code}: ${stderr || stdout}`);
}

/** The first tool that is not installed, if any. */
export function missingTool(): string | undefined {
  const tools = ["podman", "podman-compose", "runc", "catatonit", "iptables", "apt-get", "dpkg", "git"];
  return tools.find((tool) => spawnSync(tool, ["--version"]).error !== undefined);
}
