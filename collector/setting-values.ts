// Settings that are durations or cron expressions. Sources import them, too, so they stay apart from settings.ts, which
// imports the sources.
import { createTask, validateDetailed } from "node-cron";
import * as z from "zod";
import { clip } from "../snapshots/rules.ts";

const DURATION = "use a duration such as 30s, 15m or 24h";

/** A setting such as 30s, 15m, 24h or 7d: a duration of at most `longest`, parsed to ms. */
export function duration(fallback: string, longest: string) {
  return z
    .string(DURATION)
    .regex(/^[1-9]\d{0,5}[smhd]$/, DURATION)
    .refine((text) => !(milliseconds(text) > milliseconds(longest)), `must be at most ${longest}`)
    .default(fallback)
    .transform(milliseconds);
}

export const cronExpression = z
  .string("use a cron expression such as */15 * * * *")
  .superRefine((expression, context) => {
    const problem = cronProblem(expression);
    if (problem)
      context.addIssue({ code: "custom", message: `use a cron expression such as */15 * * * *: ${problem}` });
  })
  // Editors know no more of it than its five or six words.
  .meta({ pattern: "^\\s*(\\S+\\s+){4,5}\\S+\\s*$" });

export const ownSchedule = cronExpression.optional().describe("When to collect from it, if not on the common schedule");

/** How many minutes, hours, days, months and days of the week there are. */
const MOST = [60, 24, 31, 12, 7];

/** Returns undefined for a valid cron expression. */
export function cronProblem(expression: string): string | undefined {
  const { valid, errors } = validateDetailed(expression);
  // Cron counts a step within its field: */90 would be every hour.
  const fields = expression.trim().split(/\s+/).slice(-MOST.length);
  const long = fields.find((field, at) => Number(/\/(\d+)/.exec(field)?.[1]) > (MOST[at] ?? 0));
  if (valid && long !== undefined) return `"${clip(long, 40)}" has a longer step than its field`;
  if (valid) return undefined;
  const [error] = errors;
  if (!error || error.field === "expression") return "it needs five fields, or six with seconds";
  const field = error.field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `"${clip(String(error.value), 40)}" is not possible as ${field}`;
}

/** node-cron logs to the console by default. */
export function cronTask(expression: string) {
  const logger = { info() {}, warn() {}, error() {}, debug() {} };
  return createTask(expression, () => {}, { timezone: "UTC", logger });
}

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function milliseconds(text: string): number {
  return Number(text.slice(0, -1)) * (UNITS[text.slice(-1)] ?? Number.NaN);
}
