// The problems of an attempt to use settings.
import { SettingsProblems } from "../../collector/settings/problems.ts";
import { messageOf } from "../output/terminal.ts";

/** A line for each problem; none if the attempt succeeds. */
export function problemsOf(attempt: () => unknown): readonly string[] {
  try {
    attempt();
    return [];
  } catch (error) {
    return error instanceof SettingsProblems ? error.problems : [messageOf(error)];
  }
}
