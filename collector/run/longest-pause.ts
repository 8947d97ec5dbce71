// How long a schedule of cron lets facts wait: for warnings, before a pause has come.
import { cronTask } from "../setting-values.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Runs examined: those of the schedule show its pauses within a day, one an hour its nights, and one a day those of a year. */
const RUNS_AHEAD = 200;
const DAYS_AHEAD = 370;

/** Returns the longest pause between two runs, in ms. Without all runs of a year, which may be half a million: what lies between the first
 * and the last run of an hour, or of a day, is no pause. */
export function longestPause(expression: string): number {
  const runs = runTimes(expression, RUNS_AHEAD);
  const fields = expression.trim().split(/\s+/).slice(-5);
  if (fields.length < 5) return Math.max(...pauses(runs));
  const [firstMinute, lastMinute] = ends(runs, HOUR_MS);
  const hourly = runTimes([firstMinute / MINUTE_MS, ...fields.slice(1)].join(" "), RUNS_AHEAD);
  const [firstHour, lastHour] = ends(hourly, DAY_MS);
  const hour = Math.floor(firstHour / HOUR_MS);
  const daily = runTimes([firstMinute / MINUTE_MS, hour, ...fields.slice(2)].join(" "), DAYS_AHEAD);
  const ofHour = lastMinute - firstMinute;
  const nights = pauses(hourly).map((pause) => pause - ofHour);
  const days = pauses(daily).map((pause) => pause - ofHour - (lastHour - firstHour));
  return Math.max(...pauses(runs), ...nights, ...days);
}

function runTimes(expression: string, count: number): number[] {
  return cronTask(expression)
    .getNextRuns(count)
    .map((run) => run.getTime());
}

const pauses = (times: readonly number[]) => [0, ...times.slice(1).map((time, at) => time - (times[at] ?? time))];

/** The first and the last time within an hour or a day, in whole minutes. */
function ends(times: readonly number[], unit: number): [first: number, last: number] {
  const parts = times.map((time) => Math.floor((time % unit) / MINUTE_MS) * MINUTE_MS);
  return [Math.min(...parts), Math.max(...parts)];
}
