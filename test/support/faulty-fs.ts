// The real file system with a fault in it. Every call is a step, those of an open file too, so a test can walk a fault
// through an operation from its first step to its last, or let something happen between two steps.
import * as fsPromises from "node:fs/promises";
import type { FileSystem } from "../../snapshots/stores/file-system.ts";

/** Performs a step, or something else in its place. `step` is its name, such as `rename` or `writeFile`. */
type Perform = (step: string, run: (...args: unknown[]) => Promise<unknown>, args: unknown[]) => Promise<unknown>;

/** Every step goes through `perform`. */
export function steppedFs(perform: Perform): FileSystem {
  return stepped({ ...fsPromises }, perform);
}

/** Fails at the n-th step, counting from 1, with a system error of this code; `forGood`: at every later one too.
 * `steps` are the names of the steps taken so far. */
export function faultyFs({ failAt, code, forGood = false }: { failAt: number; code: string; forGood?: boolean }) {
  const steps: string[] = [];
  const fs = steppedFs(async (step, run, args) => {
    steps.push(step);
    if (steps.length !== failAt && !(forGood && steps.length > failAt)) return run(...args);
    // As in Linux, a close that fails has closed the file.
    if (step === "close") await run();
    throw systemError(code, step);
  });
  return { fs, steps };
}

/** A disk with no room left: half of what is written to a file arrives. */
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
