// The system's Chromium without a window, driven over its DevTools protocol, so that nothing must be installed for it. Its cache of
// answers is the real one.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "undici";
import { findChromium } from "../browser/find-chromium.ts";

const found = findChromium();
/** The reason for skipping its tests, also printed; undefined if it is installed. */
export const NO_CHROMIUM = "reason" in found ? found.reason : undefined;
if (NO_CHROMIUM !== undefined) process.stdout.write(`Chromium: ${NO_CHROMIUM}\n`);

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--remote-debugging-port=0",
];

export interface Tab {
  /** Fetches an address as a script of the page does. Resolves to the status, 0 if it fails, and the text. */
  fetch(path: string): Promise<{ status: number; text: string }>;
}

/** Starts Chromium. `open`: a page of an origin, with the cache that all pages of the browser share. */
export async function startChromium(onFinished: (cleanUp: () => Promise<void>) => void) {
  const profile = await mkdtemp(join(tmpdir(), "vitrine-chromium-"));
  onFinished(() => rm(profile, { recursive: true, force: true, maxRetries: 20 }));
  const path = "path" in found ? found.path : "";
  const child = spawn(path, [...FLAGS, `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const closed = once(child, "close");
  onFinished(async () => {
    child.kill("SIGTERM");
    await closed;
  });
  let said = "";
  const address = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const [, url] = /^DevTools listening on (ws:\S+)/m.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.on("close", () => reject(new Error(`Chromium ended: ${said}`)));
  });
  const socket = new WebSocket(address);
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  onFinished(async () => socket.close());
  const waiting = new Map<number, (message: Message) => void>();
  socket.addEventListener("message", ({ data }: { data: unknown }) => {
    const message = JSON.parse(String(data)) as Message;
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  let count = 0;
  const send = async (method: string, params: object, sessionId?: string): Promise<Record<string, unknown>> => {
    const id = ++count;
    const message = await new Promise<Message>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params, sessionId }));
    });
    if (message.error) throw new Error(`${method}: ${message.error.message}`);
    return message.result ?? {};
  };
  return {
    /** A page of `http://127.0.0.1:port/`. Other ports are other sites to the cache. */
    async open(port: number): Promise<Tab> {
      const { targetId } = await send("Target.createTarget", { url: `http://127.0.0.1:${port}/healthz` });
      const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
      const evaluate = async (expression: string) => {
        const asked = { expression, awaitPromise: true, returnByValue: true };
        const { result } = await send("Runtime.evaluate", asked, String(sessionId));
        return (result as { value: unknown }).value;
      };
      while ((await evaluate("location.pathname + document.readyState")) !== "/healthzcomplete") continue;
      return {
        async fetch(path) {
          const script = `fetch(${JSON.stringify(path)}).then(async (answer) => ({ status: answer.status, text: await answer.text() }),
            () => ({ status: 0, text: "" }))`;
          return (await evaluate(script)) as { status: number; text: string };
        },
      };
    },
  };
}

interface Message {
  id: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}
