// A wall clock that a test sets for whole processes, with libfaketime from Debian (package faketime). The steady clock, the
// kernel and the times of files stay as they are.
import { existsSync, readdirSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "../../support/directory.ts";

const LIBRARIES = "/usr/lib";

const library = (existsSync(LIBRARIES) ? readdirSync(LIBRARIES) : [])
  .map((folder) => join(LIBRARIES, folder, "faketime/libfaketimeMT.so.1"))
  .find((path) => existsSync(path));

/** The reason for skipping the tests of clocks, also printed; undefined if libfaketime is installed. */
export const fakeClockAbsence = library === undefined ? "libfaketime is not installed: clocks are not set" : undefined;
if (fakeClockAbsence !== undefined) process.stdout.write(`${fakeClockAbsence}\n`);

export type FakeClock = Awaited<ReturnType<typeof startFakeClock>>;

/** A clock that is right until the test sets it. */
export async function startFakeClock() {
  const path = join(await temporaryDirectory(), "offset");
  let offset = 0;
  const write = async () => {
    const seconds = offset / 1_000;
    // Replaced whole, because the processes may read it at any time.
    await writeFile(`${path}.new`, `${seconds < 0 ? "" : "+"}${seconds}\n`);
    await rename(`${path}.new`, path);
  };
  await write();
  return {
    /** For every process that has this clock. */
    environment: {
      LD_PRELOAD: library ?? "",
      FAKETIME_TIMESTAMP_FILE: path,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      DONT_FAKE_MONOTONIC: "1",
      NO_FAKE_STAT: "1",
    },
    /** The time that it shows, in ms since the epoch. */
    now: () => Date.now() + offset,
    /** Sets it for running processes, too. `milliseconds`: how far ahead of the right time; negative for behind. */
    set: (milliseconds: number) => {
      offset = milliseconds;
      return write();
    },
  };
}
