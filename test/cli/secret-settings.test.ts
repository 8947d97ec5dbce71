// Secrets in the settings file: never printed, refused where they would be sent as they are written, warned of, and not kept by
// the server.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runInProcess } from "../support/program/in-process.ts";
import { PROGRAM, startProgram } from "../support/program/program.ts";
import { settingsDirectory } from "../support/program/settings.ts";
import { pollUntil } from "../support/serving/server.ts";

const FILE = { from: "file", path: "facts.json" };
const SECRET = "T0XYZ-hunter2";

async function check(settings: object, environment: Record<string, string> = {}): Promise<string> {
  const directory = await settingsDirectory({ plans: FILE, releases: FILE, ...settings });
  const ended = await runInProcess(["check"], directory, environment).catch((error: unknown) => ({
    stderr: String(error),
  }));
  return ended.stderr;
}

test.for<[url: string, shown: string]>([
  [`http://hooks.example/services/${SECRET}`, '(got "http://hooks.example/…")'],
  [`HTTP://hooks.example:8080/${SECRET}`, '(got "http://hooks.example:8080/…")'],
  [`https//hooks.example/services/${SECRET}`, "(http only on this computer)"],
  [`hooks.example/services/${SECRET}`, "(http only on this computer)"],
  [`ftp://hooks.example/${SECRET}`, "(http only on this computer)"],
  [`https://user:${SECRET}@hooks.example/`, "(http only on this computer)"],
  [`http://hooks.example/?key=${SECRET}`, "(http only on this computer)"],
])("of an invalid URL, %s, at most the origin is shown", async ([url, shown]) => {
  const shownFor = await Promise.all([
    check({ plans: { from: "json", url } }),
    check({ releases: { from: "sparkle", url } }),
    check({ standIns: { [url]: "https://mirror.example" } }),
    check({ standIns: { "https://dl.example": url } }),
  ]);
  expect(shownFor.slice(0, 2)).toEqual([expect.stringContaining(shown), expect.stringContaining(shown)]);
  for (const text of shownFor) {
    expect(text).toContain("must be an https");
    expect(text).not.toContain(SECRET);
  }
});

test("variables that are missing or unfit are named, their values are not", async () => {
  const headers = { "x-one": "$KEY_ONE", "x-two": "$KEY_TWO", authorization: "Bearer $KEY_THREE" };
  const given = { plans: { from: "json", url: "https://a.example/", headers } };
  const unset = await check(given, { KEY_THREE: "" });
  for (const name of ["ONE", "TWO", "THREE"])
    expect(unset).toContain(`the environment variable KEY_${name} is not set`);
  const odd = await check(given, { KEY_ONE: `${SECRET}\r\nx-injected: 1`, KEY_TWO: "2", KEY_THREE: "3" });
  expect(odd).toContain("the environment variable KEY_ONE contains characters that a header cannot");
  expect(odd).not.toContain(SECRET);
});

test.for([{ "x-key": [SECRET] }, { "x-key": `${SECRET}\n` }, `x-key: ${SECRET}`])(
  "headers that cannot be sent are not repeated: %j",
  async (headers) => {
    const text = await check({ plans: { from: "json", url: "https://a.example/", headers } });
    expect(text).toContain("plans.headers");
    expect(text).not.toContain(SECRET);
  },
);

test.for(["https://x.example/$TOKEN", "https://x.example/a?key=$TOKEN", "https://x.example/${TOKEN}/b"])(
  "a variable in a URL is refused: %s",
  async (url) => {
    const text = await check({ plans: { from: "json", url } }, { TOKEN: SECRET });
    expect(text).toMatch(
      /plans\.url +must have no "\$NAME", which is replaced in headers only; write %24 for a dollar sign/,
    );
  },
);

test("a dollar sign that is no reference may stay in a URL", async () => {
  for (const url of ["https://x.example/a?price=$5", "https://x.example/a?%24filter=b", "https://x.example/a$"]) {
    expect(await check({ plans: { from: "json", url } })).not.toContain("plans.url");
  }
});

test.for<[name: string, value: string]>([
  ["authorization", SECRET],
  ["X-Api-Key", SECRET],
  ["cookie", "session=1"],
  ["x-tenant", "Bearer abc"],
  ["x-tenant", "ghp_0123456789abcdefABCDEF"],
])("a literal secret in the header %s is warned of, and not shown: %s", async ([name, value]) => {
  const text = await check({ plans: { from: "json", url: "https://x.example/", headers: { [name]: value } } });
  expect(text).toContain(
    `! plans.headers.${name} looks like a secret: put it into the environment and write "$NAME" here`,
  );
  expect(text).not.toContain(value);
});

test("a reference and a plain header cause no warning", async () => {
  const headers = { authorization: "Bearer $TOKEN", accept: "application/vnd.acme.v3+json", "accept-language": "en" };
  const json = { from: "json", url: "https://x.example/", headers };
  expect(await check({ plans: json }, { TOKEN: SECRET })).not.toContain("looks like a secret");
});

test("a server forgets the sources of its settings, which it never asks", async () => {
  const canary = (what: string) => `${what}-of-the-collector-alone`;
  const url = `https://billing.acme.example/${canary("path")}`;
  const directory = await settingsDirectory({
    plans: { from: "json", url, headers: { authorization: `Bearer ${canary("token")}` } },
    releases: { from: "file", path: `${canary("file")}.json` },
    standIns: { [`https://${canary("host")}.example`]: "http://127.0.0.1:4010" },
  });
  const { get, signal } = await startProgram(["serve"], {
    directory,
    program: ["--heapsnapshot-signal=SIGUSR2", ...PROGRAM],
  });
  const written = () => readdir(directory).then((names) => names.find((name) => name.endsWith(".heapsnapshot")));
  signal("SIGUSR2");
  const name = await pollUntil(written, (file) => file !== undefined);
  // The process answers nothing while it writes.
  await get("/healthz");
  const heap = await readFile(join(directory, name ?? ""), "utf8");
  expect(heap.includes(directory)).toBe(true);
  const kept = ["path", "token", "file", "host"].filter((what) => heap.includes(canary(what)));
  expect(kept).toEqual([]);
});
