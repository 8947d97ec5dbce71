// All problems of a settings file are reported at once. This file is apart from the settings' schemas, which are slow to load.

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

/** The value made of one setting. @throws SettingsProblems if `make` throws */
export function fromSetting<T>(file: string, name: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new SettingsProblems(file, [`${name}   ${error instanceof Error ? error.message : "cannot be used"}`]);
  }
}
