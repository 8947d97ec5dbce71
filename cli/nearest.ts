// "Did you mean": the known word that is fewest edits away from what was typed.

/** The nearest of the words, or undefined when none is near. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const ranked = words.map((word) => ({ word, edits: distance(typed.toLowerCase(), word.toLowerCase()) }));
  const best = ranked.toSorted((a, b) => a.edits - b.edits)[0];
  return best && best.edits <= Math.max(1, Math.floor(typed.length / 3)) ? best.word : undefined;
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
