// Values with targets. One above its target is marked; only one far above it fails a check, because the machine may be busy.

export interface Target {
  target: number;
  /** The highest value that does not fail the check. */
  limit: number;
}

export class Verdicts {
  /** One line for each value that fails the check. */
  readonly problems: string[] = [];

  /** The value as text, with a mark if it is above its target; NaN and infinity fail the check. `title`: of a problem. */
  judge(title: string, value: number, { target, limit }: Target, digits = 0): string {
    const text = Number.isFinite(value) ? value.toFixed(digits) : "-";
    if (!(value <= limit)) this.problems.push(`${title}: ${text} is far above ${target}`);
    return `${text}${value <= target ? "" : "!"}`;
  }
}
