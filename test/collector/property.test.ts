// For any JSON from an upstream, either nothing is published, or a payload in the public shape with values of that
// JSON.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FACTS, SNAPSHOT_NAMES } from "../../snapshots/snapshot.ts";
import { startCollector } from "../support/collecting/collector.ts";
import { rounds, SEED } from "../support/random.ts";
import { body } from "../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../support/collecting/vendor.ts";

const RUNS = rounds(100);

const KEYS = [
  "__proto__",
  "constructor",
  "hasUpdate",
  "latest",
  "plans",
  "prices",
  "id",
  "size",
  "macos",
  "",
  "ü",
  "x",
];
const TEXTS = ["", "x", "false", "macos", "windows", "12", "a\r\nb", "\u202e", "\ud800", "https://x.example/a b"];
const LONG = ["javascript:0", "x".repeat(300)];
const NUMBERS = [0, -0, 1, -1, 0.1, 12, 1e21, 1e308, -1e-7, 2 ** 53];
const ODD_NUMBERS = ["1e400", "-0", "1E2", "9007199254740993"];

const key = fc.constantFrom(...KEYS);
const anything = fc.anything({
  key,
  values: [fc.constantFrom(null, true, false, ...NUMBERS, ...TEXTS, ...LONG)],
  maxDepth: 3,
});
interface Change {
  at: number;
  key: string;
  value: unknown;
  way: "replace" | "add" | "remove" | "move";
}
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  key,
  value: anything,
  way: fc.constantFrom<Change["way"][]>("replace", "add", "remove", "move"),
});

/** Nearly always a good answer with up to three changes, as text. */
const answer = (good: object): fc.Arbitrary<string> =>
  fc
    .oneof(
      { weight: 9, arbitrary: fc.array(change, { maxLength: 3 }).map((changes) => changes.reduce(changed, good)) },
      { weight: 1, arbitrary: anything },
    )
    .chain((value) => {
      const text = JSON.stringify(value) ?? "null";
      const odd = fc.constantFrom(...ODD_NUMBERS).map((number) => text.replace(/\d+/, number));
      return fc.oneof({ weight: 9, arbitrary: fc.constant(text) }, { weight: 1, arbitrary: odd });
    });

/** The document with one of its parts replaced or removed, or with another beside it, which may be its copy under another key. */
function changed(document: object, { at, key, value, way }: Change) {
  const copy: object = structuredClone(document);
  const places: [holder: object, name: string][] = [];
  const walk = (holder: object): void => {
    for (const [name, part] of Object.entries(holder)) {
      places.push([holder, name]);
      if (typeof part === "object" && part !== null) walk(part);
    }
  };
  walk(copy);
  const [holder, name] = places[at % places.length] ?? [copy, key];
  const part: unknown = Reflect.get(holder, name);
  if (way === "remove" || way === "move") Reflect.deleteProperty(holder, name);
  const [place, next] =
    way === "replace"
      ? [name, value]
      : [Array.isArray(holder) ? String(holder.length) : key, way === "add" ? value : part];
  if (way !== "remove")
    Object.defineProperty(holder, place, { value: next, enumerable: true, configurable: true, writable: true });
  return copy;
}

describe("whatever an upstream says (collector/source.ts)", () => {
  test(
    "any JSON value becomes a payload of the public shape, or a failure",
    { timeout: 30_000 + RUNS * 100 },
    async () => {
      const { upstream, run, files, stored } = await startCollector();
      let published = 0;
      const property = fc.asyncProperty(answer(vendorPlans()), answer(vendorReleases()), async (plans, releases) => {
        upstream.set("/plans", body(plans));
        upstream.set("/releases", body(releases));
        const before = await files();
        const outcomes = await run();
        const after = await files();
        for (const name of SNAPSHOT_NAMES) {
          const outcome = outcomes[name];
          if ("reason" in outcome) {
            expect(outcome.reason).toMatch(/^(?!internal error)[\x20-\x7e]{8,400}$/);
            expect(after[`${name}.json`]).toBe(before[`${name}.json`]);
            continue;
          }
          published++;
          const { payload } = await stored(name);
          expect(FACTS[name].parse(payload).payload).toEqual(payload);
          expect(payload).toEqual(JSON.parse(JSON.stringify(outcome.payload)));
          if ("hasUpdate" in payload && !payload.hasUpdate) {
            expect(JSON.parse(releases)).toMatchObject({ [name.slice("release-".length)]: { hasUpdate: false } });
          }
        }
      });
      await fc.assert(property, { numRuns: RUNS, seed: SEED });
      // Otherwise nearly all answers were refused and nothing was tested.
      expect(published, `SEED=${SEED}`).toBeGreaterThan(RUNS / 4);
    },
  );
});
