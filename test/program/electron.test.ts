// The example for Electron, run as it is shown: with the parts of Electron that it uses, and a server that answers as told.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { json, startUpstream, status, type Behaviour } from "../support/collecting/upstream.ts";

const page = await readFile(join(import.meta.dirname, "../../docs/electron.md"), "utf8");
const [, shown = ""] = /^```js\n(.*?)^```$/ms.exec(page) ?? [];
const PATH = "/api/v1/releases/latest";
const DOWNLOAD = "https://dl.acme.example/notes.msi";

function release(version: string, forceUpdate = false): Behaviour {
  const latest = { platform: "windows", version, changelog: "- Faster.", downloadURL: DOWNLOAD, size: "", date: "" };
  return json({ hasUpdate: true, forceUpdate, latest });
}

interface AppOptions {
  version?: string;
  /** The button that the user presses. */
  press?: number;
  platform?: string;
}

/** Starts the example in an app, and again as often as its timer asks for that. Resolves to what it has done, in order. */
async function startApp(
  answers: readonly Behaviour[],
  { version = "2.0.0", press = 0, platform = "win32" }: AppOptions = {},
) {
  const upstream = await startUpstream();
  const done: string[] = [];
  let offered: Promise<unknown> = Promise.resolve();
  const left = [...answers];
  const next = () => upstream.set(PATH, left.shift() ?? status(404));
  const electron = {
    app: {
      whenReady: () => Promise.resolve(),
      getVersion: () => version,
      getName: () => "Acme Notes",
      quit: () => done.push("quit"),
    },
    dialog: {
      async showMessageBox({ message, buttons }: { message: string; buttons: string[] }) {
        done.push(`${message} ${buttons.join("/")}`);
        return { response: press };
      },
    },
    net: {
      fetch: (url: string, init: RequestInit) => fetch(url.replace("http://localhost:3000", upstream.origin), init),
    },
    shell: { openExternal: async (url: string) => void done.push(url) },
    process: { platform },
    setTimeout: (offer: () => Promise<unknown>, milliseconds: number) => {
      done.push(`again in ${milliseconds / 60_000} minutes`);
      if (left.length === 0) return;
      next();
      offered = offered.then(offer);
    },
  };
  next();
  const program = shown.replace(/^import .*$/m, "").replace("app.whenReady()", "return app.whenReady()");
  offered = new Function(...Object.keys(electron), program)(...Object.values(electron));
  for (let last; last !== offered;) await (last = offered);
  return { done, asked: upstream.requests.map(({ path }) => path) };
}

test("it offers a newer release, and opens the download when the user wants it", async () => {
  const { done, asked } = await startApp([release("2.1.0")]);
  expect(asked).toEqual([`${PATH}?platform=windows`]);
  expect(done).toEqual(["Acme Notes 2.1.0 is available. Download/Later", DOWNLOAD]);
  expect((await startApp([release("2.1.0")], { press: 1 })).done).toHaveLength(1);
});

test.for([
  ["2.0.0", "2.0.0"],
  ["1.9.9", "2.0.0"],
  ["2.9.0", "2.10.0"],
  ["2.0", "2.0.0"],
  ["2.1.0-beta.2", "2.1.0"],
  ["Autumn", "2.0.0"],
] as const)("the release %s is not offered to %s", async ([latest, version]) => {
  expect((await startApp([release(latest)], { version })).done).toEqual([]);
});

test.for([
  ["2.10.0", "2.9.0"],
  ["v3", "2.9.9"],
  ["2.1.0", "2.1.0-beta.2"],
  ["2.0.0.1", "2.0.0"],
] as const)("the release %s is offered to %s", async ([latest, version]) => {
  expect((await startApp([release(latest)], { version })).done).toHaveLength(2);
});

test("offline, unavailable or unreadable is asked again in an hour", async () => {
  const offline: Behaviour = (_, response) => response.destroy();
  const loginPage: Behaviour = (_, response) => void response.end("<html>Welcome</html>");
  const { done } = await startApp([offline, status(502), loginPage, release("2.1.0")]);
  expect(done.slice(0, 3)).toEqual(Array(3).fill("again in 60 minutes"));
  expect(done.at(-1)).toBe(DOWNLOAD);
});

test("a release that is forced ends the app, whatever the user answers", async () => {
  const { done } = await startApp([release("2.1.0", true)], { press: 1 });
  expect(done).toEqual(["Acme Notes 2.1.0 is available. Download/Quit", "quit"]);
});

test("it asks for the installer of its own system, and on Linux for none", async () => {
  expect((await startApp([release("2.1.0")], { platform: "darwin" })).asked).toEqual([`${PATH}?platform=macos`]);
  expect((await startApp([release("2.1.0")], { platform: "linux" })).asked).toEqual([]);
});
