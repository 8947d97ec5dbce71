// "Did you mean": the known word that is the fewest edits away from the typed one.

/** The nearest of the words; undefined if none is near. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const ranked = words.map((word) => ({ word, edits: distance(typed.toLowerCase(), word.toLowerCase()) }));
  const best = ranked.toSorted((a, b) => a.edits - b.edits)[0];
  return best && best.edits <= Math.max(1, Math.floor(typed.length / 3)) ? best.word : undefined;
}

/** Damerau-Levenshtein distance: letters added, removed, replaced, or neighbours swapped. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = at(row, j) + (a[i] === b[j] ? 0 : 1);
      const isSwap = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      const swapped = isSwap ? at(before, j - 1) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, at(row, j + 1) + 1, at(next, j) + 1));
    }
    [before, row] = [row, next];
  }
  return at(row, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
