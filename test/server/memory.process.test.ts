// A burst of objects, such as an attack makes, must not leave the process with more memory for good.
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { memo } from "../../server/answers/memo.ts";

const BURST = `
  import { getHeapSpaceStatistics } from "node:v8";
  import { keepNewSpaceSmall } from "./cli/small-heap.ts";
  const newSpace = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size;
  if (process.argv[1] === "small") keepNewSpaceSmall();
  const kept = Array.from({ length: 1_000_000 }, (_, index) => ({ index }));
  process.stdout.write(String(kept.length > 0 && newSpace()));
`;

const sizeAfterBurst = (mode: string) =>
  Number(execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", BURST, mode]));

/** With which V8 starts; newer versions take its pages one by one. */
const FIRST_SIZE = 4 * 1024 * 1024;

describe("memory (cli/small-heap.ts)", () => {
  test("the space for new objects stays small in a burst of them", () => {
    expect(sizeAfterBurst("as V8 does it")).toBeGreaterThan(FIRST_SIZE);
    expect(sizeAfterBurst("small")).toBeLessThanOrEqual(FIRST_SIZE);
  });

  test("of thousands of texts that clients send, the first are forgotten, and long ones are not kept at all", () => {
    const computed: string[] = [];
    const known = memo((text) => computed.push(text), 8);
    const texts = Array.from({ length: 2_000 }, (_, index) => String(index));
    for (const text of [...texts, ...texts]) known(text);
    expect(computed).toEqual([...texts, ...texts]);
    for (const text of ["short", "short", "too long!", "too long!"]) known(text);
    expect(computed.slice(2 * texts.length)).toEqual(["short", "too long!", "too long!"]);
  });
});
