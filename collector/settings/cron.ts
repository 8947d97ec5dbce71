// A cron expression as a setting.
import * as z from "zod";
import { createTask, validateDetailed, type Logger } from "node-cron";

export const SILENT_LOGGER: Logger = { info() {}, warn() {}, error() {}, debug() {} };

/** When to collect; the global setting, and in a source its own. */
export const cronExpression = z.string().superRefine((expression, context) => {
  const problem = cronProblem(expression);
  if (problem) context.addIssue({ code: "custom", message: `use a cron expression such as */15 * * * *: ${problem}` });
});

/** A source's own `schedule`: to be put into the settings of every kind. */
export const ownSchedule = cronExpression.optional().describe("When to collect from it, if not on the common schedule");

/** What is wrong with a cron expression, or undefined when nothing is. */
export function cronProblem(expression: string): string | undefined {
  const { valid, errors } = validateDetailed(expression);
  return valid ? undefined : (errors[0]?.message ?? "not a cron expression");
}

/** The longest pause between two of the next runs of a cron expression, milliseconds. */
export function longestPause(expression: string): number {
  const runs = createTask(expression, () => {}, { timezone: "UTC", logger: SILENT_LOGGER }).getNextRuns(LOOKED_AHEAD);
  return Math.max(0, ...runs.slice(1).map((run, index) => run.getTime() - (runs[index]?.getTime() ?? 0)));
}

/** Enough for a week of a schedule by the hour. */
const LOOKED_AHEAD = 200;
