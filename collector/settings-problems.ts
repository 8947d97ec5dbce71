// All problems of a settings file at once. Separate from the settings' schemas, which are slow to load.

/** The settings in `file` cannot be used; `problems` has a line for each reason. */
export class SettingsProblems extends Error {
  override name = "SettingsProblems";
  readonly file: string;
  readonly problems: readonly string[];

  constructor(file: string, problems: readonly string[]) {
    super(`${file}: ${problems.join("; ")}`);
    this.file = file;
    this.problems = problems;
  }
}
