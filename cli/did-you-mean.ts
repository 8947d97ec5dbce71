// "Did you mean": the known word that alone begins with the typed one, or is the fewest edits away from it.
import { distance } from "fastest-levenshtein";

/** The nearest of the words; undefined if none is near. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const longer = new Set(words.filter((word) => word.toLowerCase().startsWith(typed.toLowerCase())));
  if (typed.length > 2 && longer.size === 1) return [...longer][0];
  const ranked = words.map((word) => ({ word, edits: distance(typed.toLowerCase(), word.toLowerCase()) }));
  const best = ranked.toSorted((a, b) => a.edits - b.edits)[0];
  const letters = (word = "") => [...word.toLowerCase()].toSorted().join("");
  // Two edits swap neighbours; others would leave too little of a word of four letters.
  const most = typed.length > 4 || letters(best?.word) === letters(typed) ? 2 : 1;
  return best && best.edits <= Math.max(most, Math.floor(typed.length / 3)) ? best.word : undefined;
}

/** The end of a message: `; did you mean plans?`, or nothing. */
export function didYouMean(typed: string, words: readonly string[]): string {
  const meant = nearest(typed, words);
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}
