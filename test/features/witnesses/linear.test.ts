// A page of two megabytes is compared in less than three seconds, whatever its text: all work on it is linear, and bounded.
import { describe, expect, test } from "vitest";
import { openBudget } from "../../../collector/features/witnesses/budget.ts";
import { compareWithPage } from "../../../collector/features/witnesses/page-check.ts";
import { readPage } from "../../../collector/features/witnesses/page.ts";
import type { Payload } from "../../../snapshots/snapshot.ts";
import { counted, expectLinear, filled, type Worst } from "../../support/linear.ts";
import { vendorRelease } from "../../support/collecting/vendor.ts";
import { cycleOf, planOf } from "../../support/snapshot.ts";

const CYCLES = Array.from({ length: 12 }, (_, index) => cycleOf(`c${index + 1}`, index + 1));

/** Plans with a price for each cycle, none of which is on a page here. */
function plans(count: number): Payload {
  const all = Array.from({ length: count }, (_, index) => {
    const prices = CYCLES.map(({ key }, at) => [key, 1e6 + index * 100 + at + 0.77]);
    return planOf(`plan${index}`, Object.fromEntries(prices), { monthlyPrice: 1e7 + index, annualPrice: 3e7 });
  });
  return { currency: "USD", cycles: CYCLES, plans: all };
}

const FACTS = plans(50);
const RELEASE = vendorRelease("macos");

const read =
  (html: (size: number) => string): Worst =>
  (size) => {
    const text = html(size);
    return () => readPage(text);
  };
const compared =
  (published: Payload, html: (size: number) => string): Worst =>
  (size) => {
    const page = readPage(html(size));
    return () => compareWithPage(published, page);
  };
const linkedData = (json: string) => `<script type="application/ld+json">${json}</script>`;
const fieldsOf = (size: number) => Object.fromEntries(Array.from({ length: size / 20 }, (_, at) => [`k${at}`, 1]));

describe("the work on a page is linear (collector/features/witnesses/page.ts)", () => {
  test.for<[what: string, size: number, worst: Worst]>([
    ["spaces in JSON-LD", 4_000, read((size) => linkedData(`{${" ".repeat(size)}}`))],
    ["slashes in JSON-LD", 20_000, read((size) => linkedData("/".repeat(size)))],
    [
      "JSON-LD within JSON-LD",
      20_000,
      read((size) => linkedData(`${'{"a":'.repeat(size / 6)}1${"}".repeat(size / 6)}`)),
    ],
    [
      "a long type beside many fields",
      10_000,
      read((size) => linkedData(JSON.stringify({ "@type": filled("Application", size), ...fieldsOf(size) }))),
    ],
    [
      "many types beside many fields",
      10_000,
      read((size) => linkedData(JSON.stringify({ "@type": filled("x ", size).split(" "), ...fieldsOf(size) }))),
    ],
    [
      "a long currency beside many prices",
      10_000,
      read((size) =>
        linkedData(
          JSON.stringify({
            priceCurrency: filled("USD", size),
            offers: Array.from({ length: size / 20 }, () => ({ price: 1 })),
          }),
        ),
      ),
    ],
    ["a run of marks", 4_000, read((size) => `a${filled("\u0315\u0323", size)}`)],
    ["a run of letters that become marks", 4_000, read((size) => `a${filled("\uff9e\u0323", size)}`)],
    ["closing tags in open ones", 50_000, read((size) => "<i>".repeat(499) + filled("</x>", size))],
    ["attributes", 50_000, read((size) => `<b ${counted((index) => `price${index}=1 `, size)}>`)],
    ["entities", 50_000, read((size) => filled("&amp;&a", size))],
    ["amounts and many prices", 50_000, compared(FACTS, (size) => counted((index) => `$${index} `, size))],
    [
      "amounts and as many plans",
      25_000,
      (size) => compared(plans(size / 100), () => counted((index) => `$${index} `, size))(size),
    ],
    ["amounts in cells", 50_000, compared(FACTS, (size) => `$1${counted((index) => `<td>${index}`, size)}`)],
    ["numbers with dots", 100_000, compared(FACTS, (size) => `$1 ${filled("1.1 ", size)}`)],
    ["a number without an end", 100_000, compared(FACTS, (size) => `$1 ${filled("1.", size)}`)],
    ["signs", 50_000, compared(FACTS, (size) => filled("$", size))],
    [
      "words for free",
      50_000,
      compared({ ...FACTS, plans: [planOf("a", {}, { monthlyPrice: 0, annualPrice: 0 })] } as Payload, (size) =>
        filled("kostenlo ", size),
      ),
    ],
    ["versions", 50_000, compared(RELEASE, (size) => counted((index) => `v${index}.1 `, size))],
    ["one version again and again", 50_000, compared(RELEASE, (size) => filled("1.1 ", size))],
    ["a version without an end", 50_000, compared(RELEASE, (size) => filled("1.", size))],
    ["a version of dashes", 4_000, compared(RELEASE, (size) => `1.1${"-".repeat(size)}a`)],
    ["words before no version", 50_000, compared(RELEASE, (size) => filled("versiaaaa windows v: ", size))],
  ])("%s", ([, size, worst]) => expectLinear(size, worst));
});

describe("the work on a witness is bounded (collector/features/witnesses/budget.ts)", () => {
  const { signal } = new AbortController();
  const endless = (check: () => void) => {
    for (;;) check();
  };

  test("in all parts together, in CPU time", async () => {
    const budget = openBudget(signal, 30);
    expect(await budget(() => "read")).toBe("read");
    await expect(budget(endless)).rejects.toThrow("cannot be read: it takes more than 0.03 s of work");
    await expect(budget((check) => Array.from({ length: 1_000 }, check))).rejects.toThrow("cannot be read");
  });

  test("also where a step took too long", async () => {
    const spend = () => {
      const start = process.cpuUsage();
      while (process.cpuUsage(start).user < 20_000);
    };
    await expect(openBudget(signal, 10)(spend)).rejects.toThrow("cannot be read");
  });

  test("one part at a time, with a turn of the event loop before each, and none once the run was stopped", async () => {
    const stopping = new AbortController();
    const seen: string[] = [];
    const work = (name: string) => openBudget(stopping.signal)(() => void seen.push(name));
    const [first, second] = [work("first"), work("second")];
    setImmediate(() => seen.push("a request"));
    await first;
    stopping.abort();
    await expect(second).rejects.toThrow("the run was stopped");
    expect(seen).toEqual(["a request", "first"]);
  });
});
