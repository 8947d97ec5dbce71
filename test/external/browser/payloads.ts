// Valid facts that are hard to show, such as a vendor could really publish. A list of revisions for each snapshot; the last
// one is served.
import { MAX_URL } from "../../../snapshots/rules.ts";
import type { LatestReleaseResponse, Plan, PlansResponse, Platform, Release } from "../../../snapshots/schema.ts";
import type { Payload, SnapshotName } from "../../../snapshots/snapshot.ts";
import { cycleOf } from "../../support/snapshot.ts";

export type Payloads = Record<SnapshotName, Payload[]>;

/** Texts that would act as markup on a page that does not escape them. The page must show each unchanged. */
export const MARKUP = [
  `<img src=x onerror=alert(1)>`,
  `</script><script>alert(2)</script>`,
  `"><svg onload=alert(3)>`,
  `' onmouseover='alert(4)`,
  `<a href="javascript:alert(5)">price</a>`,
  `<!-- &lt;b&gt; ]]> \${6} {{7}}`,
] as const;
const [IMAGE, SCRIPT, ATTRIBUTE, QUOTE, LINK, COMMENT] = MARKUP;

export const HOSTILE_API = { name: `Acme ${SCRIPT}`, description: `${IMAGE} ${COMMENT}` };

/** 10 kB with the markup, lines that look like Markdown, and right-to-left text. */
const CHANGELOG = [...MARKUP, "# [javascript](javascript:alert(8))", "שלום עולם", "| a | b |", "\tindented", ""]
  .join("\n")
  .concat("- One more thing was changed, and it takes a whole sentence to say what it was.\n".repeat(125));

export const HOSTILE: Payloads = {
  plans: [12, 9.99, 1e21].map(hostilePlans),
  "release-macos": ["1.0.0", IMAGE].map((version) => release("macos", { version, changelog: CHANGELOG, date: QUOTE })),
  "release-windows": [
    { hasUpdate: false },
    release("windows", { version: ATTRIBUTE, changelog: "", size: "", date: "" }),
  ],
};

/** Texts of these facts on the page: a plan, and the versions. */
export const HOSTILE_FACTS = ["one.of:three", IMAGE, ATTRIBUTE];

function hostilePlans(amount: number): PlansResponse {
  return {
    currency: LINK,
    cycles: [
      cycleOf("1.month:x", 1, { labelKey: IMAGE, savingBadge: SCRIPT }),
      cycleOf("x__", 7, { labelKey: ATTRIBUTE, savingBadge: "" }),
      cycleOf("constructor", 1200, { labelKey: COMMENT, savingBadge: QUOTE }),
    ],
    plans: [
      plan("none-at-all", { prices: {}, creditsMonthly: null }),
      plan("one.of:three", { prices: { "1.month:x": amount }, popular: true }),
      plan("of-no-cycle", { prices: { weekly: 1 }, creditsMonthly: 0 }),
      plan("all", { prices: { "1.month:x": 0.1 + 0.2, x__: 1e-7, constructor: Number.MAX_VALUE } }),
    ],
  };
}

const UNBROKEN = "Donaudampfschifffahrtsgesellschaftskapitän".repeat(5).slice(0, 200);

export const LONG_API = { name: UNBROKEN.slice(0, 100), description: UNBROKEN.repeat(5) };

/** The longest facts: 30 plans, 12 cycles, no place for a line break. */
export const LONG: Payloads = {
  plans: [
    {
      currency: UNBROKEN,
      cycles: Array.from({ length: 12 }, (_, index) =>
        cycleOf(`cycle-${index}-`.padEnd(64, "y"), index + 1, { labelKey: UNBROKEN, savingBadge: UNBROKEN }),
      ),
      plans: Array.from({ length: 30 }, (_, index) =>
        plan(`plan-${index}-`.padEnd(64, "x"), {
          popular: true,
          prices: Object.fromEntries(
            Array.from({ length: 12 }, (_, cycle) => [`cycle-${cycle}-`.padEnd(64, "y"), 1_234_567.5 * (index + 1)]),
          ),
          creditsMonthly: Number.MAX_SAFE_INTEGER,
        }),
      ),
    },
  ],
  "release-macos": [release("macos", { version: UNBROKEN, date: UNBROKEN, changelog: UNBROKEN.repeat(50) })],
  "release-windows": [
    release("windows", { size: "9".repeat(16), downloadURL: `${"https://a.example/".padEnd(MAX_URL - 4, "z")}.exe` }),
  ],
};

/** One plan, and texts that are written from right to left. */
export const ONE: Payloads = {
  plans: [
    {
      currency: "ILS",
      cycles: [cycleOf("month", 1, { labelKey: "חודש" })],
      plans: [plan("everyone", { prices: { month: 12.5 }, creditsMonthly: null })],
    },
  ],
  "release-macos": [release("macos", { changelog: "- חיפוש מהיר יותר.\n- البحث أسرع.\n- Faster." })],
  "release-windows": [release("windows", { changelog: "شكرا لكم" })],
};
export const ONE_API = { name: "דפתר", description: "كل الأسعار والإصدارات في مكان واحد." };

/** 30 plans as a vendor would have them. */
export const MANY: Payloads = {
  ...ONE,
  plans: [
    {
      currency: "USD",
      cycles: [1, 12].map((months) => cycleOf(`m${months}`, months)),
      plans: Array.from({ length: 30 }, (_, index) =>
        plan(`team-${index + 1}`, { prices: { m1: 5 * (index + 1), m12: 50 * (index + 1) }, popular: index === 3 }),
      ),
    },
  ],
};

/** Explicitly no plans and no releases. */
export const NOTHING: Payloads = {
  plans: [{ currency: "EUR", cycles: [], plans: [] }],
  "release-macos": [{ hasUpdate: false }],
  "release-windows": [{ hasUpdate: false }],
};

function plan(id: string, more: Partial<Plan>): Plan {
  return { id, popular: false, prices: {}, monthlyPrice: 12, annualPrice: 120, creditsMonthly: 1, ...more };
}

function release(platform: Platform, more: Partial<Release>): LatestReleaseResponse {
  const downloadURL = "https://a.example/?q=%22%3E%3Cscript%3E&x='";
  const latest = { platform, version: "1.0.0", changelog: "Faster.", downloadURL, size: "1", date: "today", ...more };
  return { hasUpdate: true, forceUpdate: true, latest };
}
