// Errors of our own: the operator gets a line with the stack, clients learn nothing.
export type ReportBug = (bug: unknown) => void;

export function bugReporter(warn: (message: string) => void): ReportBug {
  return (bug) => warn(`a bug: ${bug instanceof Error ? (bug.stack ?? bug.message) : String(bug)}`);
}
