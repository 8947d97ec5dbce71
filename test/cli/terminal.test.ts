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
    terminal.out("a\u001b[2Jb\rc\u009b2Jd\u0007\r\n\te");
    terminal.err("\u001b]0;title\u001b[8m");
    expect(read()).toBe("a\\u001b[2Jb\\u000dc\\u009b2Jd\\u0007\r\n\te\n\\u001b]0;title\\u001b[8m\n");
  });

  test("prints JSON that is read as it was meant", () => {
    const { terminal, read } = open({});
    const value = { text: "a\u0085b\u007f\r\n" };
    terminal.out(JSON.stringify(value));
    expect(JSON.parse(read())).toEqual(value);
  });
});
