// Matches names against a pattern like a shell's: `*` is any text, `?` one character.

/** True if the pattern matches the whole name. Takes at most pattern × name steps. */
export function matchesGlob(name: string, pattern: string): boolean {
  let [at, wanted] = [0, 0];
  // Where to resume after a mismatch: the last star takes one more character.
  let [star, taken] = [-1, 0];
  while (at < name.length) {
    const char = pattern[wanted];
    if (char === "*") {
      [star, taken] = [wanted++, at];
    } else if (char !== undefined && (char === "?" || char === name[at])) {
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
