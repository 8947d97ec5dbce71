// The real file system with injected faults. Every call is a step, including calls on an open file. So a test can fail each
// step of an operation in turn, or act between two steps.
import * as fsPromises from "node:fs/promises";
import type { FileSystem } from "../../snapshots/stores/files/file-system.ts";

/** Performs or replaces a step. `step` is its name, such as `rename` or `writeFile`. */
type Perform = (step: string, run: (...args: unknown[]) => Promise<unknown>, args: unknown[]) => Promise<unknown>;

/** Passes every step to `perform`. */
export function steppedFs(perform: Perform): FileSystem {
  return stepped({ ...fsPromises }, perform);
}

/** Fails at the n-th step, counting from 1, with a system error of this code; with `permanently`, at every later step too.
 * `steps`: the names of the steps so far. */
export function faultyFs({
  failAt,
  code,
  permanently = false,
}: {
  failAt: number;
  code: string;
  permanently?: boolean;
}) {
  const steps: string[] = [];
  const fs = steppedFs(async (step, run, args) => {
    steps.push(step);
    if (steps.length !== failAt && !(permanently && steps.length > failAt)) return run(...args);
    // As on Linux, a failed close has closed the file.
    if (step === "close") await run();
    throw systemError(code, step);
  });
  return { fs, steps };
}

/** A full disk: only half of the bytes written to a file arrive. */
export function fullDisk(): FileSystem {
  return steppedFs(async (step, run, args) => {
    if (step !== "writeFile") return run(...args);
    const bytes = Buffer.from(args[0] as string | Uint8Array);
    await run(bytes.subarray(0, bytes.length / 2));
    throw systemError("ENOSPC", step);
  });
}

export function systemError(code: string, step: string): Error {
  return Object.assign(new Error(`${code}: injected, ${step}`), { code, syscall: step });
}

function stepped<T extends object>(target: T, perform: Perform): T {
  return new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      const run = async (...args: unknown[]) => {
        const result: unknown = await member.apply(target, args);
        return name === "open" ? stepped(result as fsPromises.FileHandle, perform) : result;
      };
      return (...args: unknown[]) => perform(String(name), run, args);
    },
  });
}
