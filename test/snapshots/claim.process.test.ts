// One collector at a time in a directory, with collectors that die, race or leave files behind.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, readdir, stat, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { StoreError, type Claim } from "../../snapshots/store.ts";
import { HOST } from "../../snapshots/stores/files/claim.ts";
import { openFileStore } from "../../snapshots/stores/files/file-store.ts";
import { startChild, startContained, UNSHARE } from "../support/program/child.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { onPosix } from "../support/on-posix.ts";
import { faultyFs, fullDisk, steppedFs, systemError } from "../support/faulty-fs.ts";
import { plansSnapshot, publishNext } from "../support/snapshot.ts";

const HERE = { host: HOST, pid: process.pid, start: "an earlier process", released: false };
const ELSEWHERE = { ...HERE, host: "another-host.example" };
const claimFile = (directory: string, number: number) => join(directory, `.claim.${number}`);

async function claimed(directory: string): Promise<Claim> {
  const claim = await openStore(directory).claim();
  if (claim === undefined) throw new Error("busy");
  return claim;
}

async function directoryWith(holder: object | string): Promise<string> {
  const directory = await temporaryDirectory();
  await writeFile(claimFile(directory, 7), typeof holder === "string" ? holder : JSON.stringify(holder));
  return directory;
}

async function releasedDirectory(): Promise<string> {
  const directory = await temporaryDirectory();
  await (await claimed(directory)).release();
  return directory;
}

describe("the claim of a directory (snapshots/stores/files/claim.ts)", () => {
  test("a claimed directory is busy, and free again after the release", async () => {
    const directory = join(await temporaryDirectory(), "made", "when", "needed");
    const claim = await claimed(directory);
    expect(await openStore(directory).claim()).toBeUndefined();
    await claim.release();
    await (await claimed(directory)).release();
    await claimed(directory);
  });
});

test("a killed collector holds no claim", async () => {
  const directory = await temporaryDirectory();
  const collector = startChild("claimant");
  expect(await collector.ask(`claim ${directory}`)).toBe("granted");
  expect(await openStore(directory).claim()).toBeUndefined();
  await collector.kill();
  await claimed(directory);
});

test("an earlier process with the same number holds no claim", async () => {
  await claimed(await directoryWith(HERE));
});

test("another host holds its claim while it refreshes it", async () => {
  const directory = await directoryWith(ELSEWHERE);
  expect(await openStore(directory).claim()).toBeUndefined();
  const aMinuteAgo = new Date(Date.now() - 60_000);
  await utimes(claimFile(directory, 7), aMinuteAgo, aMinuteAgo);
  await claimed(directory);
});

test("a container keeps its claim from another one with the host's name and the same process number", async (context) => {
  const [command, ...words] = UNSHARE;
  if (spawnSync(command, [...words, "true"]).status !== 0) return context.skip("needs unshare, and root");
  const directory = await temporaryDirectory();
  const [first, second] = [startContained("claimant"), startContained("claimant")];
  expect(await first.ask(`claim ${directory}`)).toBe("granted");
  expect(await second.ask(`claim ${directory}`)).toBe("busy");
});

test("a holder refreshes its claim", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const directory = await temporaryDirectory();
  let refreshed = () => {};
  const refresh = new Promise<void>((resolve) => (refreshed = resolve));
  const fs = steppedFs(async (step, run, args) => {
    const result = await run(...args);
    if (step === "utimes") refreshed();
    return result;
  });
  await openFileStore(directory, fs).claim();
  await utimes(claimFile(directory, 1), 0, 0);
  vi.advanceTimersByTime(10_000);
  await refresh;
  expect((await stat(claimFile(directory, 1))).mtimeMs).toBeGreaterThan(Date.now() - 10_000);
});

test.for(["", "garbage", "{}", "null", '{"host":1}'])("a claim file with %j is no claim", async (text) => {
  await claimed(await directoryWith(text));
});

const STRANGERS: [what: string, put: (path: string) => unknown][] = [
  ["a directory", (path) => mkdir(path)],
  ["a file of a terabyte", putOverSize],
];
const POSIX_STRANGERS: typeof STRANGERS = [
  ["a FIFO", (path) => execFileSync("mkfifo", [path])],
  ["a symbolic link to a FIFO", linkToFifo],
  ["a socket", putSocket],
];

test.for([...STRANGERS, ...onPosix(...POSIX_STRANGERS)])(
  "%s in the place of a claim is no claim",
  { timeout: 10_000 },
  async ([, put]) => {
    const directory = await temporaryDirectory();
    await put(claimFile(directory, 7));
    const claim = await claimed(directory);
    expect(await openStore(directory).claim()).toBeUndefined();
    await claim.release();
    await claimed(directory);
  },
);

test.for(["1000000000000", "9".repeat(200)])(
  "a claim with the number %s, which no collector has reached, is no claim",
  async (number) => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, `.claim.${number}`), JSON.stringify({ ...HERE, pid: 1 }));
    await claimed(directory);
    expect(await readdir(directory)).toEqual([".claim.1"]);
  },
);

test("a claim with the last number is named, with the remedy", async () => {
  const directory = await temporaryDirectory();
  await writeFile(claimFile(directory, 999_999_999_999), "");
  const problem = ".claim.999999999999 leaves no number for a new claim: remove it";
  await expect(openStore(directory).claim()).rejects.toThrow(new StoreError(problem));
});

test("a granted claim removes the leftovers of dead collectors, and nothing else", async () => {
  const directory = await directoryWith(HERE);
  await publishNext(openStore(directory), (revision) => plansSnapshot({ revision }));
  await writeFile(join(directory, ".plans.json.0b5e.tmp"), "half a snap");
  await writeFile(join(directory, ".claim.0b5e.tmp"), "");
  await writeFile(join(directory, "notes.tmp"), "a vendor's own");
  await claimed(directory);
  expect((await readdir(directory)).toSorted()).toEqual([".claim.8", "notes.tmp", "plans.json"]);
});

test("of many simultaneous claims, in one process and in many, exactly one is granted", async () => {
  const children = Array.from({ length: 6 }, () => startChild("claimant"));
  const startingPoints = [
    () => temporaryDirectory(),
    () => releasedDirectory(),
    () => directoryWith(HERE),
    () => directoryWith("garbage"),
  ];
  for (let round = 0; round < 16; round++) {
    const directory = await startingPoints[round % startingPoints.length]!();
    const inside = Array.from({ length: 20 }, () => openStore(directory).claim());
    const outside = children.map((child) => child.ask(`claim ${directory}`));
    const claims = (await Promise.all(inside)).filter((claim) => claim !== undefined);
    const granted = (await Promise.all(outside)).filter((answer) => answer === "granted");
    expect(claims.length + granted.length, `round ${round}`).toBe(1);

    await Promise.all([...claims.map((claim) => claim.release()), ...children.map((child) => child.ask("release"))]);
    await (await claimed(directory)).release();
  }
});

test("exactly one collector holds the directory, even if others claim between any two steps of an attempt", async () => {
  const steps = 20;
  for (let first = 1; first < steps; first++) {
    for (let second = first + 1; second <= steps; second++) {
      const directory = await directoryWith(HERE);
      let rival: Claim | undefined;
      const overtake = async () => {
        await rival?.release();
        rival = await openStore(directory).claim();
      };
      let step = 0;
      const fs = steppedFs(async (_, run, args) => {
        if (++step === first || step === second) await overtake().then(overtake);
        return run(...args);
      });
      const attempt = await openFileStore(directory, fs).claim();
      const hint = `overtaken before steps ${first} and ${second} of ${step}`;
      expect([attempt, rival].filter(Boolean), hint).toHaveLength(1);
      expect(await openStore(directory).claim(), hint).toBeUndefined();
    }
  }
});

test("a living collector keeps its claim when any step of another attempt fails", async () => {
  for (const code of ["EIO", "EACCES", "EMFILE"]) {
    for (let failAt = 1, finished = false; !finished; failAt++) {
      const directory = await temporaryDirectory();
      await claimed(directory);
      const { fs, steps } = faultyFs({ failAt, code });
      const second = await openFileStore(directory, fs)
        .claim()
        .catch(() => undefined);
      expect(second, `${code} at ${steps[failAt - 1]}`).toBeUndefined();
      finished = steps.length < failAt;
    }
  }
});

test("an attempt that fails at any step does not hold the directory", async () => {
  for (let failAt = 1, finished = false; !finished; failAt++) {
    const directory = await directoryWith(HERE);
    const { fs, steps } = faultyFs({ failAt, code: "EIO" });
    const attempt = await openFileStore(directory, fs)
      .claim()
      .catch(() => undefined);
    finished = steps.length < failAt;
    if (attempt === undefined) expect(await openStore(directory).claim(), steps[failAt - 1]).toBeDefined();
  }
});

test("a full disk refuses a claim without leaving files behind", async () => {
  const directory = await directoryWith(HERE);
  await expect(openFileStore(directory, fullDisk()).claim()).rejects.toThrow("ENOSPC");
  expect(await readdir(directory)).toEqual([".claim.7"]);
});

test("a claim can be released on a full disk", async () => {
  const directory = await temporaryDirectory();
  let full = false;
  const fs = steppedFs((step, run, args) => {
    if (full && step === "writeFile") throw systemError("ENOSPC", step);
    return run(...args);
  });
  const claim = await openFileStore(directory, fs).claim();
  full = true;
  await claim?.release();
  await claimed(directory);
});

async function linkToFifo(path: string): Promise<void> {
  execFileSync("mkfifo", [`${path}.fifo`]);
  await symlink(`${path}.fifo`, path);
}

async function putSocket(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
}

/** Sparse, so it costs no disk. */
async function putOverSize(path: string): Promise<void> {
  await writeFile(path, "");
  await truncate(path, 2 ** 40);
}
