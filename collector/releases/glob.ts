// Names by pattern, as a shell's: `*` stands for any text, `?` for one character, all else for itself.

/** True when the pattern matches the whole name. Takes at most pattern × name steps, whatever either holds. */
export function matchesGlob(name: string, pattern: string): boolean {
  let [at, wanted] = [0, 0];
  // Where to go on when a mismatch follows a star: the star takes one character more.
  let [star, taken] = [-1, 0];
  while (at < name.length) {
    const sign = pattern[wanted];
    if (sign === "*") {
      [star, taken] = [wanted++, at];
    } else if (sign !== undefined && (sign === "?" || sign === name[at])) {
      at++;
      wanted++;
    } else if (star >= 0) {
      [at, wanted] = [++taken, star + 1];
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(wanted));
}
