// A cron expression as a setting.
import * as z from "zod";
import { cronProblem } from "./schedule.ts";

/** When to collect; the global setting, and in a source its own. */
export const cronExpression = z.string().superRefine((expression, context) => {
  const problem = cronProblem(expression);
  if (problem) context.addIssue({ code: "custom", message: `use a cron expression such as */15 * * * *: ${problem}` });
});

/** A source's own `schedule`: to be put into the settings of every kind. */
export const ownSchedule = cronExpression.optional().describe("When to collect from it, if not on the common schedule");
