// "Did you mean": the known word that is the fewest edits away from the typed one.
import { distance } from "fastest-levenshtein";

/** The nearest of the words; undefined if none is near. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const ranked = words.map((word) => ({ word, edits: distance(typed.toLowerCase(), word.toLowerCase()) }));
  const best = ranked.toSorted((a, b) => a.edits - b.edits)[0];
  // Two edits swap neighbours; in a word of three letters they would leave one.
  return best && best.edits <= Math.max(typed.length > 3 ? 2 : 1, Math.floor(typed.length / 3)) ? best.word : undefined;
}

/** The end of a message: `; did you mean plans?`, or nothing. `quote` encloses the word. */
export function didYouMean(typed: string, words: readonly string[], quote = ""): string {
  const meant = nearest(typed, words);
  return meant === undefined ? "" : `; did you mean ${quote}${meant}${quote}?`;
}
