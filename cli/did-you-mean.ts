// "Did you mean": the known word that alone begins with the typed one, or is the fewest edits away from it.
import { distance } from "fastest-levenshtein";

/** The nearest of the words; undefined if none is near. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const longer = new Set(words.filter((word) => word.toLowerCase().startsWith(typed.toLowerCase())));
  if (typed.length > 2 && longer.size === 1) return [...longer][0];
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
