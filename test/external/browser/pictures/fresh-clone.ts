// Runs `npm start` in a fresh clone and a real terminal: serves the demo product on port 3000 and returns the output.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const ROOT = join(import.meta.dirname, "../../../..");
const COMMAND = "npm start";
/** The last of the first lines. */
const LAST_LINE = /Ctrl\+C stops\./;
/** For the start, and for the end. */
const TIME_LIMIT_MS = 20_000;

export interface FreshClone {
  /** The command after a prompt, and its output, with the terminal's escape sequences. */
  printed: string;
  /** Of the page. */
  address: string;
  stop: () => Promise<void>;
}

/** @throws Error with the output if it does not start, for example because port 3000 is in use. */
export async function startFreshClone(): Promise<FreshClone> {
  const home = await mkdtemp(join(tmpdir(), "vitrine-pictures-"));
  const clone = join(home, "vitrine");
  const cloned = spawnSync("git", ["clone", "--quiet", ROOT, clone], { encoding: "utf8" });
  if (cloned.status !== 0) throw new Error(`git clone failed: ${cloned.stderr}`);
  await symlink(join(ROOT, "node_modules"), join(clone, "node_modules"));
  // script (util-linux) provides the terminal. The temporary home keeps the user's npm settings out.
  const terminal = spawn("script", ["-qec", `stty cols 100 rows 40; ${COMMAND}`, "/dev/null"], {
    cwd: clone,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TERM: "xterm-256color",
      npm_config_update_notifier: "false",
      // On a slow computer npm would draw a spinner.
      npm_config_progress: "false",
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(terminal, "close");
  let text = "";
  const isUp = new Promise<true>((resolve) => {
    terminal.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (LAST_LINE.test(text)) resolve(true);
    });
  });
  const stop = async () => {
    // Ctrl+C, as a user stops it.
    terminal.stdin.write("\u0003");
    if (!(await inTime(ended))) terminal.kill("SIGKILL");
    await rm(home, { recursive: true, force: true });
  };
  const isStarted = await inTime(Promise.race([isUp, ended]));
  const address = / +Page +(\S+)/.exec(text)?.[1];
  if (!isStarted || address === undefined) {
    await stop();
    throw new Error(`${COMMAND} did not start:\n${text}`);
  }
  return { printed: `$ ${COMMAND}\n${text}`, address, stop };
}

/** Whether the event occurred within the limit. */
async function inTime(event: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  const late = sleep(TIME_LIMIT_MS, false, { signal: over.signal }).catch(() => false);
  const isInTime = await Promise.race([event.then(() => true), late]);
  over.abort();
  return isInTime;
}
