// For any JSON from an upstream, either nothing is published, or a payload in the public shape with values of that
// JSON.
import { expect, test } from "vitest";
import { FACTS, SNAPSHOT_NAMES } from "../../snapshots/snapshot.ts";
import { startCollector } from "../support/collecting/collector.ts";
import { oneOf, rounds, SEED, seeded } from "../support/random.ts";
import { body } from "../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../support/collecting/vendor.ts";

const RUNS = rounds(100);

test(
  "any JSON value becomes a payload of the public shape, or a failure",
  { timeout: 30_000 + RUNS * 100 },
  async () => {
    const random = seeded(SEED);
    const { upstream, run, files, stored } = await startCollector();
    let published = 0;
    for (let round = 0; round < RUNS; round++) {
      const texts = { plans: answerText(random, vendorPlans()), releases: answerText(random, vendorReleases()) };
      for (const [name, text] of Object.entries(texts)) upstream.set(`/${name}`, body(text));
      const before = await files();
      const outcomes = await run();
      const after = await files();
      for (const name of SNAPSHOT_NAMES) {
        const outcome = outcomes[name];
        const hint = `SEED=${SEED}, round ${round}, ${name}: ${name === "plans" ? texts.plans : texts.releases}`;
        if ("reason" in outcome) {
          expect(outcome.reason, hint).toMatch(/^(?!internal error)[\x20-\x7e]{8,400}$/);
          expect(after[`${name}.json`], hint).toBe(before[`${name}.json`]);
          continue;
        }
        published++;
        const { payload } = await stored(name);
        expect(FACTS[name].parse(payload).payload, hint).toEqual(payload);
        expect(payload, hint).toEqual(JSON.parse(JSON.stringify(outcome.payload)));
        if ("hasUpdate" in payload && !payload.hasUpdate) {
          const said: unknown = JSON.parse(texts.releases);
          expect(said, hint).toMatchObject({ [name.slice("release-".length)]: { hasUpdate: false } });
        }
      }
    }
    // Otherwise nearly all answers were refused and nothing was tested.
    expect(published, `SEED=${SEED}`).toBeGreaterThan(RUNS / 4);
  },
);

type Random = () => number;

/** A good answer with up to three random changes, or any JSON value. */
function answerText(random: Random, good: unknown): string {
  if (random() < 0.1) return JSON.stringify(anything(random, 4));
  let value = good;
  for (let changes = Math.floor(random() * 4); changes > 0; changes--) value = changed(random, value);
  const text = JSON.stringify(value) ?? "null";
  return random() < 0.1 ? text.replace(/\d+/, oneOf(random, ["1e400", "-0", "1E2", "9007199254740993"])) : text;
}

/** The value with one part replaced, removed, added, renamed or duplicated. */
function changed(random: Random, value: unknown): unknown {
  const isInside = typeof value === "object" && value !== null && random() < 0.8;
  if (!isInside) return anything(random, 2);
  if (Array.isArray(value)) {
    const at = Math.floor(random() * (value.length + 1));
    const part: unknown = value[at];
    const replacement = oneOf(random, [[], [part, part], [changed(random, part)], [changed(random, part)]]);
    return value.toSpliced(at, 1, ...replacement.filter((item) => item !== undefined));
  }
  const entries = Object.entries(value);
  const at = Math.floor(random() * (entries.length + 1));
  const [key, part] = entries[at] ?? [oneOf(random, KEYS), anything(random, 2)];
  const replacement: [string, unknown][] = oneOf(random, [
    [],
    [[oneOf(random, KEYS), part]],
    [
      [key, part],
      [oneOf(random, KEYS), anything(random, 2)],
    ],
    [[key, changed(random, part)]],
    [[key, changed(random, part)]],
    [[key, changed(random, part)]],
  ] as [string, unknown][][]);
  return Object.fromEntries(entries.toSpliced(at, 1, ...replacement));
}

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
const TEXTS = [
  "",
  "x",
  "false",
  "macos",
  "windows",
  "12",
  "a\r\nb",
  "\u202e",
  "\ud800",
  "https://x.example/a b",
  "javascript:0",
  "x".repeat(300),
];
const NUMBERS = [0, -0, 1, -1, 0.1, 12, 1e21, 1e308, -1e-7, 2 ** 53];

function anything(random: Random, depth: number): unknown {
  const kind = Math.floor(random() * (depth > 0 ? 7 : 5));
  if (kind === 0) return null;
  if (kind === 1) return random() < 0.5;
  if (kind === 2) return oneOf(random, NUMBERS);
  if (kind < 5) return oneOf(random, TEXTS);
  const parts = Array.from({ length: Math.floor(random() * 4) }, () => anything(random, depth - 1));
  return kind === 5 ? parts : Object.fromEntries(parts.map((part) => [oneOf(random, KEYS), part]));
}
