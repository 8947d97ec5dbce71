// What the program prints, with names from outside in it.
import { PassThrough } from "node:stream";
import type { WriteStream } from "node:tty";
import { describe, expect, test } from "vitest";
import { openTerminal } from "../../cli/output/terminal.ts";

function open({ isTTY = false }) {
  const stream = Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY });
  // Of a stream's many methods, the terminal only writes.
  const terminal = openTerminal(stream as unknown as WriteStream, stream as unknown as WriteStream, false);
  return { terminal, read: () => String(stream.read()) };
}

describe("the terminal (cli/output/terminal.ts)", () => {
  test.for([true, false])("is given no command by a name, on a screen: %s", (isTTY) => {
    const { terminal, read } = open({ isTTY });
    terminal.out("a\u001b[2Jb\rc\u009b2Jd\u0007\n\te");
    terminal.err("\u001b]0;title");
    expect(read()).toBe("a�[2Jb�c�2Jd�\n\te\n�]0;title\n");
  });
});
