// What stands in the way of settings, all of it at once. Apart from the settings' shapes, which take a while to load.

/** The settings cannot be used: `problems` has a line for each reason, `file` is where they are. */
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
